/**
 * Writes one protocol-buffers message from its end to its beginning, so that the length of a nested message is known
 * when it is written and nothing is counted twice. Fields are therefore written in falling order.
 */
const TWO_32 = 2 ** 32;
const SMALLEST = 64 * 1024;
/** A larger room is given back after its message. */
const KEPT = 1024 * 1024;

export class ProtobufWriter {
  #room = Buffer.allocUnsafeSlow(SMALLEST);
  #at = SMALLEST;

  /** Begins a message of `most` bytes at most. */
  begin(most: number): void {
    if (most > this.#room.length || this.#room.length > KEPT)
      this.#room = Buffer.allocUnsafeSlow(Math.max(most, SMALLEST));
    this.#at = this.#room.length;
  }

  /** The message, in memory of its own. */
  take(): Buffer {
    return Buffer.from(this.#room.subarray(this.#at));
  }

  /** To be handed to `message` when the fields of a nested message have been written. */
  mark(): number {
    return this.#at;
  }

  message(field: number, end: number): void {
    this.#varint(end - this.#at);
    this.#varint(field * 8 + 2);
  }

  text(field: number, text: string): void {
    const length = Buffer.byteLength(text);
    this.#at -= length;
    this.#room.write(text, this.#at, length);
    this.#varint(length);
    this.#varint(field * 8 + 2);
  }

  bytes(field: number, bytes: Buffer): void {
    this.#at -= bytes.length;
    bytes.copy(this.#room, this.#at);
    this.#varint(bytes.length);
    this.#varint(field * 8 + 2);
  }

  /** A 64-bit integer that is not negative and that a JS number holds. */
  uint(field: number, value: number): void {
    this.uint64(field, Math.floor(value / TWO_32), value >>> 0);
  }

  /** A 64-bit integer in two halves, each taken without its sign. */
  uint64(field: number, high: number, low: number): void {
    let count = 1;
    for (let h = high >>> 0, l = low >>> 0; h > 0 || l > 127; h >>>= 7) {
      l = ((h << 25) | (l >>> 7)) >>> 0;
      count += 1;
    }
    this.#at -= count;
    let h = high >>> 0;
    let l = low >>> 0;
    for (let i = 0; i < count; i++) {
      this.#room[this.#at + i] = (l & 127) | (i < count - 1 ? 128 : 0);
      l = ((h << 25) | (l >>> 7)) >>> 0;
      h >>>= 7;
    }
    this.#varint(field * 8);
  }

  /** A number below 2^31. */
  #varint(value: number): void {
    if (value < 128) {
      this.#room[--this.#at] = value;
      return;
    }
    const count = Math.ceil((32 - Math.clz32(value)) / 7);
    this.#at -= count;
    for (let i = 0; i < count; i++) this.#room[this.#at + i] = ((value >>> (7 * i)) & 127) | (i < count - 1 ? 128 : 0);
  }
}
