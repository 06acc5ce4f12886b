/**
 * Live tails as server-sent events. Events that a slow tab cannot accept are counted and dropped. A message for many
 * tabs is serialised once and written to a few tabs per turn of the event loop, so that requests of the API do not wait
 * for all of them.
 */
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { NEVER, type Observable, Subscription } from 'rxjs';
import { Refusal } from '../contract/problems.js';
import type { Exchange } from '../http/exchange.js';

/** Tabs at once, of everybody together. */
const MOST_TABS = 200;
/** So that a proxy does not take a quiet tail for a dead one, and a session that has ended is noticed, in ms. */
const HEARTBEAT_MS = 15_000;
/** Reconnection delay of a browser, in ms. */
const RETRY_MS = 1000;
/** Tabs written to per turn, and the pause between turns in ms. All tabs are served well before the next batch. */
const TABS_A_TURN = 5;
const TURN_MS = 4;

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};

/**
 * A batch of messages for all tabs: some of the new ones, and the number of those left out. Tabs with the same position
 * share one object.
 */
export interface TailBatch {
  /** From which a browser goes on that comes again. */
  readonly id: string | number;
  /** Number of messages in the batch. */
  readonly count: number;
  readonly left: number;
  /** Returns the body. `left` is the number of messages that the tab missed before. */
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
  /**
   * Answers with the batches until the browser goes or `holds` does not any more. That is checked from time to time, and
   * whenever `checks` emits.
   */
  open(
    exchange: Exchange,
    batches: Observable<TailBatch>,
    holds: () => Promise<boolean>,
    checks?: Observable<unknown>,
  ): void;
  /** Ends them all: browsers come again by themselves. */
  close(): void;
}

/** Serialised frames by the number of messages left out, which is nearly always the same for all tabs. */
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
 * Returns a function that lets a few tabs write per turn. There is a pause between turns: without it, writing to all
 * tabs, and the tabs reading, would take the thread and the machine from requests of that time.
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

  async send(batch: TailBatch): Promise<void> {
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
  /** Functions that end the open tails. */
  const open = new Set<() => void>();
  const myTurn = takingTurns();
  return {
    open({ response, headers }, batches, holds, checks = NEVER) {
      // The browser left while its session was checked: its connection does not close again.
      if (response.destroyed) return;
      if (open.size >= MOST_TABS)
        throw new Refusal('unavailable', `${MOST_TABS} tabs are already following the log. Close one of them.`);
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
      following.add(batches.subscribe({ next: (batch) => void tail.send(batch).catch(end), error: end }));
      const beat = setInterval(() => {
        void holds().then((still) => (still ? tail.beat() : end()), end);
      }, HEARTBEAT_MS);
      following.add(() => clearInterval(beat));
      const check = (): void => void holds().then((still) => still || end(), end);
      following.add(checks.subscribe({ next: check, error: end }));
    },
    close() {
      for (const end of open) end();
    },
  };
}
