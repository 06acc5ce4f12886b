/** `Expect: 100-continue`: the client may send its body once somebody reads it, which is after its credential was checked. */
import type { IncomingMessage, ServerResponse } from 'node:http';

const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/** The client waits for word before it sends its body. */
export const bodyAnnounced = (request: IncomingMessage, response: ServerResponse): void => {
  waiting.set(request, response);
};

/** True if the client still waits: after a final answer it may send the body or not, so the connection cannot be reused. */
export const isBodyAwaited = (request: IncomingMessage): boolean => waiting.has(request);

/** Has the client send its body. */
export function sendContinue(request: IncomingMessage): void {
  const response = waiting.get(request);
  if (response === undefined) return;
  waiting.delete(request);
  if (!response.headersSent && !response.destroyed) response.writeContinue();
}
