import { sfc32 } from '../../../harness/chance/sfc32.js';

/** Seeded random numbers: the same for the same seed, on every machine. */
export interface Chance {
  /** In [0, 1). */
  next(): number;
  /** A whole number in [0, n). */
  below(n: number): number;
  /** In [from, to). */
  between(from: number, to: number): number;
  happens(probability: number): boolean;
  one<T>(list: readonly T[]): T;
  /** Derives an independent sequence. Draws from this sequence do not affect it. */
  fork(name: string): Chance;
}

const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
};

/** Seeds a sequence with the hash of a name. */
export function chance(name: string): Chance {
  const next = sfc32(hashOf(name), hashOf(`${name}/b`), hashOf(`${name}/c`), 1);
  for (let i = 0; i < 12; i++) next();
  const below = (n: number): number => Math.floor(next() * n);
  return {
    next,
    below,
    between: (from, to) => from + next() * (to - from),
    happens: (probability) => next() < probability,
    one: (list) => list[below(list.length)]!,
    fork: (other) => chance(`${name}/${other}`),
  };
}
