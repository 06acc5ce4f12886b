import { createHash } from 'node:crypto';
import type { RecordedEvent } from '../ports/eventStore.js';

/** All parts of an event that a move must preserve, as one line. The order of lines is the order of the log. */
export interface Described {
  readonly line: string;
  readonly size: EventSize;
}

/** Size of one or more events in bytes of JSON in UTF-8. */
export interface EventSize {
  readonly data: number;
  /** With metadata, and the type name in UTF-16: the most that a target may count. */
  readonly whole: number;
}

export function described({ stream, revision, id, type, data, meta }: RecordedEvent): Described {
  const text = JSON.stringify(data);
  const metaText = JSON.stringify(meta);
  const bytes = Buffer.byteLength(text);
  const head = JSON.stringify([stream, revision, id.toLowerCase(), type]);
  return {
    line: `${head}${text}${metaText}\n`,
    size: { data: bytes, whole: bytes + Buffer.byteLength(metaText) + 2 * type.length },
  };
}

/** Count of events, and SHA-256 over their lines in log order. */
export class Fingerprint {
  events = 0;
  readonly #hash = createHash('sha256');

  add(line: string): void {
    this.events += 1;
    this.#hash.update(line);
  }

  /** Returns the digest in hexadecimal. Can be called once. */
  digest(): string {
    return this.#hash.digest('hex');
  }
}
