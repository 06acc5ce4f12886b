/** The document store as a process sees it: the port over a wire. */
import type {
  Checkpoint,
  Claimed,
  DocumentStore,
  Fence,
  OneWrite,
  StoredDocument,
  WriteBatch,
} from '../../../engine/ports/documents.js';
import type { Wire } from '../world/wire.js';
import { find, matches, type StoredRow, storedOf } from './collection.js';
import type { DocumentState } from './documentState.js';

type Batches = Readonly<Record<string, WriteBatch>>;
type Places = readonly (Checkpoint | Fence)[];

const isFence = (one: Checkpoint | Fence): one is Fence => one.fence !== undefined;
const isCheckpoint = (one: Checkpoint | Fence): one is Checkpoint => 'position' in one;
const nothing = (): void => undefined;

/** Writes all batches in one transaction. */
function writeAtOnce(state: DocumentState, batches: Batches, places: Places): void {
  const undos: (() => void)[] = [];
  try {
    state.checkFences(places);
    for (const [name, batch] of Object.entries(batches)) {
      const changes = state.plan(name, batch);
      state.refuseTaken(name, changes);
      for (const retained of changes) undos.push(state.apply(name, retained));
    }
    for (const place of places.filter(isCheckpoint)) undos.push(state.move(place));
  } catch (error) {
    for (const undo of undos.reverse()) undo();
    throw error;
  }
  state.record(...undos);
}

interface Plan {
  readonly name: string;
  readonly guard: Fence | undefined;
  readonly changes: readonly StoredRow[];
}

/** Applies some changes of one collection in order, each as a separate step. */
function apply(
  state: DocumentState,
  { call }: Wire,
  { name, guard }: Plan,
  changes: readonly StoredRow[],
): Promise<void> {
  if (changes.length === 0) return Promise.resolve();
  const parts = changes.map((retained) => () => void state.apply(name, retained, guard));
  const what = `put ${name} ${changes.map(({ id, revision }) => `${id}@${revision}`).join(' ')}`;
  return call({ what, changes: true, parts, run: nothing });
}

/** Resolves when all promises have settled. Rejects with the first error. */
async function all(works: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(works)) if (outcome.status === 'rejected') throw outcome.reason;
}

/** Checks the fences, puts documents, removes documents, and finally moves the checkpoints. */
async function writeInSteps(state: DocumentState, wire: Wire, writes: readonly OneWrite[]): Promise<void> {
  const plans = writes.flatMap(({ batches, checkpoints }) => {
    const fences = checkpoints.filter(isFence);
    return Object.entries(batches).map(([name, batch]): Plan => {
      const guard = fences.find((one) => one.name === name) ?? fences[0];
      return { name: state.resolve(name), guard, changes: state.plan(name, batch, guard) };
    });
  });
  const places = writes.flatMap(({ checkpoints }) => checkpoints);
  const changes = plans.flatMap((plan) => plan.changes);
  state.unended.add(changes);
  try {
    await applyAll(state, wire, plans, places);
  } finally {
    state.unended.delete(changes);
  }
}

async function applyAll(state: DocumentState, wire: Wire, plans: readonly Plan[], places: Places): Promise<void> {
  const { call } = wire;
  await call({ what: 'check', changes: false, run: () => state.checkFences(places) });
  for (const { name, changes } of plans)
    if (state.of(name).shape.indexes.some(({ unique }) => unique))
      await call({ what: `check ${name}`, changes: false, run: () => state.refuseTaken(name, changes) });
  for (const isRemoval of [false, true])
    await all(
      plans.map((plan) =>
        apply(
          state,
          wire,
          plan,
          plan.changes.filter(({ json }) => (json === undefined) === isRemoval),
        ),
      ),
    );
  const moves = places.filter(isCheckpoint);
  if (moves.length === 0) return;
  const parts = moves.map((place) => () => void state.move(place));
  const what = `move ${moves.map(({ name, position }) => `${name}@${position}`).join(' ')}`;
  await call({ what, changes: true, parts, run: nothing });
}

/** Claims the name first, then the documents under it. */
async function claim(state: DocumentState, { call }: Wire, fence: Fence, claimed: readonly Claimed[]) {
  const what = `claim ${fence.name} ${fence.fence}`;
  const position = await call({
    what,
    changes: true,
    run() {
      const undo = state.raise(fence);
      state.record(undo);
      return state.position(fence.name);
    },
  });
  if (state.by === 'steps')
    for (const one of claimed) {
      const { collection, where } = typeof one === 'string' ? { collection: one, where: {} } : one;
      await call({ what: `mark ${collection}`, changes: true, run: () => state.take(collection, where, fence) });
    }
  return position;
}

export function documentStore(state: DocumentState, wire: Wire): DocumentStore {
  const request = <T>(what: string, run: () => T): Promise<T> => wire.call({ what, changes: false, run });
  const change = <T>(what: string, run: () => T): Promise<T> => wire.call({ what, changes: true, run });
  return {
    open: (definition, { indexes = 'now' } = {}) =>
      change(`open ${definition.name}`, () => state.open(definition, indexes === 'now')),
    buildIndexes: (name) => change(`index ${name}`, () => state.buildIndexes(name)),
    drop: (name) => change(`drop ${name}`, () => state.drop(name)),
    list: () => request('list', () => state.list()),
    get: <B>(name: string, id: string) =>
      request(`get ${name}`, () => {
        const retained = state.of(name).documents.get(id);
        return retained?.json === undefined ? undefined : storedOf<B>(retained);
      }),
    getMany: <B>(name: string, ids: readonly string[], { removed = false }: { readonly removed?: boolean } = {}) =>
      request(`get ${name}`, () => {
        const found = new Map<string, StoredDocument<B>>();
        const { documents } = state.of(name);
        for (const id of ids) {
          const retained = documents.get(id);
          if (retained !== undefined && (removed || retained.json !== undefined))
            found.set(id, storedOf<B>(retained, retained.json === undefined));
        }
        return found;
      }),
    find: (name, query) => request(`find ${name}`, () => find(state.of(name), query)),
    count: (name, where, limit) => request(`count ${name}`, () => matches(state.of(name), where, limit).length),
    async write(batches, ...places) {
      if (state.by === 'steps') return writeInSteps(state, wire, [{ batches, checkpoints: places }]);
      return change('write', () => writeAtOnce(state, batches, places));
    },
    ...(state.by === 'steps' && { writeAll: (writes: readonly OneWrite[]) => writeInSteps(state, wire, writes) }),
    checkpoint: (name) => request('checkpoint', () => state.position(name)),
    checkpoints: (names) => request('checkpoints', () => new Map(names.map((name) => [name, state.position(name)]))),
    marks: (names) =>
      request('marks', () => {
        const found = names.map((name) => [name, state.mark(name)] as const);
        return new Map(found.flatMap(([name, mark]) => (mark === undefined ? [] : [[name, mark]])));
      }),
    dropAlias: (name, collection) => change(`drop alias ${name}`, () => state.dropAlias(name, collection)),
    claim: (fence, claimed = []) => claim(state, wire, fence, claimed),
    dropCheckpoint: (name) => change(`forget ${name}`, () => state.record(state.forget(name))),
    insert: (name, document) => change(`insert ${name} ${document.id}`, () => state.insert(name, document)),
    replace: (name, expected, document) =>
      change(`replace ${name} ${document.id} ${expected}`, () => state.replace(name, expected, document)),
    removeWhere: (name, where, limit) => change(`remove ${name}`, () => state.removeWhere(name, where, limit)),
    setAlias: (name, collection) => change(`alias ${name} ${collection}`, () => state.setAlias(name, collection)),
    resolve: (name) => request(`resolve ${name}`, () => state.resolve(name)),
    close: async () => undefined,
  };
}
