/** `suuq history`: what happened to one thing, by whom, what it was then, and what is another since. */
import { actorNames } from '../../application/console/actorNames.js';
import { differences } from '../../application/history/differences.js';
import { historyEntry } from '../../application/history/historyEntries.js';
import { indexedLog } from '../../application/history/historySteps.js';
import { HISTORY_KINDS, type HistoryKind, type Subject, subjectOf } from '../../application/history/historySubjects.js';
import { statesAt } from '../../application/history/pastStates.js';
import { checkRange } from '../../application/history/ranges.js';
import { type Timeline, timelineOf, timelineOfRequest } from '../../application/history/timeline.js';
import { DomainError } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { checkTypes } from '../eventTypes.js';
import type { AdminReads } from './context.js';
import { type AdminCommand, adminQuery, type Input, type Options } from './declaration.js';
import { externalIdArgument, historyOptions, idArgument, ranged, workspaceArgument } from './historyOptions.js';
import type { HistoryDiff, HistoryResult, HistorySubject } from './historyResult.js';
import { diffText, historyText, requestText } from './historyText.js';
import { text } from './options.js';

/** An operator waits so long for a page, and for a state, in ms; other requests go through meanwhile. */
const WITHIN_MS = 10_000;

type HistoryRequest = Input<typeof historyOptions> & { readonly id: string; readonly workspace?: string };

const subjectFields = ({ kind, id, workspaceId }: Subject): HistorySubject => ({
  kind,
  id,
  ...defined({ workspaceId }),
});

async function entriesOf({ reads }: AdminReads, { events, next }: Timeline) {
  const nameOf = await actorNames(reads, events, { accounts: true });
  return { events: events.map((event) => historyEntry(event, nameOf)), ...defined({ next }) };
}

/** Refuses `unknown_event_type`. */
function questionOf({ eventTypes }: Pick<AdminReads, 'eventTypes'>, { from, to, type, actor }: Input<typeof ranged>) {
  checkTypes(type, eventTypes);
  return defined({ from, to, actor, types: type.length === 0 ? undefined : type });
}

/** State next to a page. If it takes too long and no time was given, it is omitted. */
async function stateNextTo(work: AdminReads, subject: Subject, moment: number | undefined) {
  try {
    const bounds = { withinMs: WITHIN_MS, now: Date.now() };
    const [state] = await statesAt(work.eventLog, subject, [moment ?? Number.POSITIVE_INFINITY], bounds);
    return state;
  } catch (error) {
    if (moment === undefined && error instanceof DomainError && error.code === 'history_too_long') return undefined;
    throw error;
  }
}

async function compared(
  work: AdminReads,
  subject: Subject,
  [from, to]: readonly [number, number],
): Promise<HistoryDiff> {
  checkRange(from, to);
  const [was, is] = await statesAt(work.eventLog, subject, [from, to], { withinMs: WITHIN_MS, now: Date.now() });
  const times = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  return { ...subjectFields(subject), ...times, changes: differences(was, is) };
}

/**
 * History of one subject. Refuses `unknown_event_type`, `not_found`, `range_reversed`, `before_first_event`, `history_too_long`,
 * `invalid_cursor`.
 */
export async function historyOf(
  work: AdminReads,
  kind: HistoryKind,
  input: HistoryRequest,
): Promise<HistoryResult | HistoryDiff> {
  const { at, to, diff, after, limit, correlation: correlationId } = input;
  const id = kind === 'product' ? input.id : input.id.toLowerCase();
  const { reads } = work;
  const log = indexedLog(work.eventLog, work.historyIndex);
  checkRange(input.from, to);
  const filters = questionOf(work, input);
  const subject = await subjectOf({ log, reads }, { kind, id, workspaceId: input.workspace?.toLowerCase() });
  if (diff !== undefined) return compared(work, subject, diff);
  // What happened in that very millisecond counts.
  const until = [to, at === undefined ? undefined : at + 1].filter((one) => one !== undefined);
  const end = until.length === 0 ? undefined : Math.min(...until);
  const state =
    after === undefined ? await stateNextTo(work, subject, end === undefined ? undefined : end - 1) : undefined;
  const question = { ...filters, ...defined({ correlationId, to: end }) };
  const page = await timelineOf(log, subject, question, { limit, after, withinMs: WITHIN_MS });
  return { ...subjectFields(subject), ...defined({ state }), ...(await entriesOf(work, page)) };
}

/** Scripts know an order's history by these names. */
const named = (result: HistoryResult | HistoryDiff) =>
  'state' in result && result.kind === 'order' ? { orderId: result.id, order: result.state, ...result } : result;

const ABOUT: Readonly<Record<HistoryKind, string>> = {
  store: 'Show the history of a store, and its state at a time.',
  order: 'Replay an order from its events, up to a time.',
  product: 'Show the history of a product, and its state at a time.',
  promotion: 'Show the history and uses of a promotion, and its state at a time.',
  conversation: 'Show the history of a conversation, and its state at a time.',
  member: 'Show the history of a member of a store, and their state at a time.',
  key: 'Show the history of an API key of a store or a partner.',
  delivery: "Show the history of a store's delivery settings, by workspace id.",
};

const argumentsOf = (kind: HistoryKind): Options =>
  kind === 'product' ? { workspace: workspaceArgument, id: externalIdArgument } : { id: idArgument };

const ofKind = (kind: HistoryKind): AdminCommand =>
  adminQuery({
    name: `history.${kind}`,
    words: ['history', kind],
    about: ABOUT[kind],
    options: { ...argumentsOf(kind), ...historyOptions },
    run: async (work, input) => named(await historyOf(work, kind, input as unknown as HistoryRequest)),
    text: (result: HistoryResult | HistoryDiff) => ('changes' in result ? diffText(result) : historyText(result)),
  });

export const historyCommands: readonly AdminCommand[] = [
  ...HISTORY_KINDS.map(ofKind),
  adminQuery({
    name: 'history.request',
    words: ['history', 'request'],
    about: 'Show everything that a request caused, by its X-Request-Id.',
    options: { id: idArgument, workspace: text({ value: 'ID', about: 'Only events of this store.' }), ...ranged },
    async run(work, input) {
      const { id: correlationId, workspace: workspaceId, after, limit } = input;
      const question = { ...questionOf(work, input), ...defined({ correlationId, workspaceId }) };
      const log = indexedLog(work.eventLog, work.historyIndex);
      const page = await timelineOfRequest(log, question, { limit, after, withinMs: WITHIN_MS });
      return { correlationId, ...(await entriesOf(work, page)) };
    },
    text: requestText,
  }),
];
