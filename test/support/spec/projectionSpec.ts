/**
 * Tests the documents that a projection produces from a history:
 *
 *     await projectionSpec(orders).given(placed(…), paid(…)).then({ 'order-1': { … } });
 *
 * Each specification also runs, automatically, in the build of the real runtime. The build stores the documents after
 * each event and continues from them. It also gets events once more, each one and all of them, as after a crash between
 * the documents and their checkpoint. All runs must produce the same documents.
 */
import { expect } from 'chai';
import type { DomainEvent } from '../../../domain/decider.js';
import type { DocumentStore, StoredDocument } from '../../../engine/ports/documents.js';
import { BEFORE_ALL, type Position, type RecordedEvent } from '../../../engine/ports/eventStore.js';
import { Build } from '../../../engine/projections/build.js';
import { pageOf } from '../../../engine/projections/page.js';
import {
  type AnyProjection,
  definitionOf,
  foldEvent,
  type Projection,
  type View,
} from '../../../engine/projections/projection.js';
import { WHOLE } from '../../../engine/projections/shardStates.js';
import { fakeClock } from '../doubles/fakeClock.js';
import { type Given, type HistoryOptions, recorded } from './givenEvents.js';
import { steppedReadModels, steppedStore } from './steppedReadModels.js';

type Documents<Body> = Readonly<Record<string, Body>>;

interface Outcome<Body> {
  /** Expects exactly these documents: bodies by id. */
  then(expected: Documents<object>): Promise<void>;
  /** Expects these documents among others, each with at least these members; `undefined`: no document has the id. */
  thenIncludes(expected: Documents<object | undefined>): Promise<void>;
  /** Expects exactly these documents: keys by id. */
  thenKeys(expected: Documents<object>): Promise<void>;
  /** Returns the documents, for looser expectations. */
  documents(): Promise<Documents<View<Body>>>;
}

export function projectionSpec<Body, E extends DomainEvent>(
  projection: Projection<Body, E>,
  options: HistoryOptions<E> = {},
): { given(...events: readonly Given<E>[]): Outcome<Body> } {
  return {
    given(...events) {
      const history = recorded(projection.categories, events, options);
      const checked = async (): Promise<Documents<View<Body>>> => {
        const whole = folded<Body>(projection, history);
        await sameHoweverRun(projection, history, whole);
        return whole;
      };
      return {
        // biome-ignore lint/suspicious/noThenProperty: given, then is how specs read; `given` answers nothing to await
        async then(expected) {
          expect(bodiesOf(await checked())).to.deep.equal(expected);
        },
        async thenIncludes(expected) {
          const found = bodiesOf(await checked());
          for (const [id, body] of Object.entries(expected))
            if (body === undefined) expect(found, 'the documents').not.to.have.property(id);
            else expect(found[id], id).to.deep.include(body);
        },
        async thenKeys(expected) {
          expect(keysOf(await checked())).to.deep.equal(expected);
        },
        documents: checked,
      };
    },
  };
}

const mapped = <A, B>(documents: Documents<A>, of: (one: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(documents).map(([id, one]) => [id, of(one)]));
const bodiesOf = <Body>(documents: Documents<View<Body>>) => mapped(documents, ({ body }) => body);
const keysOf = (documents: Documents<View<unknown>>) => mapped(documents, ({ keys }) => keys);

const named = ({ position, type }: RecordedEvent): string => `event ${position + 1} (${type})`;

/** Folds the history with the pure functions, on frozen documents. */
function folded<Body>(projection: AnyProjection, history: readonly RecordedEvent[]): Documents<View<Body>> {
  const views = new Map<string, View<Body> | undefined>();
  for (const event of history)
    try {
      for (const id of foldEvent(projection, views, event)) frozen(views.get(id));
    } catch (error) {
      throw new Error(`${named(event)}: ${(error as Error).message}`, { cause: error });
    }
  return Object.fromEntries([...views].filter((entry): entry is [string, View<Body>] => entry[1] !== undefined));
}

/** Freezes a document, so that a handler that changes it throws at once. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) frozen(member);
  }
  return value;
}

/** Returns a value as an engine would return it. */
const asJson = <T>(value: T): T => (value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T));

async function sameHoweverRun(
  projection: AnyProjection,
  history: readonly RecordedEvent[],
  whole: Documents<View<unknown>>,
): Promise<void> {
  const expected = asJson(whole);
  const compare = async (run: string, cut: number, from: Position) => {
    const found = await runTwice(projection, history, cut, from).catch((error: Error) => {
      throw new Error(`${run}: ${error.message}`, { cause: error });
    });
    expect(found, `${run}: the documents are others`).to.deep.equal(expected);
  };
  await compare('run by the runtime', history.length, history.length - 1);
  for (const [at, event] of history.entries()) {
    await compare(`cut before ${named(event)}`, at, at - 1);
    await compare(`with ${named(event)} delivered once more`, at + 1, at - 1);
    await compare(`with all up to ${named(event)} delivered once more`, at + 1, BEFORE_ALL);
  }
}

/** Writes the documents of the first `cut` events, then continues from them with the events after `from`. */
async function runTwice(
  projection: AnyProjection,
  history: readonly RecordedEvent[],
  cut: number,
  from: Position,
): Promise<Documents<unknown>> {
  const store = steppedStore();
  const models = asEngine(steppedReadModels(store, async () => undefined));
  const physical = `${projection.name}_v${projection.version}`;
  await models.open(definitionOf(projection, physical));
  for (const [owner, position, events] of [
    [1, BEFORE_ALL, history.slice(0, cut)],
    [2, from, history.filter((event) => event.position > from)],
  ] as const) {
    // A crash between the documents and their checkpoint leaves the previous checkpoint.
    store.checkpoints.set(physical, position);
    const parts = { readModels: models, eventStore: { readStream: reader(history) }, clock: fakeClock() };
    const lease = {
      name: projection.name,
      fence: owner,
      valid: () => true,
      isOwned: () => true,
      fenced: () => undefined,
    };
    const shards = [{ shard: WHOLE, lease, place: { position } }];
    const build = new Build(parts, { projection, physical, shards, isNew: owner === 1 });
    await build.fold(pageOf(events, { after: BEFORE_ALL }), events.at(-1)?.position ?? position);
    if (build.poison !== undefined) {
      const { position: at, error } = build.poison;
      throw new Error(`${named(history[at]!)}: ${error}`);
    }
    await build.flush('live');
  }
  const found = await models.find(physical, { limit: history.length * 1000 });
  return Object.fromEntries(found.map(({ id, keys, body }) => [id, { keys, body }]));
}

/** Returns bodies as JSON, as engines store them. */
const asEngine = (models: DocumentStore): DocumentStore => {
  const plain = <B>(document: StoredDocument<B>): StoredDocument<B> => ({ ...document, body: asJson(document.body) });
  return {
    ...models,
    async getMany<B>(...requested: Parameters<DocumentStore['getMany']>) {
      const found = await models.getMany<B>(...requested);
      return new Map([...found].map(([id, document]) => [id, plain(document)]));
    },
    find: async <B>(...requested: Parameters<DocumentStore['find']>) => (await models.find<B>(...requested)).map(plain),
  };
};

const reader =
  (history: readonly RecordedEvent[]) =>
  async (stream: string, { from = 0, limit = 500 }: { from?: number; limit?: number } = {}): Promise<RecordedEvent[]> =>
    history.filter((event) => event.stream === stream && event.revision >= from).slice(0, limit);
