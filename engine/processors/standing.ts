import type { Clock } from '../ports/clock.js';
import { type DocumentStore, Fenced } from '../ports/documents.js';
import type { EventStore, RecordedEvent } from '../ports/eventStore.js';
import { pause } from './pause.js';
import { noteStop, skippedNow } from './stops.js';

interface Parts {
  readonly processor: string;
  readonly work: DocumentStore;
  readonly eventStore: Pick<EventStore, 'readStream'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly fence: number | undefined;
  fenced(): void;
  trouble(error: unknown): void;
}

const LOOK_MS = 1000;

/**
 * A processor stands at this event: notes that for whoever asks, and looks each second whether it is skipped. Resolves to all
 * events that are skipped then, or to undefined when the work has ended.
 */
export async function untilSkipped(
  { processor, work, eventStore, clock, signal, fence, fenced, trouble }: Parts,
  at: { readonly event: RecordedEvent; readonly error: string },
): Promise<ReadonlySet<string> | undefined> {
  let isNoted = false;
  while (!signal.aborted) {
    try {
      if (!isNoted) await noteStop(work, processor, at, fence);
      isNoted = true;
      const skipped = await skippedNow(eventStore, processor);
      if (skipped.has(at.event.id)) return skipped;
    } catch (error) {
      if (error instanceof Fenced) fenced();
      else trouble(error);
    }
    await pause(clock, LOOK_MS, signal);
  }
  return undefined;
}
