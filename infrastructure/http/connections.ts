/** Connections to a server: their number, their idle time, and how they end. */
import type { Server, ServerOptions } from 'node:http';
import type { Socket } from 'node:net';

/** How many connections may be open at once. 0: any number. */
export interface ConnectionLimits {
  readonly all: number;
  /** From one address. Not to be set where all come from a proxy. */
  readonly byAddress: number;
}

/** Well above the number that clients and a proxy of one service open; an idle connection costs about 10 KB. */
export const DEFAULT_CONNECTIONS: ConnectionLimits = { all: 4096, byAddress: 512 };

/** For how long a connection stays open between two requests, in ms: longer than the 60 s of most proxies, which then close first. */
export const KEEP_ALIVE_MS = 72_000;
/** Longest time for the header fields of a request, from the connection's opening or the request's first byte, in ms. */
const HEADERS_WITHIN_MS = 10_000;
/** How often that is looked at, in ms. */
const CHECK_MS = 2000;
/** Longest time in which a client takes nothing of what it is answered, in ms. */
const UNREAD_MS = 120_000;
/** For how long a client may read the last words to it before its connection is destroyed, in ms. */
const LAST_WORDS_MS = 1000;

/** For `createServer`, so that slow clients end. `requestMs`: longest time for a request to come in whole. */
export const requestTimeouts = (requestMs: number): ServerOptions => ({
  headersTimeout: HEADERS_WITHIN_MS,
  requestTimeout: requestMs,
  keepAliveTimeout: KEEP_ALIVE_MS,
  connectionsCheckingInterval: CHECK_MS,
});

/** Sends the last bytes, if any, and ends the connection even if the client never reads. */
export function endSocket(socket: Socket, words?: string): void {
  if (words === undefined || !socket.writable) {
    socket.destroy();
    return;
  }
  socket.on('error', () => undefined);
  const timer = setTimeout(() => socket.destroy(), LAST_WORDS_MS).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.end(words);
}

export interface ConnectionRules extends ConnectionLimits {
  /** Response to a connection beyond the limit. */
  refusal(): string;
  /** As whose a connection from this address counts; the address's own when absent. */
  ownerOf?(address: string): string;
  /** Longest time in which a client takes nothing of what it is answered, in ms; 120,000 when absent. */
  readonly unreadMs?: number;
}

/** Bytes that were waiting to be sent over a connection at the last check. */
interface Unread {
  written: number;
  since: number;
}

/**
 * Ends connections whose clients take nothing. Looked at now and then: a timer for each connection would be set again with each
 * request.
 */
function endUnread(open: ReadonlyMap<Socket, Unread>, unreadMs: number): void {
  const now = performance.now();
  for (const [socket, seen] of open)
    if (socket.writableLength === 0 || socket.bytesWritten !== seen.written)
      Object.assign(seen, { written: socket.bytesWritten, since: now });
    else if (now - seen.since >= unreadMs) socket.destroy();
}

/** Holds a server to the limits from now on. What is one too many is destroyed before anything that it sends is looked at. */
export function limitConnections(server: Server, rules: ConnectionRules): void {
  const { all, byAddress, refusal, ownerOf = (address) => address, unreadMs = UNREAD_MS } = rules;
  const open = new Map<Socket, Unread>();
  const counts = new Map<string, number>();
  const timer = setInterval(() => endUnread(open, unreadMs), Math.min(CHECK_MS, unreadMs)).unref();
  server.once('close', () => clearInterval(timer));
  server.prependListener('connection', (socket: Socket) => {
    const who = ownerOf(socket.remoteAddress ?? 'unknown');
    const own = counts.get(who) ?? 0;
    if ((all > 0 && open.size >= all) || (byAddress > 0 && own >= byAddress)) {
      socket.end(refusal());
      socket.destroySoon();
      return;
    }
    open.set(socket, { written: 0, since: performance.now() });
    counts.set(who, own + 1);
    socket.once('close', () => {
      open.delete(socket);
      const left = counts.get(who)! - 1;
      if (left > 0) counts.set(who, left);
      else counts.delete(who);
    });
  });
}

/** An answer that no request's way leads to, as it goes over the connection, which it ends. */
export function rawAnswer(
  status: string,
  contentType: string,
  text: string,
  fields: Readonly<Record<string, string>> = {},
): string {
  const head = {
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(text),
    'X-Content-Type-Options': 'nosniff',
    ...fields,
    Connection: 'close',
  };
  return [`HTTP/1.1 ${status}`, ...Object.entries(head).map(([name, value]) => `${name}: ${value}`), '', text].join(
    '\r\n',
  );
}
