/**
 * Computes the maximum that combinable promotions can take off a cart together, without a line going below zero.
 *
 * It is a flow from promotions through the lines in their scopes. A percentage takes at most its part of each line, and an amount at most
 * itself. An amount that could also come off another line makes room for a promotion that could not. Therefore an additional promotion
 * never reduces the discount, and all of them together are the best combination (docs/concepts/pricing.md, 'Why it is the best').
 */
import { distribute } from './amounts.js';
import type { Terms } from './promotions.js';

export interface Claim {
  readonly terms: Terms;
  /** Indexes of the lines in scope, ascending. */
  readonly lines: readonly number[];
}

export interface Combination {
  /** In whole cents, rounded once after adding up. */
  readonly cents: number;
  /** Discount of each line in whole cents. They sum to `cents`. */
  readonly byLine: readonly number[];
  /** Amount that each claim adds to those before it, in the order of the claims, in whole cents. They sum to `cents`. */
  readonly byClaim: readonly number[];
  /** True for each claim that takes anything, even less than a cent. */
  readonly takes: readonly boolean[];
}

/** `lineCents`: price of each line. Claims are applied in their order, which affects the amount of each claim but not the total. */
export function bestCombination(lineCents: readonly number[], claims: readonly Claim[]): Combination {
  const taking = new CombinationSearch(lineCents, claims.length);
  const byClaim: number[] = [];
  const takes: boolean[] = [];
  let cents = 0;
  for (const claim of claims) {
    takes.push(taking.take(claim) > 0);
    const now = taking.cents();
    byClaim.push(now - cents);
    cents = now;
  }
  return { cents, byLine: wholeCents(taking.byLine(), cents), byClaim, takes };
}

/**
 * Rounds hundredths of a cent to whole cents that sum to `cents`: the largest fractions are rounded up, the earlier line first if equal.
 */
function wholeCents(parts: readonly number[], cents: number): number[] {
  const whole = parts.map((part) => Math.floor(part / 100));
  const rest = cents - total(whole);
  const byFraction = parts.map((_, line) => line).sort((a, b) => (parts[b]! % 100) - (parts[a]! % 100) || a - b);
  for (const line of byFraction.slice(0, rest)) whole[line]! += 1;
  return whole;
}

interface Taker {
  readonly lines: readonly number[];
  /** Row of the claim in `#taken`. */
  readonly row: number;
  /** Maximum percentage of a line's price. */
  readonly percent: number;
  /** Number of the last search that visited this claim. */
  visitedBy: number;
}

const NOBODY = -1;
/** An amount may take the whole price of a line. */
const WHOLE = 100;

/** Lines to which claims are applied one after another. All amounts are hundredths of a cent, so that percentages are exact. */
class CombinationSearch {
  readonly #cents: readonly number[];
  /** Amount that each claim takes off each line. */
  readonly #taken: Float64Array;
  #claims = 0;
  /** Amount left to pay of each line. */
  readonly #left: Float64Array;
  /** Claims that take off a line, or did, by line. */
  readonly #takers: Taker[][];
  /** Lines that are free, and from which nothing can be moved to another line. That never changes. */
  readonly #closed: Uint8Array;
  // State of the search for room: `#reached` contains the number of the last search that reached a line.
  #search = 0;
  readonly #reached: Int32Array;
  /** Line where `#by` takes less, to take the same amount off this line. NOBODY at the start of the path. */
  readonly #from: Int32Array;
  readonly #by: Taker[] = [];

  constructor(lineCents: readonly number[], claims: number) {
    this.#cents = lineCents;
    this.#taken = new Float64Array(lineCents.length * claims);
    this.#left = Float64Array.from(lineCents, (cents) => cents * 100);
    this.#takers = lineCents.map(() => []);
    this.#closed = new Uint8Array(lineCents.length);
    this.#reached = new Int32Array(lineCents.length);
    this.#from = new Int32Array(lineCents.length);
  }

  /** Returns the amount taken off each line. */
  byLine(): number[] {
    return this.#cents.map((cents, line) => cents * 100 - this.#left[line]!);
  }

  /** Returns the total amount taken off, rounded to whole cents, half a cent up. */
  cents(): number {
    let cents = 0;
    let rest = 50;
    for (let line = 0; line < this.#left.length; line++) {
      const part = this.#cents[line]! * 100 - this.#left[line]!;
      const fraction = part % 100;
      cents += (part - fraction) / 100;
      rest += fraction;
    }
    return cents + Math.floor(rest / 100);
  }

  /** Applies a claim. Returns the amount that it takes. */
  take({ terms, lines }: Claim): number {
    const row = this.#claims++ * this.#left.length;
    const taker: Taker = { lines, row, percent: 'percentOff' in terms ? terms.percentOff : WHOLE, visitedBy: 0 };
    let requested = 'amountOffCents' in terms ? terms.amountOffCents * 100 : Number.POSITIVE_INFINITY;
    if ('amountOffCents' in terms) requested -= this.#spread(taker, terms.amountOffCents);
    for (const line of lines) requested -= this.#put(taker, line, Math.min(requested, this.#room(taker, line)));
    while (requested > 0) {
      const more = this.#makeRoom(taker, requested);
      if (more === 0) break;
      requested -= more;
    }
    let taken = 0;
    for (const line of lines) taken += this.#taken[row + line]!;
    return taken;
  }

  /** Returns how much more the claim may take off the line, if the line has enough left to pay. */
  #room({ row, percent }: Taker, line: number): number {
    return percent * this.#cents[line]! - this.#taken[row + line]!;
  }

  /** Distributes an amount over its lines in whole cents, in proportion to the amount left to pay of each. Returns the amount taken. */
  #spread(taker: Taker, amountCents: number): number {
    const weights = taker.lines.map((line) => this.#left[line]!);
    const payable = Math.floor(total(weights) / 100);
    if (payable === 0) return 0;
    const shares = distribute(Math.min(amountCents, payable), weights);
    let taken = 0;
    for (let index = 0; index < shares.length; index++)
      taken += this.#put(taker, taker.lines[index]!, shares[index]! * 100);
    return taken;
  }

  /** Takes up to `part` off the rest of the line. Returns the amount taken. */
  #put(taker: Taker, line: number, part: number): number {
    const taken = Math.min(part, this.#left[line]!);
    if (taken === 0) return 0;
    this.#note(taker, line);
    this.#taken[taker.row + line]! += taken;
    this.#left[line]! -= taken;
    return taken;
  }

  #note(taker: Taker, line: number): void {
    if (this.#taken[taker.row + line] === 0) this.#takers[line]!.push(taker);
  }

  /**
   * Takes up to `requested` more off lines that are free already, by moving other claims' amounts to lines that have something left to pay.
   * Returns the amount taken. 0: no path exists.
   */
  #makeRoom(taker: Taker, requested: number): number {
    this.#search += 1;
    const queue: number[] = [];
    this.#reach(taker, NOBODY, queue);
    for (const line of queue) {
      if (this.#left[line]! > 0) return this.#move(line, requested);
      for (const other of this.#takers[line]!)
        if (other.visitedBy !== this.#search && this.#taken[other.row + line]! > 0) this.#reach(other, line, queue);
    }
    for (const line of queue) this.#closed[line] = 1;
    return 0;
  }

  /** Adds the lines off which `by` could take more, if they had something left or something could be moved away. */
  #reach(by: Taker, from: number, queue: number[]): void {
    by.visitedBy = this.#search;
    for (const line of by.lines) {
      if (this.#reached[line] === this.#search || this.#closed[line] || this.#room(by, line) <= 0) continue;
      this.#reached[line] = this.#search;
      this.#from[line] = from;
      this.#by[line] = by;
      queue.push(line);
    }
  }

  /** Moves an amount along the found path, as much as each step allows. */
  #move(end: number, requested: number): number {
    let part = Math.min(requested, this.#left[end]!);
    for (let line = end; line !== NOBODY; line = this.#from[line]!) {
      const by = this.#by[line]!;
      const from = this.#from[line]!;
      part = Math.min(part, this.#room(by, line), from === NOBODY ? part : this.#taken[by.row + from]!);
    }
    for (let line = end; line !== NOBODY; line = this.#from[line]!) {
      const by = this.#by[line]!;
      const from = this.#from[line]!;
      this.#note(by, line);
      this.#taken[by.row + line]! += part;
      if (from !== NOBODY) this.#taken[by.row + from]! -= part;
    }
    this.#left[end]! -= part;
    return part;
  }
}

const total = (parts: Iterable<number>): number => {
  let sum = 0;
  for (const part of parts) sum += part;
  return sum;
};
