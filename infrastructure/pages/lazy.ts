import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** A listener that is created on its first request. `failed` answers if it could not be created. */
export function lazily(
  make: () => Promise<RequestListener>,
  failed: (error: unknown, request: IncomingMessage, response: ServerResponse) => void,
): RequestListener {
  let made: Promise<RequestListener> | undefined;
  return (request, response) => {
    made ??= make();
    made.then((listener) => listener(request, response)).catch((error) => failed(error, request, response));
  };
}
