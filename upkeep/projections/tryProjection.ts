/** `suuq projections try`: runs a projection's file over the real history, next to the running service. Nothing is written. */
import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { positionBefore } from '../../application/history/historySteps.js';
import { checkRange } from '../../application/history/ranges.js';
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { BEFORE_ALL, type Position, type RecordedEvent } from '../../engine/ports/eventStore.js';
import type { EventReads } from '../../engine/upcasting.js';
import type { Run } from '../backup/progress.js';
import type { EventPlace, TrialResult } from './trial.js';
import { type Ended, type TryHost, tryHost } from './tryHost.js';

export interface TryRequest {
  /** Path of the projection's file. */
  readonly file: string;
  /** Name of the projection, where the file has several. */
  readonly projection?: string | undefined;
  /** ms since 1970: only what happened from then on, and before. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Workspace id: only this store's events. */
  readonly store?: string | undefined;
  /** A document that is shown step by step. */
  readonly document?: string | undefined;
  /** Longest time for all of it. */
  readonly seconds: number;
}

export interface TryResult extends TrialResult {
  readonly projection: { readonly name: string; readonly version: number };
  /** Events that were read for it. */
  readonly events: number;
  readonly eventsPerSecond: number;
  /** The newest event that was looked at. */
  readonly position: Position;
  /** Position of the log's end at the start. */
  readonly head: Position;
  /** Absent where it came to the end by itself. */
  readonly ended?: { readonly why: Ended['why']; readonly what: string; readonly event?: EventPlace };
}

const PAGE = 500;
/** With so many poison events something is wrong with the projection, not with an event. */
const MOST_POISON = 1000;

function checkFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) refuse('projection_unreadable', `There is no file ${file}.`);
}

const isOf = ({ meta }: RecordedEvent, { from, to, store }: TryRequest): boolean => {
  if (store !== undefined && meta.workspaceId !== store) return false;
  const at = Date.parse(meta.at);
  return (from === undefined || at >= from) && (to === undefined || at < to);
};

/**
 * Folds the selected events in a separate thread. The thread is ended when the time is over, when an event takes longer than 5 s, when its
 * memory is full, and when a handler uses a forbidden function. Refuses `projection_unreadable`, `range_reversed`.
 */
export async function tryProjection(
  log: EventReads,
  requested: TryRequest,
  { report, signal }: Run,
): Promise<TryResult> {
  const { file, from, to, seconds } = requested;
  checkRange(from, to);
  checkFile(file);
  const host = await tryHost({
    file: pathToFileURL(file).href,
    ...defined({ name: requested.projection, document: requested.document }),
  });
  try {
    const { categories, types, name, version } = host.loaded;
    const head = await log.head();
    const startedAt = performance.now();
    const end = startedAt + seconds * 1000;
    let at = from === undefined ? BEFORE_ALL : await positionBefore(log, from);
    const first = at;
    const read = (after: Position) => {
      const page = log.readAll(after, { filter: { categories, types }, limit: PAGE });
      // Where it is not waited for any more.
      page.catch(() => undefined);
      return page;
    };
    let reading = read(at);
    let events = 0;
    let poisonCount = 0;
    let ended: Ended | undefined;
    while (at < head && ended === undefined) {
      signal.throwIfAborted();
      const page = await reading;
      // The next page is read while this one is folded.
      reading = page.end ? Promise.resolve(page) : read(page.through);
      const batch = page.events.filter((event) => event.position <= head && isOf(event, requested));
      const folded = await host.fold(batch);
      at = Math.min(page.through, head);
      events += batch.length;
      if ('why' in folded) ended = folded;
      else {
        poisonCount = folded.poisonCount;
        if (poisonCount > MOST_POISON)
          ended = { why: 'poison', what: `More than ${MOST_POISON} events cannot be folded.` };
        else if (performance.now() > end && at < head)
          ended = {
            why: 'time',
            what: `The time limit of ${seconds} s is reached. Raise --seconds, or limit the events with --from or --store.`,
          };
      }
      report({ phase: name, share: (at - first) / Math.max(1, head - first), done: `${events} events` });
      if (page.end) break;
    }
    const tookMs = Math.max(1, performance.now() - startedAt);
    const reported = await host.result();
    const result = reported ?? { ...NOTHING, poisonCount };
    ended ??= endOf(host, reported);
    return {
      projection: { name, version },
      events,
      eventsPerSecond: Math.round((events * 1000) / tookMs),
      position: at,
      head,
      ...result,
      ...defined({ ended }),
    };
  } finally {
    await host.close();
  }
}

/** Outcome of the trial by the thread's result. Undefined: nothing is wrong. */
function endOf(host: TryHost, reported: TrialResult | undefined): Ended | undefined {
  if (host.late() !== undefined) return host.late();
  if (reported === undefined) return host.over() ?? { why: 'exited', what: 'Its thread does not answer.' };
  if (reported.unstable === undefined) return undefined;
  return {
    why: 'unstable',
    what: `Folding the same events twice gives different documents for ${reported.unstable.id}: a handler depends on the clock, randomness, the time zone or state of the module.`,
  };
}

/** Result of a thread that was ended. */
const NOTHING: TrialResult = { handled: 0, documents: 0, samples: [], poisonCount: 0, poison: [], lost: [] };
