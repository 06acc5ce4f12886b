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

type Shown = (batch: LiveBatch) => Promise<string>;

/** The events of a batch as JSON, made once for all tabs that are told of it. */
function shownOnce(reads: Reads): Shown {
  const known = new WeakMap<LiveBatch, Promise<string>>();
  const make = async ({ events }: LiveBatch): Promise<string> => {
    const nameOf = await actorNames(reads, events);
    return JSON.stringify(events.map((event) => eventBody(event, nameOf)) satisfies ConsoleLiveBody['events']);
  };
  return (batch) => {
    const found = known.get(batch) ?? make(batch);
    known.set(batch, found);
    return found;
  };
}

/** One tab. `left` counts what it could not take. */
class Tail {
  readonly #response: ServerResponse;
  readonly #shown: Shown;
  #left = 0;
  #busy = false;

  constructor(response: ServerResponse, shown: Shown) {
    this.#response = response;
    this.#shown = shown;
  }

  async tell(batch: LiveBatch): Promise<void> {
    if (this.#busy || this.#response.writableNeedDrain) {
      this.#left += batch.left + batch.events.length;
      return;
    }
    this.#busy = true;
    try {
      const events = await this.#shown(batch);
      const left = this.#left + batch.left;
      this.#left = 0;
      this.#response.write(`id: ${batch.through}\ndata: {"events":${events},"left":${left}}\n\n`);
    } finally {
      this.#busy = false;
    }
  }
}

export function createTails(live: LiveEvents, reads: Reads): Tails {
  const open = new Set<ServerResponse>();
  const shown = shownOnce(reads);
  return {
    open({ response, headers }, question, since, holds) {
      if (open.size >= MOST_TABS)
        throw new Refusal('unavailable', `${MOST_TABS} tabs follow the log already: close one of them.`);
      open.add(response);
      response.writeHead(200, { ...headers, ...HEADERS });
      response.write(`retry: ${RETRY_MS}\n\n`);
      const tail = new Tail(response, shown);
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
