/** Unsolicited interim responses, such as `100 Continue`: the HTTP client treats them as a fault, although a final response follows. */
import type { Socket } from 'node:net';

const START = Buffer.from('HTTP/1.1 100');
const END = '\r\n\r\n';
/** More header fields than this an interim answer has not, in bytes. */
const MOST_BYTES = 4096;

/** The bytes without the interim answers at their beginning; undefined: more has to come before that is known. */
function withoutInterim(bytes: Buffer): Buffer | undefined {
  let rest = bytes;
  for (;;) {
    const known = Math.min(rest.length, START.length);
    if (known === 0 || rest.compare(START, 0, known, 0, known) !== 0) return rest;
    const end = rest.indexOf(END);
    if (end === -1) return rest.length > MOST_BYTES ? rest : undefined;
    rest = rest.subarray(end + END.length);
  }
}

/** Leaves interim answers out of what comes over a connection. */
export function skipInterimAnswers(socket: Socket): Socket {
  const push = socket.push.bind(socket);
  let partial: Buffer | undefined;
  socket.push = (chunk: Buffer | null, encoding?: BufferEncoding): boolean => {
    if (!Buffer.isBuffer(chunk)) {
      if (partial !== undefined) push(partial);
      partial = undefined;
      return push(chunk, encoding);
    }
    const rest = withoutInterim(partial === undefined ? chunk : Buffer.concat([partial, chunk]));
    partial = rest === undefined ? Buffer.concat([partial ?? Buffer.alloc(0), chunk]) : undefined;
    return rest === undefined || rest.length === 0 ? true : push(rest);
  };
  return socket;
}
