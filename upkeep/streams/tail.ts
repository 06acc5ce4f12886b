/** `suuq events tail`: the log as it grows. */
import { once } from 'node:events';
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import type { Position, RecordedEvent } from '../../engine/ports/eventStore.js';
import { storedEvents } from '../../service/composition/events.js';
import { checkTypes } from '../../service/eventTypes.js';
import type { Env } from '../../service/settings/environment.js';
import { checkStore, overSource } from '../analysis/source.js';
import { openStreams } from './index.js';

export interface TailRequest {
  readonly types?: readonly string[];
  /** Workspace id. */
  readonly store?: string;
  /** ms since 1970; what comes from now on when neither is there. */
  readonly from?: number;
  readonly after?: Position;
}

/** The next event is read when it has resolved; answers whether more of them are wanted. */
export type TakeEvent = (event: RecordedEvent) => Promise<boolean>;

export interface TailResult {
  readonly events: number;
  /** Position to continue from (`--after`). */
  readonly position: Position;
}

/** Refuses `unknown_event_type`, `unknown_store`, `no_installation`, `no_event_there`. The signal is its usual end. */
export async function tailEvents(
  env: Env,
  { types, store, from, after }: TailRequest,
  take: TakeEvent,
  signal: AbortSignal,
): Promise<TailResult> {
  checkTypes(types, Object.keys(storedEvents));
  if (store !== undefined) await overSource(env, (source) => checkStore(source, store));
  const streams = await openStreams({ env });
  try {
    if (after !== undefined && !(await streams.isPlace(after)))
      refuse(
        'no_event_there',
        `There is no event at position ${after}. Use a position that 'suuq events tail' printed.`,
      );
    let position = after ?? (await streams.head());
    let events = 0;
    const start = from === undefined ? position : after;
    const values = streams.events$(defined({ after: start, from, types, store }))[Symbol.asyncIterator]();
    const stopped = signal.aborted ? Promise.resolve() : once(signal, 'abort');
    for (;;) {
      const next = await Promise.race([values.next(), stopped.then(() => undefined)]);
      if (next === undefined || next.done) break;
      position = next.value.position;
      events += 1;
      if (!(await take(next.value))) break;
    }
    return { events, position };
  } finally {
    await streams.close();
  }
}
