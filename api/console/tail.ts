/** Live tails as server-sent events: what a slow tab cannot take is counted, not kept. */
import type { ServerResponse } from 'node:http';
import type { Observable, Subscription } from 'rxjs';
import type { Exchange } from './../http/exchange.js';
import { Refusal } from '../problems.js';

/** Tabs at once, of everybody together. */
const MOST_TABS = 200;
/** So that a proxy does not take a quiet tail for a dead one, and a session that has ended is noticed, in ms. */
const HEARTBEAT_MS = 15_000;
/** When a browser whose connection is lost asks again, in ms. */
const RETRY_MS = 1000;

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};

/** What tabs are told at once: some of what came, and how much more there was. */
export interface TailBatch {
  /** From which a browser goes on that comes again. */
  readonly id: string | number;
  /** How many it tells of. */
  readonly count: number;
  readonly left: number;
  /** What is told; `left`: what the tab could not take before it included. */
  body(left: number): Promise<object>;
}

export interface Tails {
  /** Answers with the batches until the browser goes or `holds` does not any more. */
  open(exchange: Exchange, batches: Observable<TailBatch>, holds: () => Promise<boolean>): void;
  /** Ends them all: browsers come again by themselves. */
  close(): void;
}

/** One tab. `left` counts what it could not take. */
class Tail {
  readonly #response: ServerResponse;
  #left = 0;
  #busy = false;

  constructor(response: ServerResponse) {
    this.#response = response;
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
      this.#response.write(`id: ${batch.id}\ndata: ${JSON.stringify(await batch.body(left))}\n\n`);
    } finally {
      this.#busy = false;
    }
  }
}

export function createTails(): Tails {
  const open = new Set<ServerResponse>();
  return {
    open({ response, headers }, batches, holds) {
      if (open.size >= MOST_TABS)
        throw new Refusal('unavailable', `${MOST_TABS} tabs look on already: close one of them.`);
      open.add(response);
      response.writeHead(200, { ...headers, ...HEADERS });
      response.write(`retry: ${RETRY_MS}\n\n`);
      const tail = new Tail(response);
      const failed = (): void => void response.end();
      const following: Subscription = batches.subscribe({
        next: (batch) => void tail.tell(batch).catch(failed),
        error: failed,
      });
      const beat = setInterval(() => {
        void holds().then((still) => {
          if (!still) response.end();
          else if (!response.writableNeedDrain) response.write(':\n\n');
        }, failed);
      }, HEARTBEAT_MS);
      response.once('close', () => {
        clearInterval(beat);
        following.unsubscribe();
        open.delete(response);
      });
    },
    close() {
      for (const response of open) response.end();
    },
  };
}
