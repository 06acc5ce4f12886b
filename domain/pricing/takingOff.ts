/**
 * What combinable promotions take off a cart together: the most that they possibly can without a line going below zero.
 * It is a flow from promotions through the lines in their scopes: a percent takes at most its part of each line, an
 * amount at most itself; when an amount could also come off another line, it makes room for what cannot. So a promotion
 * more never takes less off, and all of them together are the best combination (docs/pricing.md, 'Why it is the best').
 */
import { distribute } from './amounts.js';
import type { Terms } from './promotions.js';

export interface Claim {
  readonly terms: Terms;
  /** Indexes of the lines in scope, ascending. */
  readonly lines: readonly number[];
}

export interface TakenOff {
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
export function takeOff(lineCents: readonly number[], claims: readonly Claim[]): TakenOff {
  const taking = new Taking(lineCents);
  const byClaim: number[] = [];
  const takes: boolean[] = [];
  let cents = 0;
  for (const claim of claims) {
    takes.push(taking.take(claim) > 0);
    const now = roundedSum(taking.takenOff());
    byClaim.push(now - cents);
    cents = now;
  }
  return { cents, byLine: wholeCents(taking.takenOff(), cents), byClaim, takes };
}

/** Hundredths of a cent added up and rounded to whole cents, half a cent up. */
function roundedSum(parts: readonly number[]): number {
  let cents = 0;
  let rest = 0;
  for (const part of parts) {
    cents += Math.floor(part / 100);
    rest += part % 100;
  }
  return cents + Math.floor((rest + 50) / 100);
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
  /** The most that it may take off each line. */
  readonly most: (line: number) => number;
  readonly taken: Float64Array;
}

/** How the search for room reached a line: `from` gives up what `taker` takes of it, to take it off here instead. */
interface Step {
  readonly from: number | undefined;
  readonly taker: Taker;
}

class Taking {
  /** What is left to pay of each line, in hundredths of a cent. */
  readonly #left: number[];
  readonly #cents: readonly number[];
  readonly #takers: Taker[] = [];
  /** Lines that are free, and from which nothing can be moved elsewhere: that stays so. */
  readonly #closed: boolean[];

  constructor(lineCents: readonly number[]) {
    this.#cents = lineCents;
    this.#left = lineCents.map((cents) => cents * 100);
    this.#closed = lineCents.map(() => false);
  }

  /** Hundredths of a cent off each line. */
  takenOff(): number[] {
    return this.#cents.map((cents, line) => cents * 100 - this.#left[line]!);
  }

  /** In hundredths of a cent, so that percents are exact; answers how much this claim takes. */
  take({ terms, lines }: Claim): number {
    const taken = new Float64Array(this.#left.length);
    const percent = 'percentOff' in terms ? terms.percentOff : undefined;
    const most = (line: number): number =>
      percent === undefined ? Number.POSITIVE_INFINITY : percent * this.#cents[line]!;
    const taker: Taker = { lines, most, taken };
    this.#takers.push(taker);
    if ('amountOffCents' in terms) {
      this.#spread(taker, terms.amountOffCents);
      let rest = terms.amountOffCents * 100 - total(taken);
      while (rest > 0) {
        const moved = this.#makeRoom(taker, rest);
        if (moved === 0) break;
        rest -= moved;
      }
    } else {
      for (const line of lines) this.#put(taker, line, Math.min(most(line), this.#left[line]!));
      while (this.#makeRoom(taker, Number.POSITIVE_INFINITY) > 0);
    }
    return total(taken);
  }

  /** An amount over its lines, in proportion to what is left to pay of each, in whole cents. */
  #spread(taker: Taker, amountCents: number): void {
    const weights = taker.lines.map((line) => this.#left[line]!);
    const payable = Math.floor(total(weights) / 100);
    const shares = distribute(Math.min(amountCents, payable), weights);
    for (const [index, line] of taker.lines.entries())
      this.#put(taker, line, Math.min(shares[index]! * 100, this.#left[line]!));
  }

  #put(taker: Taker, line: number, part: number): void {
    taker.taken[line]! += part;
    this.#left[line]! -= part;
  }

  /**
   * Takes up to `wanted` more for `taker`: off a line that has something left or, where its lines are free already, by
   * moving what others take there to lines of theirs that have something left. Answers how much; 0: there is no way.
   */
  #makeRoom(taker: Taker, wanted: number): number {
    const steps = new Map<number, Step>();
    const queue: number[] = [];
    const visit = (from: number | undefined, by: Taker): void => {
      for (const line of by.lines)
        if (!steps.has(line) && !this.#closed[line] && by.taken[line]! < by.most(line)) {
          steps.set(line, { from, taker: by });
          queue.push(line);
        }
    };
    const asked = new Set([taker]);
    visit(undefined, taker);
    for (const line of queue) {
      if (this.#left[line]! > 0) return this.#move(steps, line, wanted);
      for (const other of this.#takers)
        if (other.taken[line]! > 0 && !asked.has(other)) {
          asked.add(other);
          visit(line, other);
        }
    }
    for (const line of queue) this.#closed[line] = true;
    return 0;
  }

  /** Along the way that was found, as much as each step of it has room for. */
  #move(steps: ReadonlyMap<number, Step>, end: number, wanted: number): number {
    const way: { line: number; step: Step }[] = [];
    for (let line: number | undefined = end; line !== undefined; line = way.at(-1)!.step.from)
      way.push({ line, step: steps.get(line)! });
    let part = Math.min(wanted, this.#left[end]!);
    for (const { line, step } of way) {
      part = Math.min(part, step.taker.most(line) - step.taker.taken[line]!);
      if (step.from !== undefined) part = Math.min(part, step.taker.taken[step.from]!);
    }
    for (const { line, step } of way) {
      step.taker.taken[line]! += part;
      if (step.from !== undefined) step.taker.taken[step.from]! -= part;
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
