/** Requests to the API without a socket, with the parts of Node's request and response that the pipeline uses. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

export interface Requested {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
}

export interface Answered {
  readonly status: number;
  readonly text: string;
}

export function requestOf({ method, url, headers, body }: Requested): IncomingMessage {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const stream = Readable.from(text === undefined ? [] : [Buffer.from(text)]);
  const announced =
    text === undefined ? {} : { 'content-type': 'application/json', 'content-length': `${text.length}` };
  return Object.assign(stream, {
    method,
    url,
    headers: { ...headers, ...announced },
    complete: true,
    socket: { remoteAddress: '192.0.2.1' },
  }) as unknown as IncomingMessage;
}

/** Creates a response. `done` is called once, with the answer. */
export function responseFor(done: (answer: Answered) => void): ServerResponse {
  const response = {
    headersSent: false,
    destroyed: false,
    statusCode: 0,
    writeHead(status: number) {
      response.headersSent = true;
      response.statusCode = status;
    },
    end: (content: string | Buffer = '') => done({ status: response.statusCode, text: String(content) }),
    destroy: () => done({ status: 0, text: '' }),
  };
  return response as unknown as ServerResponse;
}
