/** Reads the fields of a protocol-buffers message in place, without copies. */

const VARINT = 0;
const FIXED_64 = 1;
const LENGTH = 2;
const FIXED_32 = 5;
/** Bytes of the longest number. */
const LONGEST = 10;

export class WireReader {
  readonly bytes: Buffer;
  /** Offset of the next byte. */
  at = 0;
  /** Kind of the field that `field` has answered. */
  #kind = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** The number of the next field of a message that ends at `end`; 0: there is none. Throws RangeError. */
  field(end: number): number {
    if (this.at === end) return 0;
    if (this.at > end) throw new RangeError('a message is longer than its declared length');
    const tag = this.uint();
    this.#kind = tag & 7;
    return Math.floor(tag / 8);
  }

  /** A number that is not negative; above 2^53 the nearest that there is. Throws RangeError. */
  uint(): number {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < LONGEST; i += 1) {
      const byte = this.bytes[this.at];
      if (byte === undefined) break;
      this.at += 1;
      if (byte < 128) return value + byte * scale;
      value += (byte - 128) * scale;
      scale *= 128;
    }
    throw new RangeError('a message ends within a number');
  }

  /** End of a nested message, a text or bytes; they begin at `at`. Throws RangeError. */
  length(): number {
    const length = this.uint();
    const end = this.at + length;
    if (end > this.bytes.length) throw new RangeError('a message ends before it should');
    return end;
  }

  /** Reads a text; `at` is behind it afterwards. */
  text(): string {
    const end = this.length();
    const text = this.bytes.toString('utf8', this.at, end);
    this.at = end;
    return text;
  }

  /** Skips the value of an unused field. */
  skip(): void {
    if (this.#kind === VARINT) this.uint();
    else if (this.#kind === LENGTH) this.at = this.length();
    else if (this.#kind === FIXED_64) this.at += 8;
    else if (this.#kind === FIXED_32) this.at += 4;
    else throw new RangeError(`a message has a field of the unknown kind ${this.#kind}`);
  }
}
