/** Messages of a gRPC call in its bytes: a flag, four bytes of length, the message. */

const HEAD = 5;
/** The server writes events of up to 16 MiB; their frame comes on top. */
export const LARGEST_MESSAGE = 17 * 1024 * 1024;

export class CallMessages {
  #parts: Buffer[] = [];
  #bufferedBytes = 0;
  /** So many bytes must be here before there is anything to do. */
  #expectedBytes = HEAD;

  /** Passes on each message that these bytes complete, as a slice of them. Throws RangeError for unexpected bytes. */
  take(bytes: Buffer, message: (bytes: Buffer) => void): void {
    this.#parts.push(bytes);
    this.#bufferedBytes += bytes.length;
    if (this.#bufferedBytes < this.#expectedBytes) return;
    const all = this.#parts.length === 1 ? bytes : Buffer.concat(this.#parts);
    this.#expectedBytes = HEAD;
    let at = 0;
    while (all.length - at >= HEAD) {
      if (all[at] !== 0) throw new RangeError('a message is compressed, although no compression was requested');
      const length = all.readUInt32BE(at + 1);
      if (length > LARGEST_MESSAGE) throw new RangeError(`a message holds ${length} bytes`);
      if (all.length - at - HEAD < length) {
        this.#expectedBytes = HEAD + length;
        break;
      }
      const from = at + HEAD;
      at = from + length;
      message(all.subarray(from, at));
    }
    this.#bufferedBytes = all.length - at;
    this.#parts = this.#bufferedBytes === 0 ? [] : [all.subarray(at)];
  }

  /** True if a message has begun and not ended. */
  get isHalf(): boolean {
    return this.#bufferedBytes > 0;
  }
}

/** One message as it is sent. */
export function framed(message: Uint8Array): Buffer {
  const bytes = Buffer.alloc(HEAD + message.length);
  bytes.writeUInt32BE(message.length, 1);
  bytes.set(message, HEAD);
  return bytes;
}
