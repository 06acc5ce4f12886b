import { renderOrderHistory } from '../../../application/orders/renderOrderHistory.js';
import type { processorsStatus, skipProcessorEvent, skipProjectionEvent } from '../../admin/skipping.js';
import type { orderHistory, projectionsStatus, rebuildProjections } from '../../admin/upkeep.js';
import { type CliCommand, type CliOption, command, type Typed, UsageError } from '../command.js';
import { followRebuild } from '../rebuild.js';
import { bar, short, table } from '../text.js';

type Status = Awaited<ReturnType<typeof projectionsStatus>>;
type Begun = Awaited<ReturnType<typeof rebuildProjections>>;
type Processors = Awaited<ReturnType<typeof processorsStatus>>;
type SkippedByProjection = Awaited<ReturnType<typeof skipProjectionEvent>>;
type SkippedByProcessor = Awaited<ReturnType<typeof skipProcessorEvent>>;
type History = Awaited<ReturnType<typeof orderHistory>>;
type Rendered = Parameters<typeof renderOrderHistory>[0];

const statusText = ({ projections }: Status): string => {
  // Where others run some of them, it is told who runs which.
  const shared = projections.some(({ owner, state }) => owner !== undefined || state === 'elsewhere');
  const skipping = projections.some(({ skipped = 0 }) => skipped > 0);
  const rows = projections.map(({ name, version, state, position, head, lag, eventsPerSecond, skipped, owner }) => [
    name,
    version,
    state,
    bar(lag === 0 ? 1 : (position + 1) / (head + 1)),
    short(lag),
    short(eventsPerSecond),
    ...(skipping ? [skipped ?? ''] : []),
    ...(shared ? [owner ?? (state === 'elsewhere' ? 'nobody' : 'this one')] : []),
  ]);
  const stopped = projections.flatMap(({ name, poison }) => (poison ? [`${name}: ${JSON.stringify(poison)}`] : []));
  const text = table(
    [
      ...['PROJECTION', 'VERSION', 'STATE', 'PROGRESS', 'BEHIND', 'EVENTS/S'],
      ...(skipping ? ['SKIPPED'] : []),
      ...(shared ? ['RUN BY'] : []),
    ],
    rows,
    'There are no projections.',
  );
  return stopped.length === 0 ? text : `${text}\n\nStopped by:\n${stopped.join('\n')}`;
};

const processorsText = ({ processors }: Processors): string => {
  const rows = processors.map(({ name, state, position, head, owed, skipped }) => [
    name,
    state,
    short(Math.max(0, head - position)),
    short(owed),
    skipped,
  ]);
  const stopped = processors.flatMap(({ name, stop }) => (stop ? [`${name}: ${JSON.stringify(stop)}`] : []));
  const text = table(['PROCESSOR', 'STATE', 'BEHIND', 'OWED', 'SKIPPED'], rows, 'No processor has begun yet.');
  return stopped.length === 0 ? text : `${text}\n\nStopped by:\n${stopped.join('\n')}`;
};

const skipOptions: Readonly<Record<string, CliOption>> = {
  event: { value: 'ID', about: 'The event that it stands at, as its status names it.', required: true },
  reason: { value: 'TEXT', about: 'Why it may be passed over; kept in the log.', required: true },
};
const skipInput = (typed: Typed) => ({
  name: typed.argument(0),
  event: typed.one('event'),
  reason: typed.one('reason'),
});

/** RFC 3339 or any other time that names its offset; a bare local time would mean another moment on each machine. */
function time(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (Number.isNaN(Date.parse(text)) || !/^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/i.test(text))
    throw new UsageError(`--at ${text} is no time: write it as 2026-11-01T12:00:00Z`);
  return text;
}

export const upkeepCommands: readonly CliCommand[] = [
  command<Status>({
    words: ['projections', 'status'],
    about: 'Shows how far the read models are.',
    admin: { command: 'projections.status', input: () => ({}) },
    text: statusText,
  }),
  command<Begun>({
    words: ['projections', 'rebuild'],
    about: 'Builds a read model anew beside the one that answers, or all of them, and waits.',
    arguments: [{ name: 'name', optional: true }],
    admin: { command: 'projections.rebuild', input: (typed) => ({ name: typed.argument(0) }) },
    follow: followRebuild,
    text: statusText as never,
  }),
  command<SkippedByProjection>({
    words: ['projections', 'skip'],
    about: 'Lets a read model pass over the event that it stopped at.',
    arguments: [{ name: 'name' }],
    options: skipOptions,
    admin: { command: 'projections.skip', input: skipInput },
    text: ({ name, version, event, changed, goesOn }) =>
      `${name}, version ${version}, ${changed ? 'passes over' : 'already passes over'} ${event}; ${
        goesOn ? 'it goes on.' : 'it goes on as soon as an instance runs it.'
      }`,
  }),
  command<Processors>({
    words: ['processors', 'status'],
    about: 'Shows how far the processors are, and what they owe.',
    admin: { command: 'processors.status', input: () => ({}) },
    text: processorsText,
  }),
  command<SkippedByProcessor>({
    words: ['processors', 'skip'],
    about: 'Lets a processor pass over the event that it stopped at.',
    arguments: [{ name: 'name' }],
    options: skipOptions,
    admin: { command: 'processors.skip', input: skipInput },
    text: ({ name, event, changed }) =>
      `${name} ${changed ? 'passes over' : 'already passes over'} ${event}; it goes on within a second where it runs.`,
  }),
  command<History>({
    words: ['history', 'order'],
    about: 'Replays an order from its events, and shows it as it was then.',
    arguments: [{ name: 'id' }],
    options: { at: { value: 'TIME', about: 'Such as 2026-11-01T12:00:00Z; now when absent.' } },
    admin: { command: 'history.order', input: (typed) => ({ id: typed.argument(0), at: time(typed.one('at')) }) },
    text: (history) => renderOrderHistory(history as Rendered),
  }),
];
