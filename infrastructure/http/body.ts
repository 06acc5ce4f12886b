/** The bytes of a request's body: no more than a limit, and within a time. */
import type { IncomingMessage } from 'node:http';

/** The client went away before its request was complete: there is nobody to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

export interface BodyRules {
  /** Most bytes. */
  readonly limit: number;
  /** Longest time for the body to come in whole, in ms. */
  readonly withinMs: number;
  /** What a larger body is refused with; the rest of it is thrown away as it comes. */
  tooLarge(): Error;
  /** What a slower body is refused with. */
  tooLate(): Error;
}

/** Rejects as the rules say, or with ClientGone. */
export function readBody(request: IncomingMessage, { limit, withinMs, tooLarge, tooLate }: BodyRules): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const give = (error: Error): void => {
      request.off('data', take);
      chunks.length = 0;
      request.resume();
      reject(error);
    };
    const timer = setTimeout(() => give(tooLate()), withinMs);
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else give(tooLarge());
    };
    request.on('data', take);
    request.once('end', () => {
      clearTimeout(timer);
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    });
    request.once('error', () => reject(new ClientGone()));
    request.once('close', () => {
      clearTimeout(timer);
      if (!request.complete) reject(new ClientGone());
    });
  });
}

/** Whether the header fields announce a body. */
export function announcesBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
