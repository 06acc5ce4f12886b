import { expect } from 'chai';
import fc from 'fast-check';
import type { Holder, Lease } from '../../engine/ownership/lease.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { BEFORE_ALL, type RecordedEvent } from '../../engine/ports/eventStore.js';
import {
  type AnyProjection,
  defineProjection,
  type Evolve,
  foldEvent,
  type View,
} from '../../engine/projections/projection.js';
import { createProjectionRuntime, type ProjectionRuntime } from '../../engine/projections/runtime.js';
import { settle, until } from '../support/doubles/fakeClock.js';
import { type SteppedStore, steppedReadModels, steppedStore } from '../support/spec/steppedReadModels.js';
import {
  added,
  type BasketBody,
  type BasketEvent,
  baskets,
  closed,
  named,
  type Stage,
  stage,
  stock,
  waitingItems,
} from '../support/stages/projectionStage.js';

const both = [baskets(), stock];

/** Uses a document id of its own and requires the document: an event before the first or after a removal throws. */
const strict = defineProjection<BasketBody, BasketEvent>({
  ...baskets(),
  name: 'strict',
  on: Object.fromEntries(
    Object.entries(baskets().on).map(([type, evolve]) => [
      type,
      {
        ids: ({ streamId }: { streamId: string }) => [`the-${streamId}`],
        evolve(view: View<BasketBody> | undefined, event: never, id: string) {
          if (view === undefined && type !== 'ItemsAdded') throw new Error(`there is no ${id}`);
          return (evolve as Evolve<BasketBody, BasketEvent>)(view, event, id, undefined);
        },
      },
    ]),
  ),
});
const guarded = [stock, strict, waitingItems];

/** A process that owns all projections under its fence. It freezes after `budget` steps. */
interface Owner {
  readonly runtime: ProjectionRuntime;
  readonly holders: Map<string, Holder>;
  readonly fenced: Set<string>;
  /** Steps made so far. */
  readonly steps: string[];
  isStopped(): boolean;
  /** Freezes the owner after that many further steps. */
  stopAfter(steps: number): void;
  /** Wakes the owner, which then runs without a limit of steps. */
  wake(): void;
  begin(): Promise<void>;
}

function owner(
  { store: eventStore }: Stage,
  store: SteppedStore,
  projections: readonly AnyProjection[],
  fence: number,
  budget = Number.POSITIVE_INFINITY,
): Owner {
  const steps: string[] = [];
  const holders = new Map<string, Holder>();
  const fenced = new Set<string>();
  let wake: () => void = () => undefined;
  const awake = new Promise<void>((resolve) => {
    wake = resolve;
  });
  let most = budget;
  let isCurrent = false;
  let started: Promise<void> | undefined;
  const step = async (what: string): Promise<void> => {
    if (steps.length >= most) {
      isCurrent = true;
      await awake;
    }
    steps.push(what);
  };
  const models: DocumentStore = steppedReadModels(store, step);
  const leases = {
    hold: (name: string, holder: Holder) => void holders.set(name, holder),
    ownerOf: () => undefined,
  };
  const runtime = createProjectionRuntime({ eventStore, readModels: models, projections, leases, graceMs: 1 });
  return {
    runtime,
    holders,
    fenced,
    steps,
    isStopped: () => isCurrent,
    stopAfter(more) {
      most = steps.length + more;
    },
    wake() {
      most = Number.POSITIVE_INFINITY;
      isCurrent = false;
      wake();
    },
    begin() {
      started ??= beginAll();
      return started;
    },
  };

  async function beginAll(): Promise<void> {
    await runtime.start();
    await Promise.all(
      [...holders].map(([name, holder]) => {
        const lease: Lease = {
          name,
          fence,
          valid: () => true,
          isOwned: () => true,
          fenced() {
            fenced.add(name);
            void holder.lost('lost');
          },
        };
        return holder.acquired(lease);
      }),
    );
  }
}

/** Documents that the pure functions build from the log. */
async function expected(
  { store }: Stage,
  projections: readonly AnyProjection[] = guarded,
): Promise<Record<string, unknown>[]> {
  const { events } = await store.readAll(BEFORE_ALL, { limit: 1000 });
  return projections.map((projection) => {
    const views = new Map<string, View<unknown> | undefined>();
    for (const event of events as RecordedEvent[]) foldEvent(projection, views, event);
    return Object.fromEntries([...views].flatMap(([id, view]) => (view === undefined ? [] : [[id, view.body]])));
  });
}

async function found(
  store: SteppedStore,
  projections: readonly AnyProjection[] = guarded,
): Promise<Record<string, unknown>[]> {
  const models = steppedReadModels(store, async () => undefined);
  return Promise.all(
    projections.map(async ({ name }) =>
      Object.fromEntries((await models.find(name, { limit: 1 })).map((one) => [one.id, one.body])),
    ),
  );
}

/** Starts an owner if it is not running, and waits until it reaches the head or freezes. */
async function run(w: Stage, one: Owner, names = guarded.map(({ name }) => name)): Promise<void> {
  const began = one.begin();
  began.catch(() => undefined);
  const head = await w.store.head();
  let done = false;
  const all = began
    .then(() => one.runtime.waitFor(names, head, 5000))
    .then((reached) => {
      done = reached;
    });
  await until('it is done or stopped', () => done || one.isStopped());
  if (done) await all;
  await settle(2);
}

/** Waits until the rebuild serves and the previous build is removed, or the owner freezes. */
async function switchedOrExists(one: Owner): Promise<void> {
  const isRemoved = (): boolean => one.steps.includes('drop stock_v1');
  await until('it switches or is stopped', () => isRemoved() || one.isStopped());
}

const HISTORY: readonly (readonly [string, readonly BasketEvent[]])[] = [
  ['b1', [added(['tea', 2], ['milk', 1]), named('Ali')]],
  ['b3', [added(['salt', 1])]],
  ['b2', [added(['tea', 1]), closed, added(['salt', 4])]],
  ['b1', [added(['milk', 3]), closed]],
  ['b3', [named('Sara'), closed]],
];
/** Events after the first owner's end: counts continue, and documents that it may have removed come back. */
const LATER: typeof HISTORY = [
  ['b2', [added(['tea', 1], ['salt', 1])]],
  ['b3', [added(['milk', 2])]],
];

describe('takeover of a projection', () => {
  let w: Stage;
  let store: SteppedStore;
  const owners: Owner[] = [];
  const add = (fence: number, budget?: number): Owner => {
    const one = owner(w, store, guarded, fence, budget);
    owners.push(one);
    return one;
  };
  const clear = async (): Promise<void> => {
    for (const one of owners) one.wake();
    await Promise.all(owners.map(({ runtime }) => runtime.stop()));
    owners.length = 0;
  };
  beforeEach(async () => {
    w = await stage();
    store = steppedStore();
  });
  afterEach(async () => {
    await clear();
    await w.close();
  });

  const fill = async (history: typeof HISTORY): Promise<void> => {
    for (const [basket, events] of history) await w.append(basket, ...events);
  };

  it('produces the same documents wherever the previous owner stopped, and also when that one resumes', async () => {
    for (let budget = 0; ; budget++) {
      await clear();
      await w.close();
      w = await stage();
      store = steppedStore();
      const before = add(1, budget);
      // The first events have their checkpoint. The events after them are interrupted at some step.
      await fill(HISTORY.slice(0, 2));
      await run(w, before);
      await fill(HISTORY.slice(2));
      if (!before.isStopped()) await run(w, before);
      await fill(LATER);
      if (!before.isStopped()) await run(w, before);
      if (!before.isStopped()) break;
      await run(w, add(2));
      const whole = await expected(w);
      expect(await found(store), `stood still after ${budget} steps`).to.deep.equal(whole);
      const checkpoints = new Map(store.checkpoints);
      before.wake();
      await until('it has continued', () => before.steps.length > budget);
      await settle(20);
      expect(await found(store), `woke after ${budget} steps`).to.deep.equal(whole);
      for (const [name, position] of checkpoints) expect(store.checkpoints.get(name)).to.equal(position);
    }
    expect(await found(store)).to.deep.equal(await expected(w));
  });

  it('continues a rebuild wherever the previous owner stopped, and is not undone when that one resumes', async () => {
    let isOver = false;
    for (let budget = 1; !isOver; budget++) {
      await clear();
      await w.close();
      w = await stage();
      store = steppedStore();
      await fill(HISTORY);
      const before = add(1);
      await run(w, before);
      before.stopAfter(budget);
      before.runtime.rebuild('stock').catch(() => undefined);
      await switchedOrExists(before);
      isOver = !before.isStopped();
      await fill(LATER);
      const after = add(2);
      await run(w, after);
      await until('all serve', async () => (await after.runtime.status()).every(({ state }) => state === 'live'));
      const whole = await expected(w);
      expect(await found(store), `stood still after ${budget} steps`).to.deep.equal(whole);
      before.wake();
      await until('it is notified', () => before.fenced.has('projection:stock'));
      await settle(20);
      expect(await found(store), `woke after ${budget} steps`).to.deep.equal(whole);
    }
    expect(store.aliases.get('stock')).to.equal('stock_v1_r1');
  });

  it('stops the previous owner silently when it writes', async () => {
    await fill(HISTORY);
    const before = add(1);
    await run(w, before);
    await run(w, add(2));
    await fill(LATER);
    await until('it is notified', () => before.fenced.size === guarded.length);
    await until('it is cleared', async () =>
      (await before.runtime.status()).every(({ state }) => state === 'elsewhere'),
    );
  });

  it('does not restore removed documents when a late write of the previous owner arrives', async () => {
    await w.append('b1', added(['tea', 1]));
    await run(w, add(1));
    const late = steppedReadModels(store, async () => undefined);
    await clear();
    const position = await w.append('b9', added(['tea', 1]));
    await w.append('b9', closed);
    await run(w, add(2));
    const gone = { id: 'the-b9', keys: { quantity: 1 }, body: { name: '', quantity: 1 }, revision: position };
    await late.write({ strict_v1: { put: [gone] } });
    expect(await found(store)).to.deep.equal(await expected(w));
  });

  it('produces the same documents for any history and any sequence of owners that stop or freeze', () => {
    const names = both.map(({ name }) => name);
    const event: fc.Arbitrary<BasketEvent> = fc.oneof(
      fc
        .array(fc.tuple(fc.constantFrom('tea', 'milk'), fc.integer({ min: 1, max: 9 })), { maxLength: 2 })
        .map((items) => added(...items)),
      fc.constantFrom('Ali', 'Sara').map(named),
      fc.constant(closed),
    );
    const part = fc.array(fc.tuple(fc.constantFrom('b1', 'b2'), fc.array(event, { minLength: 1, maxLength: 3 })), {
      minLength: 1,
      maxLength: 5,
    });
    return fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(part, fc.integer({ min: 0, max: 25 }), fc.boolean()), { minLength: 1, maxLength: 4 }),
        async (owned) => {
          const own = await stage();
          const mine: Owner[] = [];
          const retained = steppedStore();
          const start = (budget?: number): Owner => {
            const one = owner(own, retained, both, mine.length + 1, budget);
            mine.push(one);
            return one;
          };
          try {
            for (const [history, budget, wakes] of owned) {
              for (const [basket, events] of history) await own.append(basket, ...events);
              const one = start(budget);
              await run(own, one, names);
              // Some wake at once, concurrently with the next owner. The others wake later, concurrently with the last
              // owner.
              if (wakes) setImmediate(() => one.wake());
            }
            await run(own, start(), names);
            for (const one of mine) one.wake();
            await settle(20);
            await run(own, start(), names);
            expect(await found(retained, both)).to.deep.equal(await expected(own, both));
          } finally {
            for (const one of mine) one.wake();
            await Promise.all(mine.map(({ runtime }) => runtime.stop()));
            await own.close();
          }
        },
      ),
      { numRuns: 40 },
    );
  }).timeout(120_000);
});
