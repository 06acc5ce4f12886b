/** Checks an append before anything is sent: what the server stumbles over fails its caller here, and nobody else. */
import type { EventData, Expected } from '../../engine/ports/eventStore.js';
import { type AppendLimit, checkSize } from './appendLimit.js';
import type { ProposedEvent } from './protocol.js';

const MOST_EVENTS = 500;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Throws RangeError or TypeError for a malformed append (a `bigint` in data among them), PayloadTooLarge above the limit. */
export function proposedEvents(
  stream: string,
  expected: Expected,
  events: readonly EventData[],
  limit: AppendLimit,
): { proposed: ProposedEvent[]; bytes: number } {
  if (events.length < 1 || events.length > MOST_EVENTS)
    throw new RangeError(`an append must have 1 to ${MOST_EVENTS} events, not ${events.length}`);
  if (stream === '' || stream.startsWith('$'))
    throw new RangeError(`'${stream}' is not a valid stream name: it is empty or reserved by the server`);
  if (typeof expected === 'number' && !(Number.isSafeInteger(expected) && expected >= 0))
    throw new RangeError(`${expected} is not a revision`);
  const metaBytes = metaEncoder();
  const proposed = events.map((event) => ({
    id: idOf(event),
    type: typeOf(event),
    data: dataOf(event),
    meta: metaBytes(event),
  }));
  return { proposed, bytes: checkSize(stream, proposed, limit) };
}

function idOf({ id }: EventData): string {
  if (!UUID.test(id)) throw new TypeError(`an event id is a UUID, not '${id}'`);
  return id;
}

function typeOf({ type }: EventData): string {
  if (type === '') throw new TypeError('an event needs a type');
  return type;
}

function dataOf({ id, data }: EventData): Buffer {
  const text: string | undefined = JSON.stringify(data);
  if (text?.[0] !== '{') throw new TypeError(`the data of event ${id} is not a JSON object`);
  return Buffer.from(text);
}

/** Events of one command share one meta object, which is encoded once. */
function metaEncoder(): (event: EventData) => Buffer {
  let shared: object | undefined;
  let bytes = Buffer.alloc(0);
  return ({ meta }) => {
    if (meta !== shared) {
      shared = meta;
      bytes = Buffer.from(JSON.stringify(meta));
    }
    return bytes;
  };
}
