import type { CollectionDefinition, DocumentStore } from '../../engine/ports/documents.js';
import { BEFORE_ALL, type EventStore, type Position, type RecordedEvent } from '../../engine/ports/eventStore.js';
import { checkpointName, processorOf, tasksDefinition } from '../../engine/processors/taskDocuments.js';

/** A log, and the working documents of processors and requests that belong to it. */
export interface Workplace {
  readonly log: Pick<EventStore, 'readAll' | 'readStream'>;
  readonly work: DocumentStore;
}

const PAGE = 200;
/** Events that are looked through at once for the one at a place. */
const LOOK = 500;

/**
 * Carries over what is owed and how far processors have read, when a history was moved: the same events stand at other
 * positions there, and no effect may be lost or done again. `others`: further collections. It can be called again; a
 * processor that has begun in the target is left alone. Answers how many documents it has carried.
 */
export async function carryWork(
  from: Workplace,
  to: Workplace,
  others: readonly CollectionDefinition[],
): Promise<{ documents: number }> {
  const names = await from.work.list();
  let documents = 0;
  for (const definition of others)
    if (names.includes(definition.name)) documents += await carry(from.work, to.work, definition);
  for (const processor of names.flatMap((name) => processorOf(name) ?? []))
    documents += await carryProcessor(from, to, processor);
  return { documents };
}

async function carryProcessor(from: Workplace, to: Workplace, processor: string): Promise<number> {
  const name = checkpointName(processor);
  const place = await from.work.checkpoint(name);
  if (place === BEFORE_ALL || (await to.work.checkpoint(name)) !== BEFORE_ALL) return 0;
  const documents = await carry(from.work, to.work, tasksDefinition(processor));
  const begun = `${name}_begun`;
  if ((await from.work.checkpoint(begun)) !== BEFORE_ALL) await to.work.write({}, { name: begun, position: 0 });
  // Last: until it stands, nothing is taken for carried.
  await to.work.write({}, { name, position: await placeIn(from.log, to.log, place) });
  return documents;
}

async function carry(from: DocumentStore, to: DocumentStore, definition: CollectionDefinition): Promise<number> {
  const { name } = definition;
  await to.open(definition);
  let count = 0;
  for (let after: string | undefined; ; ) {
    const page = await from.find(name, { limit: PAGE, ...(after === undefined ? {} : { after: [after] }) });
    const put = page.map(({ id, keys, revision, body }) => ({ id, keys, revision, body }));
    if (put.length > 0) await to.write({ [name]: { put } });
    count += put.length;
    after = put.at(-1)?.id;
    if (page.length < PAGE) return count;
  }
}

/** Where the last event at or before `place` stands in the other log. */
async function placeIn(from: Workplace['log'], to: Workplace['log'], place: Position): Promise<Position> {
  const last = await lastUpTo(from, place);
  if (last === undefined) return BEFORE_ALL;
  const [moved] = await to.readStream(last.stream, { from: last.revision, limit: 1 });
  if (moved?.id !== last.id) throw new Error(`event ${last.revision} of ${last.stream} does not stand in the target`);
  return moved.position;
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
