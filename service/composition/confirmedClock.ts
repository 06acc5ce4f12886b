/** The clock of a service, and what speaks for it when the service starts. */
import { latestHead } from '../../application/proofs/treeHeads.js';
import { ClockEvidence } from '../../engine/clockEvidence.js';
import { type Clock, createSystemClock } from '../../engine/ports/clock.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import type { EventStore } from '../../engine/ports/eventStore.js';
import type { Log } from '../../engine/ports/log.js';

/** Repeats a step while an engine is unavailable. */
type Patience = <T>(step: () => Promise<T>) => Promise<T>;

interface Known {
  readonly log: Pick<EventStore, 'readAll' | 'head'>;
  readonly work: DocumentStore;
}

async function newestEventAt({ log }: Known): Promise<number> {
  const [event] = (await log.readAll((await log.head()) - 1, { limit: 1 })).events;
  return event === undefined ? Number.NaN : Date.parse(event.meta.at);
}

async function newestHeadAt({ work }: Known): Promise<number> {
  const head = await latestHead(work);
  return head === undefined ? Number.NaN : Date.parse(head.time);
}

/** The system's clock, which is confirmed by a second look where it is far from what was written last; that is logged. */
export async function confirmedClock(
  known: Known,
  log: Pick<Log, 'warn'>,
  patient: Patience = (step) => step(),
): Promise<Clock> {
  // A time that cannot be read proves nothing. A store that is unavailable for a moment is read again.
  const times = [newestEventAt, newestHeadAt].map((timeOf) => patient(() => timeOf(known)).catch(() => Number.NaN));
  const clock = createSystemClock();
  const evidence = new ClockEvidence(clock, await Promise.all(times));
  const report = evidence.report();
  if (report !== undefined) log.warn({ clock: new Date(clock.now()).toISOString() }, report);
  return { ...clock, evidence };
}
