/** Checks that the log and the work for it belong together, before either is used. */
import type { DocumentStore } from '../../engine/ports/documents.js';
import type { EventStore } from '../../engine/ports/eventStore.js';
import { checkWork, type WorkState } from '../../engine/processors/tasks/workOrigin.js';

type Refused = Exclude<WorkState, { readonly fits: true }>;

const SETTLE = "'suuq processors settle --reason …'";

/** To go on would do effects again, or leave them out. `code` is stable. */
export class WorkRefused extends Error {
  override readonly name = 'WorkRefused';
  readonly code: Refused['code'];
  constructor(state: Refused, { log, work }: { readonly log: string; readonly work: string }) {
    super(sentenceOf(state, log, work));
    this.code = state.code;
  }
}

function sentenceOf(state: Refused, log: string, work: string): string {
  if (state.code === 'log_is_older') {
    const what = state.mark === undefined ? 'events' : `event ${state.mark.id} (${state.mark.stream})`;
    return (
      `According to ${work}, the processor '${state.processor}' has handled ${what}, but ${log} does not have it: it is an older copy, ` +
      'or has diverged since. Continuing would skip the next events. Restore the newer log. If it is lost, ' +
      `discard the newer work with ${SETTLE}. Read models are rebuilt automatically.`
    );
  }
  if (state.unfinished)
    return `A move or settlement in ${work} was interrupted. Run the same command again: 'suuq move' or ${SETTLE}.`;
  return (
    `${log} has events, but ${work} has no record of completed and pending effects. Continuing would repeat all of them: ` +
    'webhooks, messages, catalog pushes. Restore the work that belongs to the log, or declare the backlog void ' +
    `with ${SETTLE}.`
  );
}

export interface Named<T> {
  readonly store: T;
  /** For people. */
  readonly name: string;
}

/** Throws the refusal. */
export function requireFit(state: WorkState, log: { readonly name: string }, work: { readonly name: string }): void {
  if (!state.fits) throw new WorkRefused(state, { log: log.name, work: work.name });
}

/** Rejects with WorkRefused. Work that begins with an empty log, or that fits, is noted as this log's. */
export async function checkFit(log: Named<EventStore>, work: Named<DocumentStore>): Promise<void> {
  requireFit(await checkWork(log.store, work.store), log, work);
}
