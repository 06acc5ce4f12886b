import { createHash } from 'node:crypto';
import type { RecordedEvent } from '../ports/eventStore.js';

/** All of an event that a move must keep, as one line; its place in the log is the place of the line. */
export interface Described {
  readonly line: string;
  readonly size: EventSize;
}

/** Bytes of an event, or of several; JSON in UTF-8. */
export interface EventSize {
  readonly data: number;
  /** With its metadata and the name of its type in UTF-16, which is what a target may count at most. */
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

/** Count and SHA-256 over the lines of a log, in order. */
export class Fingerprint {
  events = 0;
  readonly #hash = createHash('sha256');

  add(line: string): void {
    this.events += 1;
    this.#hash.update(line);
  }

  /** In hexadecimal digits; once. */
  digest(): string {
    return this.#hash.digest('hex');
  }
}
