/** Following a simulated log: reads until it has caught up, then receives new events. */
import { setTimeout as pause } from 'node:timers/promises';
import {
  BEFORE_ALL,
  type EventFilter,
  type Position,
  type Subscriber,
  type Subscription,
} from '../../../engine/ports/eventStore.js';
import { shardKeyOf } from '../../../engine/shards.js';
import type { Wire } from '../world/wire.js';
import type { LogPage, LogState } from './logState.js';

/** Pause of the driver before it follows the log again, in ms. */
const AGAIN_MS = 300;

class Stopped extends Error {}

export interface Tail {
  /** Resolves when events after this position have arrived. */
  after(at: Position): Promise<void>;
}

/** Creates the connection that announces new events, shared by all followers of a process. */
export function tailOf(state: LogState, { notify }: Wire): Tail {
  let reported: Position = BEFORE_ALL;
  let waiting: (() => void)[] = [];
  let isListening = false;
  function listen(): void {
    if (isListening) return;
    isListening = true;
    const hear = (): void =>
      notify('new events', () => {
        reported = state.head();
        isListening = false;
        const woken = waiting;
        waiting = [];
        for (const wake of woken) wake();
      });
    if (state.head() > reported) hear();
    else state.whenAppended(hear);
  }
  return {
    after(at) {
      if (reported > at) return Promise.resolve();
      return new Promise((resolve) => {
        waiting.push(resolve);
        listen();
      });
    },
  };
}

export interface Following {
  readonly state: LogState;
  readonly wire: Wire;
  readonly tail: Tail;
  readonly after: Position;
  readonly filter: EventFilter;
  readonly limit: number;
  readonly wants: (key: string) => boolean;
}

export function follow(
  { state, wire, tail, after, filter, limit, wants }: Following,
  subscriber: Subscriber,
): Subscription {
  let stopped = (): void => undefined;
  const stopping = new Promise<never>((_, reject) => {
    stopped = () => reject(new Stopped());
  });
  stopping.catch(() => undefined);
  const unlessStopped = <T>(work: Promise<T>): Promise<T> => {
    work.catch(() => undefined);
    return Promise.race([work, stopping]);
  };
  const read = (at: Position): LogPage => state.readAll(at, { filter, limit });

  /** Reads the next page. The driver reconnects by itself and continues from its position. */
  async function page(at: Position): Promise<LogPage> {
    for (;;)
      try {
        return await unlessStopped(wire.call({ what: 'follow', changes: false, run: () => read(at) }));
      } catch (error) {
        if (error instanceof Stopped) throw error;
        await unlessStopped(pause(AGAIN_MS));
      }
  }

  /** Delivers a page and returns the position reached. */
  async function deliver({ events, through, last }: LogPage, at: Position): Promise<Position> {
    await unlessStopped(Promise.resolve());
    const expected = events.filter((event) => wants(shardKeyOf(event)));
    if (through > at) await subscriber.batch(expected, through, last);
    return through;
  }

  async function run(): Promise<void> {
    let at = after;
    for (let isBehind = true; isBehind; ) {
      const found = await page(at);
      at = await deliver(found, at);
      isBehind = !found.end;
    }
    subscriber.caughtUp?.();
    for (;;) {
      await unlessStopped(tail.after(at));
      at = await deliver(read(at), at);
    }
  }

  const ended = run().catch((error: unknown) => {
    if (!(error instanceof Stopped)) throw error;
  });
  ended.catch(() => undefined);
  return {
    ended,
    async stop() {
      stopped();
      await ended.catch(() => undefined);
    },
  };
}
