import { createHash } from 'node:crypto';
import type { RecordedEvent } from '../ports/eventStore.js';

/** All of an event that a move must keep, as one line; its place in the log is the place of the line. */
export interface Described {
  readonly line: string;
  /** Of its data, as JSON in UTF-8. */
  readonly bytes: number;
}

export function described({ stream, revision, id, type, data, meta }: RecordedEvent): Described {
  const text = JSON.stringify(data);
  const head = JSON.stringify([stream, revision, id.toLowerCase(), type]);
  return { line: `${head}${text}${JSON.stringify(meta)}\n`, bytes: Buffer.byteLength(text) };
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
