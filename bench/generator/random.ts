/** Reproducible randomness: every choice of a history follows from its seed. */
import { hash } from 'node:crypto';
import { sfc32 } from '../../harness/chance/sfc32.js';

export class Random {
  /** From 0, below 1. */
  readonly next: () => number;

  /** The same names give the same sequence. */
  constructor(...names: readonly (string | number)[]) {
    const bytes = Buffer.from(hash('sha1', names.join('\u0000'), 'hex'), 'hex');
    this.next = sfc32(bytes.readInt32LE(0), bytes.readInt32LE(4), bytes.readInt32LE(8), bytes.readInt32LE(12));
  }

  /** A whole number from 0, below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  /** A whole number, both ends included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /** True so often of one. */
  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** The place of one of these weights, whose sums up to each of them rise. */
  weighted(sums: readonly number[]): number {
    const at = this.next() * sums.at(-1)!;
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! > at) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** For `weighted`. */
export function sumsOf(weights: readonly number[]): number[] {
  let sum = 0;
  return weights.map((weight) => {
    sum += weight;
    return sum;
  });
}
