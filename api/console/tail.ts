/**
 * Live tails as server-sent events: what a slow tab cannot take is counted, not kept. What many tabs are told is written once,
 * and sent to a few of them a turn, with room between the turns, so that no request of the API waits for all of them.
 */
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type Observable, Subscription } from 'rxjs';
import { Refusal } from '../contract/problems.js';
import type { Exchange } from '../http/exchange.js';

/** Tabs at once, of everybody together. */
const MOST_TABS = 200;
/** So that a proxy does not take a quiet tail for a dead one, and a session that has ended is noticed, in ms. */
const HEARTBEAT_MS = 15_000;
/** When a browser whose connection is lost asks again, in ms. */
const RETRY_MS = 1000;
/** Tabs that are written to at once, and how long the next ones wait, in ms: all of them are told well before the next batch. */
const TABS_A_TURN = 5;
const TURN_MS = 4;

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};

/** What tabs are told at once: some of what came, and how much more there was. One object for all tabs that are told it. */
export interface TailBatch {
  /** From which a browser goes on that comes again. */
  readonly id: string | number;
  /** How many it tells of. */
  readonly count: number;
  readonly left: number;
  /** What is told; `left`: what the tab could not take before it included. */
  body(left: number): Promise<object>;
}

/** The same batch for the same thing, as long as somebody holds it. */
export function batchOnce<T extends object>(batchOf: (of: T) => TailBatch): (of: T) => TailBatch {
  const made = new WeakMap<T, TailBatch>();
  return (of) => {
    const batch = made.get(of) ?? batchOf(of);
    made.set(of, batch);
    return batch;
  };
}

export interface Tails {
  /** Answers with the batches until the browser goes or `holds` does not any more. */
  open(exchange: Exchange, batches: Observable<TailBatch>, holds: () => Promise<boolean>): void;
  /** Ends them all: browsers come again by themselves. */
  close(): void;
}

/** As it is sent, by what is said to be left out: nearly always the same number for all tabs. */
const frames = new WeakMap<TailBatch, Map<number, Promise<Buffer>>>();

function frameOf(batch: TailBatch, left: number): Promise<Buffer> {
  const known = frames.get(batch) ?? new Map<number, Promise<Buffer>>();
  frames.set(batch, known);
  const frame =
    known.get(left) ??
    batch.body(left).then((body) => Buffer.from(`id: ${batch.id}\ndata: ${JSON.stringify(body)}\n\n`));
  known.set(left, frame);
  return frame;
}

/**
 * Lets a few tabs a turn write. Turns stand apart: one right after another, writing to all tabs and the tabs' reading would
 * take both the thread and the machine from requests that come just then.
 */
function takingTurns(): () => Promise<void> | undefined {
  let written = 0;
  let next: Promise<void> | undefined;
  return () => {
    if (written++ < TABS_A_TURN) return undefined;
    next ??= pause(TURN_MS).then(() => {
      written = 0;
      next = undefined;
    });
    return next;
  };
}

/** One tab. `left` counts what it could not take. */
class Tail {
  readonly #response: ServerResponse;
  readonly #myTurn: () => Promise<void> | undefined;
  #left = 0;
  #busy = false;

  constructor(response: ServerResponse, myTurn: () => Promise<void> | undefined) {
    this.#response = response;
    this.#myTurn = myTurn;
  }

  async tell(batch: TailBatch): Promise<void> {
    if (this.#busy || this.#response.writableNeedDrain) {
      this.#left += batch.left + batch.count;
      return;
    }
    this.#busy = true;
    try {
      const left = this.#left + batch.left;
      this.#left = 0;
      const frame = await frameOf(batch, left);
      for (let wait = this.#myTurn(); wait !== undefined; wait = this.#myTurn()) await wait;
      // Meanwhile it may have ended, and a write after that is an error that nobody hears.
      if (!this.#response.writableEnded) this.#response.write(frame);
    } finally {
      this.#busy = false;
    }
  }

  beat(): void {
    if (!this.#response.writableEnded && !this.#response.writableNeedDrain) this.#response.write(':\n\n');
  }
}

export function createTails(): Tails {
  /** What ends each of them. */
  const open = new Set<() => void>();
  const myTurn = takingTurns();
  return {
    open({ response, headers }, batches, holds) {
      // The browser left while its session was checked: its connection does not close again.
      if (response.destroyed) return;
      if (open.size >= MOST_TABS)
        throw new Refusal('unavailable', `${MOST_TABS} tabs look on already: close one of them.`);
      const tail = new Tail(response, myTurn);
      const following = new Subscription();
      const end = (): void => {
        following.unsubscribe();
        response.end();
      };
      open.add(end);
      response.once('close', () => {
        following.unsubscribe();
        open.delete(end);
      });
      response.writeHead(200, { ...headers, ...HEADERS });
      response.write(`retry: ${RETRY_MS}\n\n`);
      following.add(batches.subscribe({ next: (batch) => void tail.tell(batch).catch(end), error: end }));
      const beat = setInterval(() => {
        void holds().then((still) => (still ? tail.beat() : end()), end);
      }, HEARTBEAT_MS);
      following.add(() => clearInterval(beat));
    },
    close() {
      for (const end of open) end();
    },
  };
}
