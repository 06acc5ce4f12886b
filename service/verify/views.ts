/** Whether every document of every read model is what a fresh fold of the log makes. */
import type { DocumentStore, StoredDocument } from '../../engine/ports/documents.js';
import { BEFORE_ALL, type Position } from '../../engine/ports/eventStore.js';
import { findBuilds } from '../../engine/projections/builds.js';
import type { AnyProjection } from '../../engine/projections/projection.js';
import { createProjectionRuntime, type ProjectionRuntime } from '../../engine/projections/runtime.js';
import type { ProjectionStatus } from '../../engine/projections/status.js';
import type { EventReads } from '../../engine/upcasting.js';
import type { Run } from '../backup/progress.js';
import { boundedLog } from './boundedLog.js';
import type { Faults } from './faults.js';

export interface ViewsChecked {
  /** Documents that were found equal. */
  readonly documents: number;
  /** Documents that changed while they were looked at, each time. */
  readonly moving: number;
  /** Documents that the views have not come to yet. */
  readonly behind: number;
  /** Read models that were not compared, and why. */
  readonly left: readonly { readonly name: string; readonly why: string }[];
}

interface Parts {
  readonly log: EventReads;
  readonly views: DocumentStore;
  /** Where the fresh fold is made: an empty store. */
  readonly scratch: DocumentStore;
  readonly projections: readonly AnyProjection[];
  /**
   * Where somebody keeps the views just now: how far they are, by name. Their checkpoints are written lazily while no document
   * changes, so these say less.
   */
  readonly kept?: () => Promise<ReadonlyMap<string, Position>>;
}

const PAGE = 200;
const LOOK_MS = 50;
/** Longest wait for views that are kept to come to the log's head, in ms; what is behind then is not compared. */
const VIEWS_MS = 10_000;
/** Times that documents are compared again which changed meanwhile. */
const ROUNDS = 5;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** One document on both sides. */
interface Pair {
  readonly id: string;
  readonly is: StoredDocument | undefined;
  readonly fresh: StoredDocument | undefined;
}

const keysText = ({ keys }: StoredDocument): string =>
  JSON.stringify(
    Object.entries(keys)
      .filter(([, value]) => value !== null)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

const areEqual = (is: StoredDocument, fresh: StoredDocument): boolean =>
  is.json === fresh.json && keysText(is) === keysText(fresh);

/** Where both sides stand. */
interface Places {
  /** Of the fresh fold. */
  readonly fresh: Position;
  /** The views' checkpoint, from before they were read. */
  readonly is: Position;
}

/** What a pair says: `wrong` only where both sides have taken in the same events. */
function judge({ is, fresh }: Pair, places: Places): 'equal' | 'moving' | 'behind' | string {
  if (is !== undefined && is.revision > places.fresh) return 'moving';
  if (fresh === undefined) return is === undefined ? 'equal' : 'it should not be there';
  if (is !== undefined && areEqual(is, fresh)) return 'equal';
  if (fresh.revision > places.is) return 'behind';
  return is === undefined ? 'it is missing' : `it differs: ${difference(is.json, fresh.json)}`;
}

const AROUND = 30;

function difference(is: string, fresh: string): string {
  let at = 0;
  while (at < is.length && is[at] === fresh[at]) at += 1;
  const from = Math.max(0, at - AROUND);
  const part = (text: string): string => JSON.stringify(text.slice(from, at + AROUND));
  return is === fresh ? 'its keys are others' : `from character ${at} on, ${part(is)} instead of ${part(fresh)}`;
}

/** All documents of both sides, by id in the order of UTF-8. */
async function* pairs(views: DocumentStore, scratch: DocumentStore, name: string): AsyncGenerator<Pair> {
  const [left, right] = [documents(views, name), documents(scratch, name)];
  let [is, fresh] = [await left.next(), await right.next()];
  while (!is.done || !fresh.done) {
    const order = is.done ? 1 : fresh.done ? -1 : Buffer.compare(Buffer.from(is.value.id), Buffer.from(fresh.value.id));
    const pair = {
      id: order <= 0 ? is.value!.id : fresh.value!.id,
      is: order <= 0 ? is.value! : undefined,
      fresh: order >= 0 ? fresh.value! : undefined,
    };
    yield pair;
    if (order <= 0) is = await left.next();
    if (order >= 0) fresh = await right.next();
  }
}

async function* documents(store: DocumentStore, name: string): AsyncGenerator<StoredDocument, undefined> {
  for (let after: string | undefined; ; ) {
    const page = await store.find(name, { limit: PAGE, ...(after === undefined ? {} : { after: [after] }) });
    yield* page;
    if (page.length < PAGE) return undefined;
    after = page.at(-1)!.id;
  }
}

/** Compares read model by read model. Memory: a page of each side, and the ids of documents that moved. */
class Comparing {
  equal = 0;
  behind = 0;
  /** By name, the ids of documents that changed while they were looked at. */
  moving = new Map<string, string[]>();
  readonly #parts: Parts;
  readonly #faults: Faults;

  constructor(parts: Parts, faults: Faults) {
    this.#parts = parts;
    this.#faults = faults;
  }

  async all(name: string, places: Places, signal: AbortSignal): Promise<void> {
    for await (const pair of pairs(this.#parts.views, this.#parts.scratch, name)) {
      signal.throwIfAborted();
      this.#take(name, pair, places, false);
    }
  }

  /** Those that moved, once more. */
  async again(placesOf: (name: string) => Promise<Places>): Promise<void> {
    const { views, scratch } = this.#parts;
    const before = this.moving;
    this.moving = new Map();
    for (const [name, ids] of before) {
      const places = await placesOf(name);
      for (const pair of await pairsOf(views, scratch, name, ids)) this.#take(name, pair, places, true);
    }
  }

  #take(name: string, pair: Pair, places: Places, again: boolean): void {
    const verdict = judge(pair, places);
    if (verdict === 'equal') this.equal += 1;
    // Where somebody writes, what looks wrong may have been on its way.
    else if (
      verdict === 'moving' ||
      (again ? verdict === 'behind' : verdict !== 'behind' && this.#parts.kept !== undefined)
    )
      this.moving.set(name, [...(this.moving.get(name) ?? []), pair.id]);
    else if (verdict === 'behind') this.behind += 1;
    else this.#faults.add('projections', `${name} ${pair.id}`, verdict);
  }
}

/** Compares all of them: first as they stand, then again what has changed meanwhile. */
export async function checkViews(parts: Parts, head: Position, faults: Faults, run: Run): Promise<ViewsChecked> {
  const { scratch, kept } = parts;
  const left: { name: string; why: string }[] = [];
  const compared = await served(parts, left);
  const log = boundedLog(parts.log, head);
  const runtime = createProjectionRuntime({
    eventStore: log,
    readModels: scratch,
    projections: compared,
    unattended: true,
  });
  const comparing = new Comparing(parts, faults);
  try {
    await runtime.start();
    const stops = await folded(runtime, run, head);
    for (const { name, poison } of stops.values())
      faults.add(
        'projections',
        name,
        `it stops at position ${poison!.position} (${poison!.type} ${poison!.eventId}): ${poison!.error}`,
      );
    for (const [index, { name }] of compared.entries()) {
      const fresh = (stops.get(name)?.poison?.position ?? head + 1) - 1;
      await comparing.all(name, { fresh, is: await placeOf(parts, name, head) }, run.signal);
      run.tell({ phase: 'projections', share: (index + 1) / compared.length, done: name });
    }
    // What has stopped stands still: its newer documents are known to be beyond what can be folded.
    for (const name of stops.keys()) comparing.moving.delete(name);
    for (let round = 0; round < ROUNDS && comparing.moving.size > 0 && kept !== undefined; round += 1) {
      const end = await parts.log.head();
      log.moveTo(end);
      await folded(runtime, run, end);
      await comparing.again(async (name) => ({ fresh: end, is: await placeOf(parts, name, end) }));
    }
  } finally {
    await runtime.stop();
  }
  const { equal, behind, moving } = comparing;
  return { documents: equal, moving: [...moving.values()].flat().length, behind, left };
}

/** Those that queries read in this release's version. */
async function served({ views, projections }: Parts, left: { name: string; why: string }[]): Promise<AnyProjection[]> {
  const collections = await views.list();
  const able: AnyProjection[] = [];
  for (const projection of projections) {
    const { served: build } = await findBuilds(views, projection, collections);
    const { name, version } = projection;
    if (build === undefined) left.push({ name, why: 'it has not been built yet' });
    else if (build.version !== version)
      left.push({ name, why: `version ${build.version} serves, and this release makes version ${version}` });
    else able.push(projection);
  }
  return able;
}

/** Waits until the fresh fold has come to the end; answers those that an event stopped, by name. */
async function folded(
  runtime: ProjectionRuntime,
  { tell, signal }: Run,
  end: Position,
): Promise<Map<string, ProjectionStatus>> {
  for (;;) {
    signal.throwIfAborted();
    const status = await runtime.status();
    const share =
      status.reduce((sum, { position }) => sum + (position + 1) / (end + 1), 0) / Math.max(1, status.length);
    tell({ phase: 'fresh fold', share: Math.min(1, share) });
    const goesOn = ({ poison, state, position }: ProjectionStatus): boolean =>
      poison === undefined && (state !== 'live' || position < end);
    if (!status.some(goesOn))
      return new Map(status.filter(({ poison }) => poison !== undefined).map((one) => [one.name, one]));
    await pause(LOOK_MS);
  }
}

/** How far the views are: the checkpoint, or what is said by those who keep them, who are waited for a while. */
async function placeOf({ views, kept }: Parts, name: string, end: Position): Promise<Position> {
  if (kept === undefined) return views.checkpoint(await views.resolve(name));
  const deadline = performance.now() + VIEWS_MS;
  for (;;) {
    const position = (await kept()).get(name) ?? BEFORE_ALL;
    if (position >= end || performance.now() > deadline) return position;
    await pause(LOOK_MS);
  }
}

async function pairsOf(
  views: DocumentStore,
  scratch: DocumentStore,
  name: string,
  ids: readonly string[],
): Promise<Pair[]> {
  const all: Pair[] = [];
  for (let i = 0; i < ids.length; i += PAGE) {
    const part = ids.slice(i, i + PAGE);
    const [is, fresh] = [await views.getMany(name, part), await scratch.getMany(name, part)];
    for (const id of part) all.push({ id, is: is.get(id), fresh: fresh.get(id) });
  }
  return all;
}
