/** Pages of events of a history, shared by the history operations. */
import { actorNames } from '../../../application/console/actorNames.js';
import { historyEntry } from '../../../application/history/historyEntries.js';
import { type HistoryLog, indexedLog } from '../../../application/history/historySteps.js';
import { storeLog } from '../../../application/history/storeView.js';
import type { Timeline, TimelineBounds, TimelineQuestion } from '../../../application/history/timeline.js';
import { defined } from '../../../domain/defined.js';
import type { RequestReads } from '../../contract/operation.js';
import type { Services } from '../../contract/services.js';

/** A request goes through the log for so long, in ms: then it answers what it has found, and where to go on. */
export const WITHIN_MS = 400;
const PAGE = 50;

interface HistoryQuery {
  readonly from?: string;
  readonly to?: string;
  readonly type?: readonly string[];
  readonly actor?: string;
  readonly correlation?: string;
  readonly limit?: number;
}

interface Parts {
  readonly query: object;
  readonly read: RequestReads;
  readonly services: Services;
  readonly workspace: { readonly workspaceId: string };
}

const msOf = (time: string | undefined): number | undefined => (time === undefined ? undefined : Date.parse(time));

/** A page as `timeline` makes it of the store's log, answered. */
export async function historyPage(
  { query, read, services, workspace: { workspaceId } }: Parts,
  timeline: (log: HistoryLog, question: TimelineQuestion, bounds: TimelineBounds) => Promise<Timeline>,
) {
  const { from, to, type: types, actor, correlation: correlationId, limit = PAGE } = query as HistoryQuery;
  const question = defined({ from: msOf(from), to: msOf(to), types, actor, correlationId });
  const cursor = read.cursor([]);
  const after = cursor.after?.[0];
  const bounds = { limit, withinMs: WITHIN_MS, ...defined({ after: after === undefined ? undefined : String(after) }) };
  const log = storeLog(indexedLog(services.eventStore, services.historyIndex), workspaceId);
  const { events, next } = await timeline(log, question, bounds);
  const nameOf = await actorNames(read, events);
  const shown = events.map((event) => {
    const { position: _, workspaceId: __, ...entry } = historyEntry(event, nameOf);
    return entry;
  });
  return { events: shown, ...defined({ next: next === undefined ? undefined : cursor.next([next]) }) };
}
