import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { DomainError } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { StorageFull, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { ViewBeingBuilt } from '../../engine/projections/documentReads.js';
import { noRoomIn } from '../fullDisks.js';
import { accountIn } from './account.js';
import { type AdminAnswer, type AdminRequest, removeSocketFolder } from './protocol.js';

/** Largest command accepted, in bytes. */
const MOST_BYTES = 1_048_576;
/** Longest time a client may take to send its command, in ms. */
const REQUEST_MS = 10_000;
const MOST_CONNECTIONS = 32;

export interface AdminServerOptions {
  readonly socketPath: string;
  execute(command: string, input: unknown, operator?: string): Promise<object>;
  /** Receives unexpected errors; the client gets no details of them. */
  onError?(error: unknown): void;
}

export interface AdminServer {
  /** Finishes the commands under way, and removes the socket. */
  close(): Promise<void>;
}

async function readRequest(request: IncomingMessage): Promise<AdminRequest> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new DomainError('payload_too_large', 'The command is larger than 1 MB.');
    chunks.push(chunk);
  }
  try {
    const { command, input, operator } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as AdminRequest;
    if (typeof command === 'string') return { command, input, ...defined({ operator: accountIn(operator) }) };
  } catch {
    // Answered below: what is no JSON is no command either.
  }
  throw new DomainError('malformed_body', 'Send {"command", "input"} as JSON.');
}

function failure(error: unknown, onError: AdminServerOptions['onError']): AdminAnswer {
  if (error instanceof DomainError)
    return { error: { code: error.code, detail: error.message, problems: error.problems } };
  if (error instanceof StorageFull || noRoomIn(error) !== undefined)
    return {
      error: { code: 'storage_full', detail: 'The disk is full. Free some space and try again.' },
    };
  if (error instanceof ViewBeingBuilt) return { error: { code: 'unavailable', detail: `${error.message}.` } };
  if (error instanceof StoreUnavailable)
    return { error: { code: 'unavailable', detail: 'Storage is unavailable. The outcome of the request is unknown.' } };
  onError?.(error);
  return { error: { code: 'internal_error', detail: 'Internal error. See the log of the service.' } };
}

async function answer(options: AdminServerOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text: string;
  try {
    const { command, input, operator } = await readRequest(request);
    text = JSON.stringify({ result: await options.execute(command, input, operator) } satisfies AdminAnswer);
  } catch (error) {
    text = JSON.stringify(failure(error, options.onError));
  }
  response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end(text);
}

/** The socket is only accessible to its owner from the moment it exists: its clients may do anything. */
function listen(server: Server, socketPath: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const before = process.umask(0o177);
    try {
      server.listen(socketPath, resolve);
    } finally {
      process.umask(before);
    }
  });
}

/**
 * Takes the operator's commands over a Unix domain socket: HTTP with one JSON command a request. A socket file that an
 * ended process left behind is replaced, so the caller must own the data folder.
 */
export async function startAdminServer(options: AdminServerOptions): Promise<AdminServer> {
  const { socketPath } = options;
  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, (request, response) => {
    void answer(options, request, response);
  });
  server.maxConnections = MOST_CONNECTIONS;
  rmSync(socketPath, { force: true });
  await listen(server, socketPath);
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          removeSocketFolder(socketPath);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}
