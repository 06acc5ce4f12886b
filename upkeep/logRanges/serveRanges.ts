/** The side of a thread that reads ranges of the log: see rangeThreads.ts. */
import { type MessagePort, parentPort, type TransferListItem } from 'node:worker_threads';
import { messageOf } from '../../engine/messageOf.js';
import { LogDamaged } from '../../engine/ports/eventStore.js';
import type { FromRangeThread, LogRange, RangePiece, ToRangeThread } from './rangeThreads.js';

/** A piece, and what of it is handed over rather than copied. */
export type Served<Piece extends RangePiece> = readonly [Piece, readonly TransferListItem[]];

/** Gives memory of so many bytes or more, such as has been used before. */
export type Memory = (bytes: number) => ArrayBuffer;

/** Pieces that are on their way or being used, after which the next one waits. */
const MOST_OUT = 2;
/** Pieces are about as large as each other: what serves for one mostly serves for the next. */
const ROOM = 1.25;

/** `pieces`: of a range, the last of which goes through its end. Ranges are served one after another. */
export function serveRanges<Piece extends RangePiece>(
  pieces: (range: LogRange, memory: Memory) => Iterable<Served<Piece>> | AsyncIterable<Served<Piece>>,
): void {
  const port: MessagePort = parentPort!;
  const waiting: LogRange[] = [];
  const retained: ArrayBuffer[] = [];
  let out = 0;
  let used: () => void = () => {};
  let busy = false;

  const post = (answer: FromRangeThread<Piece>, transferred: readonly TransferListItem[] = []): void =>
    port.postMessage(answer, transferred);

  const memory: Memory = (bytes) => {
    const found = retained.findIndex(({ byteLength }) => byteLength >= bytes);
    return found === -1 ? new ArrayBuffer(Math.ceil(bytes * ROOM)) : retained.splice(found, 1)[0]!;
  };

  async function serve(range: LogRange): Promise<void> {
    try {
      for await (const [piece, transferred] of pieces(range, memory)) {
        post(piece, transferred);
        out += 1;
        while (out >= MOST_OUT)
          await new Promise<void>((resolve) => {
            used = resolve;
          });
      }
    } catch (error) {
      post(error instanceof LogDamaged ? { damaged: messageOf(error) } : { failed: error as Error });
    }
  }

  async function serveAll(): Promise<void> {
    busy = true;
    for (let range = waiting.shift(); range !== undefined; range = waiting.shift()) await serve(range);
    busy = false;
  }

  port.on('message', (message: ToRangeThread) => {
    if ('stop' in message) {
      waiting.length = 0;
      return port.close();
    }
    if ('used' in message) {
      out -= 1;
      if (message.used !== undefined) retained.push(message.used);
      if (retained.length > MOST_OUT) retained.shift();
      return used();
    }
    waiting.push(message);
    if (!busy) void serveAll();
  });
}
