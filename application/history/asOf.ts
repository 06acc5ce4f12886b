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

/**
 * Its states at these moments (ms since 1970, in order; what happened then included; Infinity: as it is), in one pass over its streams. Undefined in
 * their place: there was none, as after it was removed. Refuses `before_first_event`, `not_found` where nothing is about it,
 * `history_too_long`.
 */
export async function statesAt(
  log: HistoryLog,
  subject: Subject,
  asked: readonly number[],
  { withinMs, now }: AsOfBounds,
): Promise<readonly (object | undefined)[]> {
  const end = performance.now() + withinMs;
  const folding = subject.folding();
  const states: (object | undefined)[] = [];
  let moments = asked;
  const what = `${subject.kind} ${subject.id}`;
  const shownAt = (moment: number) => folding.shown(Math.min(moment, now));
  let first: number | undefined;
  for await (const { event } of inStreams(log, subject.streams)) {
    if (performance.now() > end) tooLong(what);
    if (event === undefined) continue;
    const at = Date.parse(event.meta.at);
    if (first === undefined && subject.touches(event)) {
      first = at;
      moments = asked.map((moment) => (moment === FIRST_MOMENT ? at : moment));
      checkMoment(what, moments[0] ?? at, first);
    }
    while (first !== undefined && states.length < moments.length && at > moments[states.length]!)
      states.push(shownAt(moments[states.length]!));
    if (states.length === moments.length) break;
    folding.take(event);
  }
  if (first === undefined)
    return subject.always ? asked.map(() => undefined) : refuse('not_found', `There is no ${what}.`);
  while (states.length < moments.length) states.push(shownAt(moments[states.length]!));
  return states;
}

function tooLong(what: string): never {
  return refuse(
    'history_too_long',
    `Too much has happened beside ${what} to fold it while somebody waits. Ask for its events by --from and --to instead.`,
  );
}
