/** A subscriber of a shared log may select stores. Events of other stores need not be opened. */
import { expect } from 'chai';
import { derivedId } from '../../domain/ids.js';
import type { EventData, RecordedEvent } from '../../engine/ports/eventStore.js';
import type { VaultReads } from '../../engine/ports/personVault.js';
import { KeyRing } from '../../engine/sealing/keyRing.js';
import { openingReads } from '../../engine/sealing/sealingStore.js';
import type { EventReads } from '../../engine/upcasting.js';
import { createSecretBox } from '../../infrastructure/secrets/secretBox.js';
import { until } from '../support/tools/until.js';
import { MASTER_KEY, personal, type SealedLog, sealedLog } from './sealingStage.js';

const PHONES = { 'store-1': '+252611000001', 'store-2': '+252611000002', 'store-3': '+252611000003' } as const;
type Store = keyof typeof PHONES;

let made = 0;
const placed = (workspaceId: Store): EventData => ({
  id: derivedId('wanted', ++made),
  type: 'Placed',
  data: { customerPhone: PHONES[workspaceId] },
  meta: { at: '2025-03-01T10:00:00.000Z', actor: { type: 'system' }, correlationId: 'r', workspaceId },
});

describe('an encrypted log with a subscriber for some stores', () => {
  let log: SealedLog;
  /** Stores whose events the log left out as unwanted. */
  let left: string[];
  /** Data subjects whose keys were looked up. */
  let requested: string[];
  /** Delays every lookup in the vault. */
  let gate: Promise<void> | undefined;
  let reads: EventReads;

  beforeEach(async () => {
    log = await sealedLog(new Map([['Placed', personal('stream', { customerPhone: 'phone' })]]));
    [left, requested, gate] = [[], [], undefined];
    const { vault, raw } = log;
    const polling: VaultReads = {
      ...vault,
      async keys(persons) {
        requested.push(...persons);
        await gate;
        return vault.keys(persons);
      },
      forgotten: (persons) => vault.forgotten(persons),
      forgottenAfter: (through) => vault.forgottenAfter(through),
      close: async () => {},
    };
    // Like an engine that follows the hint.
    const hinted: EventReads = {
      ...raw,
      readStream: (stream, options) => raw.readStream(stream, options),
      readAll: (after, options) => raw.readAll(after, options),
      head: () => raw.head(),
      close: async () => {},
      subscribe: (after, filter, subscriber, { accepts, ...options } = {}) =>
        raw.subscribe(
          after,
          filter,
          {
            batch(events, through, last) {
              const isRequested = ({ meta: { workspaceId = '' } }: RecordedEvent): boolean => {
                if (accepts?.(workspaceId) !== false) return true;
                left.push(workspaceId);
                return false;
              };
              return subscriber.batch(events.filter(isRequested), through, last);
            },
          },
          options,
        ),
    };
    reads = openingReads(hinted, new KeyRing(polling, createSecretBox(MASTER_KEY), { hears: 'told' }));
  });
  afterEach(() => log.close());

  const append = async (...stores: Store[]): Promise<void> => {
    for (const store of stores) await log.store.append(`order-${made}`, 'noStream', [placed(store)]);
  };
  const personOf = async (store: Store): Promise<string> => (await log.people.everyone(store, PHONES[store]))[0]!;

  function follow(expected: ReadonlySet<string>) {
    const seen: string[] = [];
    const at = { through: -1 };
    const subscription = reads.subscribe(
      -1,
      {},
      {
        batch(events, through) {
          seen.push(...events.map(({ data }) => (data as { customerPhone: string }).customerPhone));
          at.through = through;
        },
      },
      { accepts: (key) => expected.has(key) },
    );
    return { seen, at, stop: () => subscription.stop() };
  }

  it('skips events of other stores, and looks up none of their subjects', async () => {
    await append('store-1', 'store-2', 'store-1');
    const following = follow(new Set(['store-1']));
    await until('all has passed', () => following.at.through === 2);
    expect(following.seen).to.deep.equal([PHONES['store-1'], PHONES['store-1']]);
    expect(left).to.deep.equal(['store-2']);
    expect(requested).to.deep.equal([await personOf('store-1')]);
    await following.stop();
  });

  it('delivers events that become wanted while keys are loaded', async () => {
    await append('store-1', 'store-2', 'store-3');
    let open = (): void => {};
    gate = new Promise((resolve) => {
      open = resolve;
    });
    const expected = new Set<string>(['store-1']);
    const following = follow(expected);
    await until('a key is being loaded', () => requested.length === 1);
    expect(left).to.deep.equal(['store-2', 'store-3']);
    expected.add('store-2');
    open();
    await until('all has passed', () => following.at.through === 2);
    expect(following.seen).to.include.members([PHONES['store-1'], PHONES['store-2']]);
    expect(following.seen.filter((phone) => phone === PHONES['store-1'])).to.have.length(1);
    await following.stop();
  });

  it('evaluates the filter for each batch', async () => {
    const expected = new Set<string>(['store-1']);
    const following = follow(expected);
    await append('store-2');
    await until('it has passed', () => following.at.through === 0);
    expected.add('store-2');
    await append('store-2');
    await until('the next has passed', () => following.at.through === 1);
    expect(following.seen).to.deep.equal([PHONES['store-2']]);
    await following.stop();
  });
});
