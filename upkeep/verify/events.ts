/** Checks that every event is readable, at its place in its stream, and valid by its schema. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { messageOf } from '../../engine/messageOf.js';
import {
  BEFORE_ALL,
  categoryOf,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '../../engine/ports/eventStore.js';
import { upcast } from '../../engine/upcasting.js';
import { eventStreams, evolvedEvents, storedEvents } from '../../service/composition/events.js';
import type { Run } from '../backup/progress.js';
import type { Faults } from './faults.js';

/** Events of one page, and their text is in memory while it is looked at. */
const PAGE = 500;

const ajv = new Ajv2020({ strict: false, formats: { 'date-time': fullFormats['date-time'] } });
const compiled = new Map<string, ValidateFunction>();
const ownCategories = new Set(eventStreams.map(({ stream }) => categoryOf(stream)));

function validatorOf(type: string): ValidateFunction | undefined {
  const known = compiled.get(type);
  if (known !== undefined) return known;
  const event = storedEvents[type];
  if (event === undefined) return undefined;
  const made = ajv.compile(event.data);
  compiled.set(type, made);
  return made;
}

/** Fault of an event's shape; undefined: none. Events of other programs in their own streams have no schema. */
function shapeFault(event: RecordedEvent): string | undefined {
  const validate = validatorOf(event.type);
  if (validate === undefined)
    return ownCategories.has(categoryOf(event.stream)) ? `unknown event type ${event.type}` : undefined;
  let newest: RecordedEvent;
  try {
    newest = upcast(evolvedEvents, event);
  } catch (error) {
    return messageOf(error);
  }
  return validate(newest.data) ? undefined : ajv.errorsText(validate.errors, { dataVar: 'data' });
}

/**
 * Goes through the log up to a position; answers how many events there are. `revisions`: compares each event's revision with
 * the one before it in its stream, which takes some 100 bytes of memory a stream; the embedded engine has a better way.
 */
export async function checkEvents(
  log: Pick<EventStore, 'readAll'>,
  head: Position,
  faults: Faults,
  { report, signal }: Run,
  revisions: boolean,
): Promise<number> {
  const streams = new Map<string, number>();
  let count = 0;
  for (let after: Position = BEFORE_ALL; after < head; ) {
    signal.throwIfAborted();
    const page = await log.readAll(after, { limit: PAGE });
    for (const event of page.events) {
      if (event.position > head) break;
      count += 1;
      const place = `position ${event.position} (${event.type}, revision ${event.revision} of ${event.stream})`;
      const shape = shapeFault(event);
      if (shape !== undefined) faults.add('events', place, shape);
      if (!revisions) continue;
      const expected = (streams.get(event.stream) ?? -1) + 1;
      if (event.revision !== expected) faults.add('log', place, `revision ${expected} should be next in its stream`);
      streams.set(event.stream, event.revision);
    }
    after = page.through;
    report({
      phase: 'events',
      share: Math.min(1, (after + 1) / (head + 1)),
      done: `${count.toLocaleString('en')} events`,
    });
    if (page.end) break;
  }
  return count;
}
