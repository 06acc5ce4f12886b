/** The log in pages, of which the next is read when the last has been taken: its past, and what comes. */
import { setImmediate as turn } from 'node:timers/promises';
import { positionBefore } from '../../application/history/historySteps.js';
import { BEFORE_ALL, type EventFilter, type Position, type RecordedEvent } from '../../engine/ports/eventStore.js';
import type { EventReads } from '../../engine/upcasting.js';

export interface EventsAsked {
  /** Only events after this position: that of the last event seen. */
  readonly after?: Position | undefined;
  /** ms since 1970: only what happened from then on, and before. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly types?: readonly string[] | undefined;
  /** Names of streams up to the first '-'. */
  readonly categories?: readonly string[] | undefined;
  /** Workspace id. */
  readonly store?: string | undefined;
  /** false: ends where the log ended when it began; it goes on for ever when absent. */
  readonly live?: boolean | undefined;
}

const PAGE = 500;
/** Clocks of several instances differ by less, in ms. */
const CLOCK_SKEW_MS = 60_000;

interface Page {
  readonly events: readonly RecordedEvent[];
  readonly through: Position;
}

async function* past(log: EventReads, after: Position, filter: EventFilter, signal: AbortSignal): AsyncGenerator<Page> {
  const head = await log.head();
  for (let at = after; at < head && !signal.aborted; ) {
    const page = await log.readAll(at, { filter, limit: PAGE });
    yield { events: page.events.filter(({ position }) => position <= head), through: page.through };
    at = page.through;
    if (page.end) return;
    await turn();
  }
}

/** The engine's own subscription, which waits with the next batch until this one is taken. */
async function* coming(
  log: EventReads,
  after: Position,
  filter: EventFilter,
  signal: AbortSignal,
): AsyncGenerator<Page> {
  let page: Page | undefined;
  let taken = (): void => {};
  let wake = (): void => {};
  let failure: unknown;
  let over = false;
  const end = (error?: unknown): void => {
    failure = error;
    over = true;
    wake();
    // Also while the reader is busy with a page, and may never return.
    taken();
  };
  const batch = (events: readonly RecordedEvent[], through: Position): Promise<void> => {
    page = { events, through };
    wake();
    return new Promise((resolve) => {
      taken = resolve;
      if (over) resolve();
    });
  };
  const subscription = log.subscribe(after, filter, { batch }, { batch: PAGE });
  subscription.ended.then(() => end(), end);
  const stop = (): void => end();
  signal.addEventListener('abort', stop);
  try {
    while (!over && !signal.aborted) {
      if (page === undefined) await new Promise<void>((resolve) => (wake = resolve));
      if (page === undefined) continue;
      const next: Page = page;
      page = undefined;
      yield next;
      taken();
    }
    if (failure !== undefined) throw failure;
  } finally {
    over = true;
    taken();
    signal.removeEventListener('abort', stop);
    await subscription.stop();
  }
}

/** Pages of the selected events; a page may be empty. */
export async function* eventPages(
  log: EventReads,
  requested: EventsAsked,
  signal: AbortSignal,
): AsyncGenerator<readonly RecordedEvent[]> {
  const { after = BEFORE_ALL, from, to, types, categories, store, live = true } = requested;
  const filter: EventFilter = { ...(types && { types }), ...(categories && { categories }) };
  // Until then what happened is in no order of time: the clock may have been set back.
  const head = await log.head();
  const first = from === undefined ? after : Math.max(after, await positionBefore(log, from));
  for await (const { events } of (live ? coming : past)(log, first, filter, signal)) {
    const expected = events.filter(({ meta }) => {
      if (store !== undefined && meta.workspaceId !== store) return false;
      const at = Date.parse(meta.at);
      return (from === undefined || at >= from) && (to === undefined || at < to);
    });
    yield expected;
    const last = events.at(-1);
    if (to === undefined || last === undefined || last.position <= head) continue;
    if (Date.parse(last.meta.at) >= to + CLOCK_SKEW_MS) return;
  }
}
