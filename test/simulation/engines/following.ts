/** Following a simulated log: reads until it has caught up, and is sent what comes from then on. */
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

/** As a driver does by itself, between two tries to follow the log again. */
const AGAIN_MS = 300;

class Stopped extends Error {}

export interface Tail {
  /** Resolves when there are events after this position, and they have come. */
  after(at: Position): Promise<void>;
}

/** One connection on which the engine tells of new events, shared by all who follow in a process. */
export function tailOf(state: LogState, { tell }: Wire): Tail {
  let told: Position = BEFORE_ALL;
  let waiting: (() => void)[] = [];
  let isListening = false;
  function listen(): void {
    if (isListening) return;
    isListening = true;
    const hear = (): void =>
      tell('new events', () => {
        told = state.head();
        isListening = false;
        const woken = waiting;
        waiting = [];
        for (const wake of woken) wake();
      });
    if (state.head() > told) hear();
    else state.whenAppended(hear);
  }
  return {
    after(at) {
      if (told > at) return Promise.resolve();
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

  /** The driver connects again by itself, and goes on where it was. */
  async function page(at: Position): Promise<LogPage> {
    for (;;)
      try {
        return await unlessStopped(wire.call({ what: 'follow', changes: false, run: () => read(at) }));
      } catch (error) {
        if (error instanceof Stopped) throw error;
        await unlessStopped(pause(AGAIN_MS));
      }
  }

  /** Delivers a page; answers how far that is. */
  async function deliver({ events, through, last }: LogPage, at: Position): Promise<Position> {
    await unlessStopped(Promise.resolve());
    const wanted = events.filter((event) => wants(shardKeyOf(event)));
    if (through > at) await subscriber.batch(wanted, through, last);
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
