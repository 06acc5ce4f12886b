/** One port for three kinds of connections, distinguished by their first bytes: HTTP/2, TLS with HTTP/2 in it, and the rest. */
import { createServer, type Server, type Socket } from 'node:net';

/** More connections are closed at once. */
const MOST_CONNECTIONS = 250;
/** How long a connection may take to show what it is, in ms. */
const PATIENCE_MS = 10_000;
/** The first byte of a TLS record that begins a handshake. */
const HANDSHAKE = 0x16;
/** How a client that speaks HTTP/2 begins. */
const PREFACE = 'PRI';

/** Older clients request over HTTP/1.1 the facts that ServerFeatures does not list. */
const NOT_HERE = 'HTTP/1.1 501 Not Implemented\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';

export interface Doors {
  /** Gets the connections that speak HTTP/2. */
  plain(socket: Socket): void;
  /** Those that speak TLS. Absent: they are refused. */
  readonly secure: ((socket: Socket) => void) | undefined;
}

export interface FrontDoor {
  /** Does not listen yet. */
  readonly server: Server;
  /** Listens no more, and lets go of connections that have not shown what they are. Resolves when all are gone. */
  close(): Promise<void>;
}

export function frontDoor(doors: Doors): FrontDoor {
  const strangers = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    strangers.add(socket);
    socket.once('close', () => strangers.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    sortWhenSeen(socket, Buffer.alloc(0), (first) => {
      strangers.delete(socket);
      sort(socket, first, doors);
    });
  });
  server.maxConnections = MOST_CONNECTIONS;
  return {
    server,
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of strangers) socket.destroy();
      return closed;
    },
  };
}

/** Waits for enough bytes to decide; they are put back. */
function sortWhenSeen(socket: Socket, seen: Buffer, then: (first: Buffer) => void): void {
  socket.once('readable', () => {
    const more: Buffer | null = socket.read();
    if (more === null) {
      socket.destroy();
      return;
    }
    const first = Buffer.concat([seen, more]);
    if (first.length < PREFACE.length) {
      sortWhenSeen(socket, first, then);
      return;
    }
    socket.unshift(first);
    then(first);
  });
}

function sort(socket: Socket, first: Buffer, { plain, secure }: Doors): void {
  const door = first[0] === HANDSHAKE ? secure : plain;
  const known = first[0] === HANDSHAKE || first.toString('latin1', 0, PREFACE.length) === PREFACE;
  if (!known || door === undefined) socket.resume().end(NOT_HERE);
  else {
    socket.setTimeout(0);
    door(socket);
  }
}
