/** The live tail as server-sent events: what a slow tab cannot take is counted, not kept. */
import type { ServerResponse } from 'node:http';
import type { Subscription } from 'rxjs';
import type { EventQuestion } from '../../application/console/eventFilter.js';
import type { LiveBatch, LiveEvents } from '../../application/console/liveEvents.js';
import { actorNames } from '../../application/console/names.js';
import type { Position } from '../../engine/ports/eventStore.js';
import type { Reads } from '../../engine/projections/reads.js';
import type { Exchange } from './../http/exchange.js';
import { Refusal } from '../problems.js';
import { eventBody } from './bodies.js';
import type { ConsoleLiveBody } from './contract.js';

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

export interface Tails {
  /** Answers with what happens from now on, or since a place, until the browser goes or `holds` does not any more. */
  open(exchange: Exchange, question: EventQuestion, since: Position | undefined, holds: () => Promise<boolean>): void;
  /** Ends them all: browsers come again by themselves. */
  close(): void;
}

/** One tab. `left` counts what it could not take. */
class Tail {
  readonly #response: ServerResponse;
  readonly #reads: Reads;
  #left = 0;
  #busy = false;

  constructor(response: ServerResponse, reads: Reads) {
    this.#response = response;
    this.#reads = reads;
  }

  async tell(batch: LiveBatch): Promise<void> {
    if (this.#busy || this.#response.writableNeedDrain) {
      this.#left += batch.left + batch.events.length;
      return;
    }
    this.#busy = true;
    try {
      const nameOf = await actorNames(this.#reads, batch.events);
      const left = this.#left + batch.left;
      this.#left = 0;
      const body: ConsoleLiveBody = { events: batch.events.map((event) => eventBody(event, nameOf)), left };
      this.#response.write(`id: ${batch.through}\ndata: ${JSON.stringify(body)}\n\n`);
    } finally {
      this.#busy = false;
    }
  }
}

export function createTails(live: LiveEvents, reads: Reads): Tails {
  const open = new Set<ServerResponse>();
  return {
    open({ response, headers }, question, since, holds) {
      if (open.size >= MOST_TABS)
        throw new Refusal('unavailable', `${MOST_TABS} tabs follow the log already: close one of them.`);
      open.add(response);
      response.writeHead(200, { ...headers, ...HEADERS });
      response.write(`retry: ${RETRY_MS}\n\n`);
      const tail = new Tail(response, reads);
      const failed = (): void => void response.end();
      const following: Subscription = live.watch(question, since).subscribe({
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
