/** Chance that is the same whenever it is asked anew: every choice of a history follows from its seed. */
import { hash } from 'node:crypto';

export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  /** The same names give the same sequence. */
  constructor(...names: readonly (string | number)[]) {
    const bytes = Buffer.from(hash('sha1', names.join('\u0000'), 'hex'), 'hex');
    this.#a = bytes.readInt32LE(0);
    this.#b = bytes.readInt32LE(4);
    this.#c = bytes.readInt32LE(8);
    this.#d = bytes.readInt32LE(12);
  }

  /** From 0, below 1: the generator 'sfc32' (small fast counter) of the PractRand test suite. */
  next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 4_294_967_296;
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
