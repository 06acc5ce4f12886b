import { isUtf8 } from 'node:buffer';
import type { UUID } from '@eventstore/db-client/generated/shared_pb.js';
import type { Expectation } from '../sqlite/eventStore/messages.js';
import { Format } from '../sqlite/eventStore/schema.js';
import type { Request } from './appender.js';
import { uuidIn } from './protocol.js';
import { exhausted, invalid, MOST_DATA, malformed, missingProperty, NULL_ID, tooLarge } from './refusal.js';

/** An event that a client proposes, in either way of appending. */
export interface Proposed {
  getId(): UUID | undefined;
  getMetadataMap(): { get(key: string): string | undefined };
  getData_asU8(): Uint8Array;
  getCustomMetadata_asU8(): Uint8Array;
}

/** Bytes of everything in one append, data included: what is not data has no limit of its own in EventStoreDB. */
const MOST_WEIGHT = 32 * 1024 * 1024;
const NO_ID = '00000000-0000-0000-0000-000000000000';
const OPEN = 0x7b;

/** The events of one append, as they come in. */
export class Proposals {
  readonly #events = {
    ids: [] as string[],
    types: [] as string[],
    data: [] as (string | Uint8Array)[],
    meta: [] as (string | Uint8Array)[],
    formats: [] as number[],
  };
  /** Rough size in bytes. */
  weight = 0;
  readonly #system: boolean;
  #dataBytes = 0;

  constructor(stream: string) {
    this.#system = stream.startsWith('$');
    this.weight = stream.length;
  }

  /** Throws a Refusal when the event is malformed or the append grows too large. */
  add(proposed: Proposed): void {
    const data = proposed.getData_asU8();
    const meta = proposed.getCustomMetadata_asU8();
    const properties = proposed.getMetadataMap();
    const type = properties.get('type');
    const contentType = properties.get('content-type');
    if (type === undefined) throw missingProperty('type');
    if (contentType === undefined) throw missingProperty('content-type');
    if (type === '') throw malformed('an event needs a type', "Empty eventType provided. (Parameter 'eventType')");
    if (type.includes('\0')) throw invalid('the type of an event cannot hold the character NUL');
    const id = uuidIn(proposed.getId());
    if (id === undefined || id === NO_ID)
      throw malformed(
        'an event needs an id, a UUID other than zero',
        proposed.getId() === undefined ? NULL_ID : 'Unrecognized Guid format.',
      );
    this.#dataBytes += data.length;
    this.weight += 200 + data.length + meta.length + type.length;
    if (this.#dataBytes > MOST_DATA) throw tooLarge();
    if (this.weight > MOST_WEIGHT)
      throw exhausted(`an append has at most ${MOST_WEIGHT} bytes with all metadata; split it`);
    this.#events.ids.push(id);
    this.#events.types.push(type);
    this.#store(contentType === 'application/json', data, meta);
  }

  /** All of them, for the writer. */
  request(stream: string, expected: Expectation): Request {
    return { stream, expected, weight: this.weight, ...this.#events };
  }

  /** JSON objects are stored like Suuq's own: the store's port shows them in the same way. */
  #store(json: boolean, data: Uint8Array, meta: Uint8Array): void {
    const texts = json && !this.#system ? [objectText(data), objectText(meta)] : [];
    const objects = texts[0] !== undefined && texts[1] !== undefined;
    // Copies: the bytes are a view of the whole message, which would travel to the writer's thread with them.
    this.#events.data.push(objects ? texts[0]! : Uint8Array.from(data));
    this.#events.meta.push(objects ? texts[1]! : Uint8Array.from(meta));
    if (objects) this.#events.formats.push(Format.objects);
    else this.#events.formats.push(json ? Format.json : Format.bytes);
  }
}

/** The text, if these bytes are exactly a JSON object in UTF-8. */
function objectText(bytes: Uint8Array): string | undefined {
  if (bytes[0] !== OPEN || !isUtf8(bytes)) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  try {
    JSON.parse(text);
    return text;
  } catch {
    return undefined;
  }
}
