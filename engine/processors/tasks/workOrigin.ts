/**
 * Link between the work database and its log. It is noted when both begin, so that a log without its work, or older
 * than its work, is detected before any task is repeated or skipped.
 */
import { placeInLog, REPLICA_MS } from '../../logPlaces.js';
import type { Checkpoints, CollectionDefinition, Collections, Documents } from '../../ports/documents.js';
import { BEFORE_ALL, type EventMark, type EventStore, type LogPlace } from '../../ports/eventStore.js';
import { type StoredWork, tasksCollection, workIn } from './workPlaces.js';

/** One document. */
export const workOrigin: CollectionDefinition = { name: 'workOrigin', keys: {}, indexes: [] };
const { name: collection } = workOrigin;
const ID = 'origin';

type Work = Documents & Checkpoints & Collections;
type ReadLog = Pick<EventStore, 'readStream' | 'head' | 'exact'>;

/**
 * `begun`: the work exists since the log's first event. `carried`: it was moved here with its log. `settled`: no task
 * of events up to `place` is pending, except for those that processors derive again. `unfinished`: a move or settlement
 * is in progress.
 */
export type Origin =
  | { readonly kind: 'begun' | 'carried' | 'unfinished' }
  | { readonly kind: 'settled'; readonly place: LogPlace };

/** Result of the check that work and log belong together, with the reason if they do not. */
export type WorkState =
  | { readonly fits: true; readonly origin: Origin | undefined }
  /** `unfinished`: a move or settlement was interrupted. */
  | { readonly fits: false; readonly code: 'work_is_missing'; readonly unfinished: boolean }
  /** The processor has read an event that the log lacks. `mark` is absent if only its position is known. */
  | { readonly fits: false; readonly code: 'log_is_older'; readonly processor: string; readonly mark?: EventMark };

/** Reads the origin. Changes nothing: the documents may be open for reading only. */
export async function readOrigin(work: Pick<Work, 'list' | 'get'>): Promise<Origin | undefined> {
  if (!(await work.list()).includes(collection)) return undefined;
  return (await work.get<Origin>(collection, ID))?.body;
}

/** Stores the origin. It replaces the previous one. */
export async function noteOrigin(work: Pick<Work, 'open' | 'get' | 'write'>, body: Origin): Promise<void> {
  await work.open(workOrigin);
  const before = await work.get(collection, ID);
  const put = [{ id: ID, keys: {}, revision: (before?.revision ?? 0) + 1, body }];
  await work.write({ [collection]: { put } });
}

/** Returns processors that have read events this log lacks. `most`: maximum number to find. */
async function strangers(
  log: ReadLog,
  work: Work,
  most = Number.POSITIVE_INFINITY,
): Promise<(StoredWork & { readonly mark?: EventMark | undefined })[]> {
  const found = [];
  for (const stored of workIn(await work.list())) {
    const names = stored.places.map(({ checkpoint }) => checkpoint);
    const [positions, marks] = await Promise.all([work.checkpoints(names), work.marks(names)]);
    // Only the shard with the highest position is checked: a log with that event has the earlier ones too.
    const first = names.reduce((a, b) => (positions.get(b)! > positions.get(a)! ? b : a));
    const place = { position: positions.get(first) ?? BEFORE_ALL, mark: marks.get(first) };
    const inLog = await placeInLog(log, place, found.length === 0 ? REPLICA_MS : 0);
    if (!inLog.isValid) found.push({ ...stored, mark: inLog.mark });
    if (found.length === most) break;
  }
  return found;
}

/** Checks that the work belongs to this log. Changes nothing. */
export async function judgeWork(log: ReadLog, work: Work): Promise<WorkState> {
  // The head is read first: a process notes the origin before it appends the first event.
  const head = await log.head();
  const origin = await readOrigin(work);
  if (origin?.kind === 'unfinished') return { fits: false, code: 'work_is_missing', unfinished: true };
  const [stranger] = await strangers(log, work, 1);
  if (stranger !== undefined)
    return {
      fits: false,
      code: 'log_is_older',
      processor: stranger.processor,
      ...(stranger.mark && { mark: stranger.mark }),
    };
  // Older work without an origin is recognised by the positions of its processors.
  if (origin === undefined && head !== BEFORE_ALL && workIn(await work.list()).length === 0)
    return { fits: false, code: 'work_is_missing', unfinished: false };
  return { fits: true, origin };
}

/** Checks the work before anything is read or done. Work without an origin that fits is noted as this log's. */
export async function checkWork(log: ReadLog, work: Work): Promise<WorkState> {
  const state = await judgeWork(log, work);
  if (!state.fits || state.origin !== undefined) return state;
  await work.open(workOrigin);
  await work.insert(collection, { id: ID, keys: {}, revision: 1, body: { kind: 'begun' } satisfies Origin });
  return state;
}

/**
 * Settles all earlier work at an operator's request. `record` stores the settlement in the log and returns its place. A
 * processor that does not fit the log continues after that place without its tasks, except for those that it derives
 * again (Processor.derivable). `forgotten`: collections of the previous log, to be dropped. Can be called again after
 * an interruption. Returns the processors that start over.
 */
export async function settleWork(
  log: ReadLog,
  work: Work,
  record: (processors: readonly string[]) => Promise<LogPlace>,
  forgotten: readonly string[],
): Promise<{ readonly place: LogPlace; readonly processors: readonly string[] }> {
  const found = await strangers(log, work);
  await noteOrigin(work, { kind: 'unfinished' });
  const processors = found.map(({ processor }) => processor);
  const place = await record(processors);
  for (const { processor, collection: tasks, places } of found) {
    await work.dropAlias(tasksCollection(processor), tasks);
    await work.drop(tasks);
    for (const { checkpoint } of places) await work.dropCheckpoint(checkpoint);
  }
  const there = new Set(await work.list());
  for (const name of found.length > 0 ? forgotten : []) if (there.has(name)) await work.drop(name);
  await noteOrigin(work, { kind: 'settled', place });
  return { place, processors };
}
