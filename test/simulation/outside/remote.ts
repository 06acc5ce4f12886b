/** Calls from a process to an outside service. Request and answer are separate steps. */
import { type Agenda, OUTSIDE } from '../world/agenda.js';
import type { Chance } from '../world/chance.js';

export interface Way {
  readonly what: string;
  readonly signal?: AbortSignal | undefined;
  /** Duration of the call in ms; up to 50 if absent. */
  readonly takes?: number;
}

export interface Remote {
  /** Runs the call and answers in a step of the calling process. Rejects when the signal aborts. */
  request<T>(way: Way, run: () => T): Promise<T>;
  /** Decides at random if the other side misbehaves. Returns false after the storm. */
  lies(probability: number): boolean;
  between(from: number, to: number): number;
  later(ms: number, what: string, run: () => void): void;
  readonly now: number;
  /** Name of the calling process. */
  readonly caller: string;
}

const QUICK_MS = 50;

/** `isOver` returns true when calls no longer fail. */
export function remote(agenda: Agenda, random: Chance, isOver: () => boolean): Remote {
  return {
    get now() {
      return agenda.now;
    },
    get caller() {
      return agenda.current.name;
    },
    lies: (probability) => random.happens(probability) && !isOver(),
    between: (from, to) => random.between(from, to),
    later: (ms, what, run) => void agenda.add(ms, OUTSIDE, what, run),
    request({ what, signal, takes = random.between(5, QUICK_MS) }, run) {
      const from = agenda.current;
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason as Error);
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
        const half = takes / 2;
        const answer = (outcome: () => void): void => void agenda.add(half, from, `${what} answered`, outcome);
        agenda.add(half, OUTSIDE, `${what} of ${from.name}`, () => {
          try {
            const value = run();
            answer(() => resolve(value));
          } catch (error) {
            answer(() => reject(error));
          }
        });
      });
    },
  };
}
