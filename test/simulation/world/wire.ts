import { StoreUnavailable } from '../../../engine/ports/eventStore.js';
import { type Agenda, OUTSIDE, type Process } from './agenda.js';

/** Fate of one call to an engine. */
export type Fate =
  /** The call arrives and its answer comes back. */
  | 'fine'
  /** The engine refuses the call, without a leader or with a full disk. Nothing is done. */
  | 'refused'
  /** The call never arrives. The caller gets no answer. */
  | 'lost'
  /** The call is done. The caller gets no answer. */
  | 'unanswered'
  /** The call arrives after the caller has given up. */
  | 'late'
  /** Only the first of several parts are done. The caller gets no answer. */
  | 'partly'
  /** The call is done, but the engine answers that it failed. */
  | 'failed';

/** Faults between processes and engines, decided call by call. */
export interface Weather {
  /** `changes`: the call changes something. */
  fate(from: Process, engine: string, changes: boolean): Fate;
  /** Duration of one message to an engine, or to anything else if absent, in ms. */
  latency(engine?: string): number;
  /** Simulated time in ms until which the engine is cut off from this process; 0 if it is reachable. */
  cutUntil(from: Process, engine: string): number;
  happens(probability: number): boolean;
}

export interface Call<T> {
  readonly what: string;
  readonly changes: boolean;
  run(): T;
  /** Parts of a call that the engine does in several steps, any of which may be the last. `run` then only answers. */
  readonly parts?: readonly (() => void)[];
}

/** Connection from one process to one engine. */
export interface Wire {
  /** Name of the process; absent outside a process. */
  readonly from?: string;
  /**
   * Rejects with StoreUnavailable if the call was not done or its outcome is unknown. Otherwise behaves as `run` does.
   */
  call<T>(call: Call<T>): Promise<T>;
  /** Delivers a notification of the engine, possibly late. */
  notify(what: string, run: () => void): void;
}

/** Timeout of a caller, in ms. */
const PATIENCE_MS = 5_000;

/** `at`: the process that contains the engine. The engine dies with it. */
export function wire(agenda: Agenda, weather: Weather, from: Process, engine: string, at: Process = OUTSIDE): Wire {
  const away = (): StoreUnavailable => new StoreUnavailable(`${engine} gave no answer`);
  return {
    from: from.name,
    call({ what, changes, run, parts = [] }) {
      return new Promise((resolve, reject) => {
        const fate = weather.fate(from, engine, changes);
        const named = `${engine}.${what}`;
        const answer = (outcome: () => void): void =>
          void agenda.add(weather.latency(engine), from, `${named} answered`, outcome);
        const arrive = (ms: number, then: (end: () => void) => void, some = false): void =>
          void agenda.add(ms, at, `${named} of ${from.name} ${fate}`, () => {
            try {
              for (const part of parts) {
                if (some && weather.happens(0.3)) break;
                part();
              }
              const value = run();
              then(() => resolve(value));
            } catch (error) {
              then(() => reject(error));
            }
          });
        const silent = (): void => undefined;
        const giveUp = (): void => void agenda.add(PATIENCE_MS, from, `${named} gave up`, () => reject(away()));
        switch (fate) {
          case 'fine':
            return arrive(weather.latency(engine), answer);
          case 'refused':
            return answer(() => reject(away()));
          case 'failed':
            return arrive(weather.latency(engine), () => answer(() => reject(away())));
          case 'lost':
            return giveUp();
          case 'unanswered':
            arrive(weather.latency(engine), silent);
            return giveUp();
          case 'partly':
            arrive(weather.latency(engine), silent, true);
            return giveUp();
          case 'late':
            arrive(PATIENCE_MS + 100 * weather.latency(), silent);
            return giveUp();
        }
      });
    },
    notify(what, run) {
      const cut = weather.cutUntil(from, engine) - agenda.now;
      agenda.add(Math.max(0, cut) + weather.latency(engine), from, `${engine} tells ${what}`, run);
    },
  };
}
