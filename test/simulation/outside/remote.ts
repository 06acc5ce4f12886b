/** Calls between a process and somebody outside: the question goes there as a step, the answer comes back as one. */
import { type Agenda, OUTSIDE } from '../world/agenda.js';
import type { Chance } from '../world/chance.js';

export interface Way {
  readonly what: string;
  readonly signal?: AbortSignal | undefined;
  /** From the question to the answer, in ms; some 50 when absent. */
  readonly takes?: number;
}

export interface Remote {
  /** In a step of the process that calls, with what `run` gives or throws. Rejects when the signal aborts. */
  ask<T>(way: Way, run: () => T): Promise<T>;
  /** Whether the other side misbehaves now; never once the storm is over. */
  lies(probability: number): boolean;
  between(from: number, to: number): number;
  later(ms: number, what: string, run: () => void): void;
  readonly now: number;
  /** Name of the process that calls. */
  readonly caller: string;
}

const QUICK_MS = 50;

/** `isOver`: whether everything is to be fine from now on. */
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
    ask({ what, signal, takes = random.between(5, QUICK_MS) }, run) {
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
