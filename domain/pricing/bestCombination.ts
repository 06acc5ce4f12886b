/**
 * What combinable promotions take off a cart together: the most that they possibly can without a line going below zero.
 * It is a flow from promotions through the lines in their scopes: a percent takes at most its part of each line, an
 * amount at most itself; when an amount could also come off another line, it makes room for what cannot. So a promotion
 * more never takes less off, and all of them together are the best combination (docs/concepts/pricing.md, 'Why it is the best').
 */
import { distribute } from './amounts.js';
import type { Terms } from './promotions.js';

export interface Claim {
  readonly terms: Terms;
  /** Indexes of the lines in scope, ascending. */
  readonly lines: readonly number[];
}

export interface Combination {
  /** In whole cents: rounded once, when all is added up. */
  readonly cents: number;
  /** In whole cents; they sum to `cents`. */
  readonly byLine: readonly number[];
  /** In the order of the claims: what each adds to those before it, in whole cents; they sum to `cents`. */
  readonly byClaim: readonly number[];
  /** Whether a claim takes anything at all, be it less than a cent. */
  readonly takes: readonly boolean[];
}

/** `lineCents`: what each line costs. Claims take in their order; the total does not depend on it, only who takes what. */
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

/** Hundredths of a cent as whole cents that sum to `cents`: by the largest fraction; of equal ones, the earlier line. */
function wholeCents(parts: readonly number[], cents: number): number[] {
  const whole = parts.map((part) => Math.floor(part / 100));
  const rest = cents - total(whole);
  const byFraction = parts.map((_, line) => line).sort((a, b) => (parts[b]! % 100) - (parts[a]! % 100) || a - b);
  for (const line of byFraction.slice(0, rest)) whole[line]! += 1;
  return whole;
}

interface Taker {
  readonly lines: readonly number[];
  /** Where what it takes off the first line stands in `#taken`. */
  readonly row: number;
  /** It may take so many hundredths of what a line costs. */
  readonly percent: number;
  /** The search in which it was last asked to make room. */
  asked: number;
}

const NOBODY = -1;
/** An amount may take a line whole. */
const WHOLE = 100;

/** The lines while claim after claim takes off them. All amounts are hundredths of a cent, so that percents are exact. */
class CombinationSearch {
  readonly #cents: readonly number[];
  /** What each claim takes off each line. */
  readonly #taken: Float64Array;
  #claims = 0;
  /** What is left to pay of each line. */
  readonly #left: Float64Array;
  /** By line, who takes off it, or did. */
  readonly #takers: Taker[][];
  /** Lines that are free, and from which nothing can be moved elsewhere: that stays so. */
  readonly #closed: Uint8Array;
  // The search for room: how each line was reached, in the search of that number.
  #search = 0;
  readonly #reached: Int32Array;
  /** The line that gives up what `#by` takes of it, which is taken off here instead; NOBODY at the way's beginning. */
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

  /** What is taken off each line. */
  byLine(): number[] {
    return this.#cents.map((cents, line) => cents * 100 - this.#left[line]!);
  }

  /** All that is taken off, rounded to whole cents, half a cent up. */
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

  /** Answers how much this claim takes. */
  take({ terms, lines }: Claim): number {
    const row = this.#claims++ * this.#left.length;
    const taker: Taker = { lines, row, percent: 'percentOff' in terms ? terms.percentOff : WHOLE, asked: 0 };
    let wanted = 'amountOffCents' in terms ? terms.amountOffCents * 100 : Number.POSITIVE_INFINITY;
    if ('amountOffCents' in terms) wanted -= this.#spread(taker, terms.amountOffCents);
    for (const line of lines) wanted -= this.#put(taker, line, Math.min(wanted, this.#room(taker, line)));
    while (wanted > 0) {
      const more = this.#makeRoom(taker, wanted);
      if (more === 0) break;
      wanted -= more;
    }
    let taken = 0;
    for (const line of lines) taken += this.#taken[row + line]!;
    return taken;
  }

  /** How much more it may take off the line, if something were left of it. */
  #room({ row, percent }: Taker, line: number): number {
    return percent * this.#cents[line]! - this.#taken[row + line]!;
  }

  /** An amount over its lines, in proportion to what is left to pay of each, in whole cents. Answers what was taken. */
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

  /** Takes up to `part` off what is left of the line; answers how much. */
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
   * Takes up to `wanted` more off lines that are free already, by moving what others take there to lines of theirs that
   * have something left. Answers how much; 0: there is no way.
   */
  #makeRoom(taker: Taker, wanted: number): number {
    this.#search += 1;
    const queue: number[] = [];
    this.#reach(taker, NOBODY, queue);
    for (const line of queue) {
      if (this.#left[line]! > 0) return this.#move(line, wanted);
      for (const other of this.#takers[line]!)
        if (other.asked !== this.#search && this.#taken[other.row + line]! > 0) this.#reach(other, line, queue);
    }
    for (const line of queue) this.#closed[line] = 1;
    return 0;
  }

  /** The lines off which `by` could take more, if something were left of them or could be moved away. */
  #reach(by: Taker, from: number, queue: number[]): void {
    by.asked = this.#search;
    for (const line of by.lines) {
      if (this.#reached[line] === this.#search || this.#closed[line] || this.#room(by, line) <= 0) continue;
      this.#reached[line] = this.#search;
      this.#from[line] = from;
      this.#by[line] = by;
      queue.push(line);
    }
  }

  /** Along the way that was found, as much as each step of it has room for. */
  #move(end: number, wanted: number): number {
    let part = Math.min(wanted, this.#left[end]!);
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
