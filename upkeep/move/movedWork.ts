/** Moves a history's pending tasks and its processors' checkpoints with the events. */
import { pagesOf } from '../../engine/collections.js';
import type { CollectionDefinition, DocumentStore, Scalar } from '../../engine/ports/documents.js';
import {
  BEFORE_ALL,
  type EventStore,
  type LogPlace,
  markOf,
  type Position,
  type RecordedEvent,
} from '../../engine/ports/eventStore.js';
import { checkpointName, tasksDefinition } from '../../engine/processors/tasks/taskDocuments.js';
import { noteOrigin, type Origin, readOrigin } from '../../engine/processors/tasks/workOrigin.js';
import { type StoredWork, wholeOf, workIn } from '../../engine/processors/tasks/workPlaces.js';

/** A log, and the working documents of processors and requests that belong to it. */
export interface Workplace {
  readonly log: Pick<EventStore, 'readAll' | 'readStream'>;
  readonly work: DocumentStore;
}

/** Events that are looked through at once for the one at a place. */
const LOOK = 500;

/** Until `finishWork` no service begins there. Leaves alone what was finished before. */
export async function beginWork(work: DocumentStore): Promise<void> {
  if ((await readOrigin(work)) === undefined) await noteOrigin(work, { kind: 'unfinished' });
}

/** `origin`: of the work in the source. */
export async function finishWork(from: Workplace, to: Workplace, origin: Origin | undefined): Promise<void> {
  const known = await readOrigin(to.work);
  if (known === undefined || known.kind === 'unfinished') await noteOrigin(to.work, await originIn(from, to, origin));
}

/** Carries these collections over, as far as they are there. Answers how many documents that are; can be called again. */
export async function carryDocuments(
  from: Workplace,
  to: Workplace,
  definitions: readonly CollectionDefinition[],
): Promise<number> {
  const names = await from.work.list();
  let documents = 0;
  for (const definition of definitions)
    if (names.includes(definition.name)) documents += await carry(from.work, to.work, definition);
  return documents;
}

/**
 * Moves the pending tasks and the processors' checkpoints of a moved history: the same events have other positions in the target, and no
 * effect may be lost or repeated. It may be called again; a processor that has started in the target is skipped. Returns the number of
 * moved documents.
 */
export async function carryProcessors(from: Workplace, to: Workplace): Promise<number> {
  let documents = 0;
  for (const stored of workIn(await from.work.list())) documents += await carryProcessor(from, to, stored);
  return documents;
}

/** How far a processor, or each of its shards, has read. */
const positionsOf = async (work: DocumentStore, { places }: Pick<StoredWork, 'places'>): Promise<Position[]> => [
  ...(await work.checkpoints(places.map(({ checkpoint }) => checkpoint))).values(),
];

/** Arrives unsharded; instances that share it split it into shards. */
async function carryProcessor(from: Workplace, to: Workplace, stored: StoredWork): Promise<number> {
  const { processor } = stored;
  const name = checkpointName(processor);
  const positions = await positionsOf(from.work, stored);
  const there = [
    ...workIn(await to.work.list()).filter((one) => one.processor === processor),
    { places: [wholeOf(processor)] },
  ];
  const started = (await Promise.all(there.map((one) => positionsOf(to.work, one)))).flat();
  if (Math.max(...positions) === BEFORE_ALL || Math.max(...started) !== BEFORE_ALL) return 0;
  const documents = await carry(from.work, to.work, tasksDefinition(processor), stored.collection);
  const second = `${name}_begun`;
  if ((await from.work.checkpoint(second)) !== BEFORE_ALL) await to.work.write({}, { name: second, position: 0 });
  // Last: until it is written, nothing counts as moved.
  const place = Math.min(...positions);
  if (place !== BEFORE_ALL) await to.work.write({}, { name, ...(await placeIn(from.log, to.log, place)) });
  return documents;
}

async function originIn(from: Workplace, to: Workplace, origin: Origin | undefined): Promise<Origin> {
  if (origin?.kind !== 'settled') return { kind: 'carried' };
  return { kind: 'settled', place: await placeIn(from.log, to.log, origin.place.position) };
}

async function carry(
  from: DocumentStore,
  to: DocumentStore,
  definition: CollectionDefinition,
  source = definition.name,
): Promise<number> {
  const { name } = definition;
  await to.open(definition);
  let count = 0;
  for await (const page of pagesOf(from, source)) {
    const put = page.map(({ id, keys, revision, body }) => ({ id, keys: declared(definition, keys), revision, body }));
    await to.write({ [name]: { put } });
    count += put.length;
  }
  return count;
}

const declared = ({ keys: names }: CollectionDefinition, keys: Readonly<Record<string, Scalar>>) =>
  Object.fromEntries(Object.entries(keys).filter(([name]) => name in names));

/** Position of the last event at or before `place` in the other log. */
async function placeIn(from: Workplace['log'], to: Workplace['log'], place: Position): Promise<LogPlace> {
  const last = await lastUpTo(from, place);
  if (last === undefined) return { position: BEFORE_ALL };
  const [moved] = await to.readStream(last.stream, { from: last.revision, limit: 1 });
  if (moved?.id !== last.id) throw new Error(`event ${last.revision} of ${last.stream} is missing in the target`);
  return { position: moved.position, mark: markOf(moved) };
}

async function lastUpTo(log: Workplace['log'], place: Position): Promise<RecordedEvent | undefined> {
  for (let before = place; before !== BEFORE_ALL; ) {
    const start = Math.max(BEFORE_ALL, before - LOOK);
    const { events } = await log.readAll(start, { limit: LOOK });
    const found = events.filter(({ position }) => position <= place).at(-1);
    if (found !== undefined) return found;
    before = start;
  }
  return undefined;
}
