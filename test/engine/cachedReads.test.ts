/** Cached documents: read once, and never returned as they were before an acknowledged change. */
import { expect } from 'chai';
import { cachedReads } from '../../engine/projections/cachedReads.js';
import type { Reads } from '../../engine/projections/reads.js';
import { openStage, type Stage } from '../support/stages/stage.js';
import { until } from '../support/tools/until.js';
import { giftCard, giftCards, issue, redeem } from './giftCards.js';

const ASHA = 'asha';
const BILE = 'bile';

type Decision = ReturnType<typeof issue> | ReturnType<typeof redeem>;

describe('cached documents', () => {
  let stage: Stage;
  let reads: Reads;
  /** Ids of each query. */
  let requested: (readonly string[])[];
  let done = 0;

  /** The first part of a card's id names its store. */
  const storeOf = (id: string): string => id.split('.')[0]!;
  const change = async (id: string, decision: Decision) => {
    done += 1;
    const context = {
      commandId: `00000000-0000-4000-8000-${String(done).padStart(12, '0')}`,
      actor: { type: 'system' },
      correlationId: 'test',
      workspaceId: storeOf(id),
    } as const;
    const { position } = await stage.commands.decide(context, giftCard, id, decision);
    stage.acknowledged!.add([storeOf(id)], 'giftCard', { position: position!, events: 1 });
  };
  const issued = (id: string, cents: number) => change(id, issue(cents, 'a@example.com'));
  const redeemed = (id: string, order: string, cents: number) => change(id, redeem(order, cents));
  const balances = async (store: string, ...ids: string[]) => {
    const found = await reads.within!({ scopes: [store] }).getMany(giftCards, ids);
    return ids.map((id) => found.get(id)?.body.balanceCents);
  };

  beforeEach(async () => {
    stage = await openStage('remembered', { projections: [giftCards], readsWait: { withinMs: 10_000 } });
    requested = [];
    const counted = (plain: Reads): Reads => ({
      ...{ get: plain.get.bind(plain), find: plain.find.bind(plain), count: plain.count.bind(plain) },
      getMany(projection, ids) {
        requested.push(ids);
        return plain.getMany(projection, ids);
      },
      within: (wait) => counted(plain.within!(wait)),
    });
    const { changes, acknowledged } = stage;
    reads = cachedReads(counted(stage.reads), {
      ...{ changes, acknowledged: acknowledged!, tenantOf: { [giftCards.name]: storeOf } },
    });
    await issued('asha.1', 500);
    await issued('asha.2', 700);
    await issued('bile.1', 900);
    await stage.shown();
  });
  afterEach(() => stage.close());

  it('are read once, including missing ones', async () => {
    expect(await balances(ASHA, 'asha.1', 'asha.3')).to.deep.equal([500, undefined]);
    expect(await balances(ASHA, 'asha.1', 'asha.2', 'asha.3')).to.deep.equal([500, 700, undefined]);
    expect(requested).to.deep.equal([['asha.1', 'asha.3'], ['asha.2']]);
    expect((await reads.get(giftCards, 'asha.2'))?.body.balanceCents).to.equal(700);
    expect(requested).to.have.length(2);
  });

  it('are read again when something in their store has changed, and only then', async () => {
    await balances(ASHA, 'asha.1', 'asha.3');
    await balances(BILE, 'bile.1');
    await redeemed('asha.1', 'an order', 200);
    await issued('asha.3', 100);
    await stage.shown();
    requested = [];
    expect(await balances(ASHA, 'asha.1', 'asha.3')).to.deep.equal([300, 100]);
    expect(await balances(BILE, 'bile.1')).to.deep.equal([900]);
    expect(requested).to.deep.equal([['asha.1', 'asha.3']]);
  });

  it('wait for an acknowledged change, without delaying other stores', async () => {
    await balances(ASHA, 'asha.1');
    await balances(BILE, 'bile.1');
    const release = stage.holdViews();
    await redeemed('asha.1', 'an order', 200);
    const waiting = balances(ASHA, 'asha.1');
    expect(await balances(BILE, 'bile.1')).to.deep.equal([900]);
    release();
    expect(await waiting).to.deep.equal([300]);
  });

  it('are dropped when their view is rebuilt', async () => {
    await balances(ASHA, 'asha.1');
    await stage.projections.rebuild(giftCards.name);
    await until('built', async () => (await stage.projections.status()).every(({ state }) => state === 'live'));
    requested = [];
    expect(await balances(ASHA, 'asha.1')).to.deep.equal([500]);
    expect(requested).to.deep.equal([['asha.1']]);
  });

  it('are not cached for callers that read many at once', async () => {
    const many = Array.from({ length: 101 }, (_, n) => `asha.${n}`);
    await balances(ASHA, ...many);
    await balances(ASHA, ...many);
    expect(requested).to.have.length(2);
  });
});
