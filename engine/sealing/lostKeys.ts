/** Finds events that are sealed under missing keys of persons who were not forgotten. */
import type { EventFilter, EventStore, Position, RecordedEvent } from '../ports/eventStore.js';
import type { KeyRing } from './keyRing.js';
import { boxesIn } from './sealedData.js';

/** An event that nobody can read. */
export interface LostEvent extends Pick<RecordedEvent, 'id' | 'type' | 'stream' | 'revision' | 'position' | 'meta'> {
  /** Persons whose keys are missing. */
  readonly persons: readonly string[];
}

export interface LostPage {
  readonly events: readonly LostEvent[];
  /** Position up to which the log was scanned. */
  readonly through: Position;
  readonly end: boolean;
}

const PAGE = 500;

/** Returns the persons whose keys the events need; undefined if nothing is sealed. */
export function personsIn(events: readonly Pick<RecordedEvent, 'data'>[]): Set<string> | undefined {
  let persons: Set<string> | undefined;
  for (const { data } of events) {
    const boxes = boxesIn(data);
    if (boxes === undefined) continue;
    persons ??= new Set();
    for (const [, person] of boxes) persons.add(person);
  }
  return persons;
}

/** Returns the stored events that need one of the lost keys. */
export const lostOf = (events: readonly RecordedEvent[], lost: ReadonlySet<string>): LostEvent[] =>
  events.flatMap((event) => {
    const { id, type, stream, revision, position, meta } = event;
    const persons = [...(personsIn([event]) ?? [])].filter((person) => lost.has(person));
    return persons.length === 0 ? [] : [{ id, type, stream, revision, position, meta, persons }];
  });

/** Scans one page of the stored log, after (exclusive) a position. Rejects with StoreUnavailable, LogDamaged. */
export async function lostPage(
  log: Pick<EventStore, 'readAll'>,
  ring: Pick<KeyRing, 'lost'>,
  after: Position,
  options: { readonly filter?: EventFilter; readonly limit?: number } = {},
): Promise<LostPage> {
  const { events, through, end } = await log.readAll(after, { limit: PAGE, ...options });
  const persons = personsIn(events);
  const lost = persons === undefined ? [] : lostOf(events, await ring.lost(persons));
  return { events: lost, through, end };
}
