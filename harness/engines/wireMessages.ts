/** Boundaries of messages in one direction of a connection. */

/** Takes bytes as they come; answers the messages that are whole by now, keeping the rest. */
export type Splitter = (bytes: Buffer) => Buffer[];
/** A splitter for each direction of each connection; `there`: towards the server. */
export type Framing = (way: 'there' | 'back') => Splitter;

/** Each read of the socket is one message. */
export const asItComes: Framing = () => (bytes) => [bytes];

/** `lengthOf` sees the bytes so far; undefined: not enough yet. */
function byLength(lengthOf: (bytes: Buffer) => number | undefined): Splitter {
  let rest: Buffer = Buffer.alloc(0);
  return (bytes) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    const messages: Buffer[] = [];
    for (;;) {
      const length = lengthOf(rest);
      if (length === undefined || length > rest.length) return messages;
      messages.push(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  };
}

/** MongoDB: the length, which counts itself, comes first. */
export const mongoMessages: Framing = () =>
  byLength((bytes) => (bytes.length < 4 ? undefined : Math.max(16, bytes.readInt32LE(0))));

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

/** HTTP/2, which gRPC speaks: after the client's preface frames, whose 9 bytes of head begin with the length. */
export const http2Frames: Framing = (way) => {
  let preface = way === 'there';
  return byLength((bytes) => {
    if (!preface) return bytes.length < 9 ? undefined : 9 + bytes.readUIntBE(0, 3);
    if (bytes.length < PREFACE.length) return undefined;
    preface = false;
    return PREFACE.length;
  });
};
