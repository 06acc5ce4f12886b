/** Streams named after a data subject are stored under names that cannot be guessed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { derivedId } from '../../domain/ids.js';
import { type EventData, type EventStore, WrongExpectedRevision } from '../../engine/ports/eventStore.js';
import { KeyRing } from '../../engine/sealing/keyRing.js';
import { People } from '../../engine/sealing/people.js';
import type { Sealing } from '../../engine/sealing/sealer.js';
import { opening, sealing } from '../../engine/sealing/sealingStore.js';
import { createSecretBox } from '../../infrastructure/secrets/secretBox.js';
import { failureOf } from '../contracts/eventStoreKit.js';
import { MASTER_KEY, personal, type SealedLog, sealedLog } from './sealingStage.js';

const PHONE = '+252611000001';
/** Name that the rule derives for a phone number. */
const ASHA = `customer-${derivedId('customer', 'store-1', 'phone', PHONE)}`;
const BEN = `customer-${derivedId('customer', 'store-1', 'phone', '+252611000002')}`;
const events = new Map([['Known', personal('stream', { customer: 'phone' })]]);
const keyedCategories = new Set(['customer']);

let made = 0;
const known = (phone = PHONE): EventData => ({
  id: derivedId('keyed streams', ++made),
  type: 'Known',
  data: { customer: phone },
  meta: { at: '2025-03-01T10:00:00.000Z', actor: { type: 'system' }, correlationId: 'r', workspaceId: 'store-1' },
});

describe('streams with encrypted names', () => {
  let log: SealedLog;
  let store: EventStore;
  /** Another instance on the same log and vault, with its own memory. */
  function another(): Sealing {
    const box = createSecretBox(MASTER_KEY);
    const ring = new KeyRing(log.vault, box, { hears: 0 });
    return { ...log.parts, keyedCategories, ring, people: new People(log.vault, box, ring) };
  }
  beforeEach(async () => {
    log = await sealedLog(events);
    store = sealing(log.raw, { ...log.parts, keyedCategories });
  });
  afterEach(() => log.close());

  const names = async (): Promise<string[]> => [
    ...new Set((await log.raw.readAll(-1)).events.map(({ stream }) => stream)),
  ];
  const phonesOf = async (from: Pick<EventStore, 'readStream'>, stream: string): Promise<unknown[]> =>
    (await from.readStream(stream)).map(({ data }) => (data as { customer: string }).customer);

  it('are found by their plain name, which is not stored', async () => {
    await store.append(ASHA, 'noStream', [known()]);
    await store.append(ASHA, 0, [known()]);
    await store.append(BEN, 'noStream', [known('+252611000002')]);
    expect(await phonesOf(store, ASHA)).to.deep.equal([PHONE, PHONE]);
    const stored = await names();
    expect(stored).to.have.length(2);
    for (const name of stored) expect(name).to.match(/^customer-[0-9a-f-]{36}$/);
    for (const file of ['events.db', 'events.db-wal', 'vault.db', 'vault.db-wal'])
      expect(readFileSync(join(log.folder, file)).includes(ASHA.slice('customer-'.length)), file).to.equal(false);
    expect(await phonesOf(store, stored[0]!), 'also by the name that it has in the log').to.deep.equal([PHONE, PHONE]);
  });

  it('are readable by their plain name', async () => {
    let reads = 0;
    const counted: EventStore = {
      ...log.raw,
      readStream: (...requested) => {
        reads += 1;
        return log.raw.readStream(...requested);
      },
      append: (...appended) => log.raw.append(...appended),
      readAll: (...requested) => log.raw.readAll(...requested),
      subscribe: (...requested) => log.raw.subscribe(...requested),
    };
    const request = sealing(counted, another());
    expect([await phonesOf(request, ASHA), reads]).to.deep.equal([[], 2]);
    await store.append(BEN, 'noStream', [known('+252611000002'), known('+252611000002')]);
    reads = 0;
    expect([(await phonesOf(request, BEN)).length, reads]).to.deep.equal([2, 1]);
    expect([(await request.readStream(BEN, { limit: 0 })).length, reads]).to.deep.equal([0, 2]);
    const restarted = sealing(counted, another());
    expect(await restarted.readStream(BEN, { limit: 0 })).to.deep.equal([]);
    expect(await restarted.readStream(BEN, { from: 5 })).to.deep.equal([]);
    expect(await phonesOf(restarted, BEN), 'an empty part is no empty stream').to.have.length(2);
  });

  it('continue under the name they had before', async () => {
    await log.raw.append(ASHA, 'noStream', [known()]);
    await store.append(ASHA, 0, [known()]);
    expect(await names()).to.deep.equal([ASHA]);
    expect(await phonesOf(store, ASHA)).to.have.length(2);
  });

  it('are the same for every instance, and after a restart', async () => {
    const other = sealing(log.raw, another());
    expect(await phonesOf(other, ASHA)).to.deep.equal([]);
    const tries = await Promise.all(
      [store, other].map((one) => failureOf(one.append(ASHA, 'noStream', [known()])).catch(() => undefined)),
    );
    expect(tries.filter((error) => error instanceof WrongExpectedRevision)).to.have.length(1);
    expect([await phonesOf(store, ASHA), await phonesOf(other, ASHA)]).to.deep.equal([[PHONE], [PHONE]]);
    log = await log.reopen();
    expect(await phonesOf(sealing(log.raw, another()), ASHA)).to.deep.equal([PHONE]);
  });

  it('are found after encryption is turned off, and others keep the plain name then', async () => {
    await store.append(ASHA, 'noStream', [known()]);
    const unsealed = opening(log.raw, another());
    await unsealed.append(ASHA, 0, [known()]);
    await unsealed.append(BEN, 'noStream', [known()]);
    expect(await names())
      .to.have.length(2)
      .and.to.include(BEN);
    expect(await phonesOf(store, ASHA)).to.have.length(2);
    expect(await phonesOf(store, BEN)).to.deep.equal([PHONE]);
  });

  it('are new under the same name for an erased customer', async () => {
    await store.append(ASHA, 'noStream', [known()]);
    await log.forget('store-1', PHONE);
    await store.append(ASHA, 0, [known()]);
    expect(await phonesOf(store, ASHA)).to.deep.equal(['+999000000000', PHONE]);
    expect(await names()).to.have.length(1);
  });
});
