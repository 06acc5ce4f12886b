import { StoreUnavailable } from '../../../engine/ports/eventStore.js';
import { type Agenda, OUTSIDE, type Process } from './agenda.js';

/** What becomes of one call of an engine. */
export type Fate =
  /** It arrives and its answer comes back. */
  | 'fine'
  /** The engine refuses it: it has no leader, or its disk is full. Nothing was done. */
  | 'refused'
  /** It never arrives; the caller hears nothing. */
  | 'lost'
  /** It is done, and the caller hears nothing. */
  | 'unanswered'
  /** It arrives when the caller has given up. */
  | 'late'
  /** Of several parts only the first ones are done, and the caller hears nothing. */
  | 'partly'
  /** It is done, and the engine answers that it failed. */
  | 'failed';

/** What goes wrong between processes and engines, decided call by call. */
export interface Weather {
  /** `changes`: whether the call changes anything. */
  fate(from: Process, engine: string, changes: boolean): Fate;
  /** Time of one way to an engine, or of anything else when absent, in ms. */
  latency(engine?: string): number;
  /** When the engine can be reached again from this process, in ms of the world's time; 0: it can now. */
  cutUntil(from: Process, engine: string): number;
  happens(probability: number): boolean;
}

export interface Call<T> {
  readonly what: string;
  readonly changes: boolean;
  run(): T;
  /** Where the engine does it in several steps, any of which may be the last: `run` then only answers. */
  readonly parts?: readonly (() => void)[];
}

/** The way from one process to one engine. */
export interface Wire {
  /** Name of the process; absent where there is none. */
  readonly from?: string;
  /** Rejects with StoreUnavailable when what became of it is not known, or nothing was done; else as `run` does. */
  call<T>(call: Call<T>): Promise<T>;
  /** Something that the engine tells: it comes when it can. */
  tell(what: string, run: () => void): void;
}

/** After which a caller gives up, in ms. */
const PATIENCE_MS = 5_000;

/** `at`: the process that the engine lives in, with which it dies. */
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
    tell(what, run) {
      const cut = weather.cutUntil(from, engine) - agenda.now;
      agenda.add(Math.max(0, cut) + weather.latency(engine), from, `${engine} tells ${what}`, run);
    },
  };
}
