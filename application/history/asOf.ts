/** What something was at moments of the past, in the shape in which the API shows it. */
import { refuse } from '../../domain/decider.js';
import { checkMoment } from './ranges.js';
import { type HistoryLog, inStreams } from './steps.js';
import type { Subject } from './subjects.js';

/** In place of a moment: when it began. */
export const FIRST_MOMENT = Number.NEGATIVE_INFINITY;

export interface AsOfBounds {
  /** Longest time for it, in ms. */
  readonly withinMs: number;
  /** ms since 1970: what depends on the time, such as whether a promotion is open, is shown as of then at the latest. */
  readonly now: number;
}

/** Its states at some moments, as they become known. */
class States {
  readonly #shown: (moment: number) => object | undefined;
  readonly #moments: readonly number[];
  readonly #states: (object | undefined)[];
  /** Something happened at or before the moment since its state was taken. */
  readonly #isOld: boolean[];
  readonly #isThere: boolean[];

  constructor(moments: readonly number[], shown: (moment: number) => object | undefined) {
    this.#shown = shown;
    this.#moments = moments;
    this.#states = moments.map(() => undefined);
    this.#isOld = moments.map(() => false);
    this.#isThere = moments.map(() => false);
  }

  /** Before an event is folded that happened at `at`. */
  before(at: number): void {
    for (const [n, moment] of this.#moments.entries()) if (at > moment) this.#take(n);
  }

  after(at: number): void {
    for (const [n, moment] of this.#moments.entries()) {
      if (at > moment) continue;
      this.#isOld[n] = true;
      this.#isThere[n] = true;
    }
  }

  /** Whether it was there at the first moment. */
  get isThere(): boolean {
    return this.#isThere[0] === true;
  }

  end(): readonly (object | undefined)[] {
    for (const n of this.#moments.keys()) this.#take(n);
    return this.#states;
  }

  #take(n: number): void {
    if (!this.#isOld[n]) return;
    this.#states[n] = this.#shown(this.#moments[n]!);
    this.#isOld[n] = false;
  }
}

/**
 * Its states at these moments (ms since 1970, in order; Infinity: as it is), in one pass over its streams. Events count by their place:
 * a moment is behind the last one that happened at or before it, also where the clock was ahead before. Undefined in their place: there
 * was none, as after it was removed. Refuses `before_first_event`, `not_found` where nothing is about it, `history_too_long`.
 */
export async function statesAt(
  log: HistoryLog,
  subject: Subject,
  asked: readonly number[],
  { withinMs, now }: AsOfBounds,
): Promise<readonly (object | undefined)[]> {
  const end = performance.now() + withinMs;
  const folding = subject.folding();
  const what = `${subject.kind} ${subject.id}`;
  let first: number | undefined;
  let states: States | undefined;
  for await (const { event } of inStreams(log, subject.streams)) {
    if (performance.now() > end) tooLong(what);
    if (event === undefined) continue;
    const at = Date.parse(event.meta.at);
    if (states === undefined && subject.touches(event)) {
      const moments = asked.map((moment) => (moment === FIRST_MOMENT ? at : moment));
      first = at;
      states = new States(moments, (moment) => folding.shown(Math.min(moment, now)));
    }
    states?.before(at);
    folding.take(event);
    states?.after(at);
  }
  if (first === undefined || states === undefined)
    return subject.always ? asked.map(() => undefined) : refuse('not_found', `There is no ${what}.`);
  if (!states.isThere) checkMoment(what, asked[0] ?? first, first);
  return states.end();
}

function tooLong(what: string): never {
  return refuse(
    'history_too_long',
    `Too much has happened beside ${what} to fold it while somebody waits. Ask for its events by --from and --to instead.`,
  );
}
