/** Checks an append before anything is sent: what the server stumbles over fails its caller here, and nobody else. */
import { type EventData, type Expected, PayloadTooLarge } from '../../engine/ports/eventStore.js';
import type { ProposedEvent } from './protocol.js';

const MOST_EVENTS = 500;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Throws RangeError or TypeError for a malformed append (a `bigint` in data among them), PayloadTooLarge above `mostBytes` of data. */
export function proposedEvents(
  stream: string,
  expected: Expected,
  events: readonly EventData[],
  mostBytes: number,
): { proposed: ProposedEvent[]; bytes: number } {
  if (events.length < 1 || events.length > MOST_EVENTS)
    throw new RangeError(`an append takes 1 to ${MOST_EVENTS} events, not ${events.length}`);
  if (stream === '' || stream.startsWith('$'))
    throw new RangeError(`'${stream}' is no name for a stream: it is empty, or the server keeps it for itself`);
  if (typeof expected === 'number' && !(Number.isSafeInteger(expected) && expected >= 0))
    throw new RangeError(`${expected} is no revision`);
  let data = 0;
  let all = 0;
  const metaBytes = metaEncoder();
  const proposed = events.map((event) => {
    const one = { id: idOf(event), type: typeOf(event), data: dataOf(event), meta: metaBytes(event) };
    data += one.data.length;
    all += one.data.length + one.meta.length;
    return one;
  });
  if (data > mostBytes)
    throw new PayloadTooLarge(`the data of one append to ${stream} exceeds ${mostBytes} bytes: append less at once`);
  return { proposed, bytes: all };
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
  if (text?.[0] !== '{') throw new TypeError(`the data of event ${id} is no JSON object`);
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
