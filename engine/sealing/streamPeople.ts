/**
 * Finds the person whom an event was sealed for. A stream belongs to one person, unless it continues after an erasure.
 */
import { defined } from '../../domain/defined.js';
import type { EventStore } from '../ports/eventStore.js';
import { boxesIn } from './sealedData.js';

/** Log with sealed events, as stored. */
type StoredLog = Pick<EventStore, 'readStream'>;

/** Events of the first read and of each further one: nearly every event of a customer is sealed. */
const [FIRST, PAGE] = [1, 50];

/** Returns the person of the first event: null if the event is not sealed, undefined if the stream is empty. */
export async function firstPerson(log: StoredLog, stream: string): Promise<string | null | undefined> {
  const [first] = await log.readStream(stream, { limit: 1 });
  return first && (boxesIn(first.data)?.[0]?.[1] ?? null);
}

/** Returns the person of the newest sealed event up to a revision, or of the whole stream. */
export async function lastPerson(log: StoredLog, stream: string, revision?: number): Promise<string | undefined> {
  for (let [from, limit] = [revision, FIRST]; ; limit = PAGE) {
    const page = await log.readStream(stream, { direction: 'backwards', limit, ...defined({ from }) });
    for (const { data } of page) {
      const person = boxesIn(data)?.[0]?.[1];
      if (person !== undefined) return person;
    }
    const end = page.at(-1)?.revision ?? 0;
    if (end === 0) return undefined;
    from = end - 1;
  }
}
