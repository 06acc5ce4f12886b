/** States of a subject at past times, in the form of the API. */
import { refuse } from '../../domain/decider.js';
import { type HistoryLog, inStreams } from './historySteps.js';
import type { Subject } from './historySubjects.js';
import { checkMoment } from './ranges.js';

/** Placeholder for the time of the first event. */
export const FIRST_MOMENT = Number.NEGATIVE_INFINITY;

export interface AsOfBounds {
  /** Maximum time for it, in ms. */
  readonly withinMs: number;
  /** ms since 1970. State that depends on the time, such as whether a promotion is open, is shown as of this time at the latest. */
  readonly now: number;
}

/** States at several times, as they become known. */
class States {
  readonly #shown: (moment: number) => object | undefined;
  readonly #moments: readonly number[];
  readonly #states: (object | undefined)[];
  /** True if an event at or before the time has followed since its state was taken. */
  readonly #isOld: boolean[];
  readonly #isThere: boolean[];

  constructor(moments: readonly number[], shown: (moment: number) => object | undefined) {
    this.#shown = shown;
    this.#moments = moments;
    this.#states = moments.map(() => undefined);
    this.#isOld = moments.map(() => false);
    this.#isThere = moments.map(() => false);
  }

  /** Call it before folding an event that happened at `at`. */
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

  /** True if the subject existed at the first time. */
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
 * Returns the states at these times (ms since 1970, in order; Infinity: current state), in one pass over the subject's streams. The order
 * of events decides: a state includes everything up to the last event that happened at or before its time, even if the clock was ahead
 * before. Undefined: the subject did not exist then, for example after it was removed. Refuses `before_first_event`, `not_found` without
 * any event, `history_too_long`.
 */
export async function statesAt(
  log: HistoryLog,
  subject: Subject,
  requested: readonly number[],
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
      const moments = requested.map((moment) => (moment === FIRST_MOMENT ? at : moment));
      first = at;
      states = new States(moments, (moment) => folding.shown(Math.min(moment, now)));
    }
    states?.before(at);
    folding.take(event);
    states?.after(at);
  }
  if (first === undefined || states === undefined)
    return subject.always ? requested.map(() => undefined) : refuse('not_found', `There is no ${what}.`);
  if (!states.isThere) checkMoment(what, requested[0] ?? first, first);
  return states.end();
}

function tooLong(what: string): never {
  return refuse(
    'history_too_long',
    `The log has too many other events to rebuild the state of ${what} in one request. Request its events with --from and --to instead.`,
  );
}
