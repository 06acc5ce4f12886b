/**
 * What the work knows of the log that it belongs to: noted when both begin, so that a log without its work, or one that is
 * older than its work, is found before anything is done again or left out.
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
 * `begun`: it has been there since the log's first event. `carried`: it came with its log from elsewhere. `settled`: nothing
 * that happened up to `place` is owed, but for what processors derive again. `unfinished`: being carried or settled.
 */
export type Origin =
  | { readonly kind: 'begun' | 'carried' | 'unfinished' }
  | { readonly kind: 'settled'; readonly place: LogPlace };

/** Whether work and log fit together; otherwise why not. */
export type WorkState =
  | { readonly fits: true; readonly origin: Origin | undefined }
  /** `unfinished`: a move, or a settlement, was broken off. */
  | { readonly fits: false; readonly code: 'work_is_missing'; readonly unfinished: boolean }
  /** The processor has read an event that the log does not hold; `mark` is absent where only its place is known. */
  | { readonly fits: false; readonly code: 'log_is_older'; readonly processor: string; readonly mark?: EventMark };

/** Changes nothing: the documents may have been opened for reading only. */
export async function readOrigin(work: Pick<Work, 'list' | 'get'>): Promise<Origin | undefined> {
  if (!(await work.list()).includes(collection)) return undefined;
  return (await work.get<Origin>(collection, ID))?.body;
}

/** What is said last holds. */
export async function noteOrigin(work: Pick<Work, 'open' | 'get' | 'write'>, body: Origin): Promise<void> {
  await work.open(workOrigin);
  const before = await work.get(collection, ID);
  const put = [{ id: ID, keys: {}, revision: (before?.revision ?? 0) + 1, body }];
  await work.write({ [collection]: { put } });
}

/** The processors that have come to where this log does not go. `most`: no more than so many are looked for. */
async function strangers(
  log: ReadLog,
  work: Work,
  most = Number.POSITIVE_INFINITY,
): Promise<(StoredWork & { readonly mark?: EventMark | undefined })[]> {
  const found = [];
  for (const stored of workIn(await work.list())) {
    const names = stored.places.map(({ checkpoint }) => checkpoint);
    const [positions, marks] = await Promise.all([work.checkpoints(names), work.marks(names)]);
    // Of its shards the one that has come furthest: where the log holds that event, it holds those before.
    const first = names.reduce((a, b) => (positions.get(b)! > positions.get(a)! ? b : a));
    const place = { position: positions.get(first) ?? BEFORE_ALL, mark: marks.get(first) };
    const inLog = await placeInLog(log, place, found.length === 0 ? REPLICA_MS : 0);
    if (!inLog.holds) found.push({ ...stored, mark: inLog.mark });
    if (found.length === most) break;
  }
  return found;
}

/** Whether the work belongs to this log. Changes nothing. */
export async function judgeWork(log: ReadLog, work: Work): Promise<WorkState> {
  // In this order: whoever appends the first event has noted the origin before.
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
  // Work from before its origin was noted is known by what its processors have read.
  if (origin === undefined && head !== BEFORE_ALL && workIn(await work.list()).length === 0)
    return { fits: false, code: 'work_is_missing', unfinished: false };
  return { fits: true, origin };
}

/** The same, before anything is read or done: work that begins with an empty log, or fits, is noted as this log's. */
export async function checkWork(log: ReadLog, work: Work): Promise<WorkState> {
  const state = await judgeWork(log, work);
  if (!state.fits || state.origin !== undefined) return state;
  await work.open(workOrigin);
  await work.insert(collection, { id: ID, keys: {}, revision: 1, body: { kind: 'begun' } satisfies Origin });
  return state;
}

/**
 * Nothing that happened up to now is owed, on somebody's word: `record` keeps that in the log and answers its place. A
 * processor that the log does not know goes on behind it, without the tasks that it had; what it can derive again
 * (Processor.derivable) it does. `forgotten`: collections that tell of a log that is gone. Can be called again when it was
 * broken off. Answers the processors that begin anew.
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
