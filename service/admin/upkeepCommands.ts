import { type AdminCommand, adminCommand, adminQuery, type Option } from './declaration.js';
import { argument, text, time } from './options.js';
import { followRebuild } from './rebuild.js';
import {
  MOST_REASON,
  processorsStatus,
  processorTasks,
  retryProcessorWork,
  skipProcessorEvent,
  skipProjectionEvent,
} from './skipping.js';
import { bar, type Shown, short, table } from './text.js';
import { projectionsStatus, rebuildProjections } from './upkeep.js';

type Status = Awaited<ReturnType<typeof projectionsStatus>>;
type Processors = Awaited<ReturnType<typeof processorsStatus>>;

/** Events; bytes of the log say so. */
const behind = ({ lag, unit }: { readonly lag: number; readonly unit?: 'bytes' }): string =>
  `${short(lag)}${unit === 'bytes' ? 'B' : ''}`;

const statusText = ({ projections }: Status): Shown => {
  // Where others run some of them, it is told who runs which.
  const shared = projections.some(({ owner, state }) => owner !== undefined || state === 'elsewhere');
  const skipping = projections.some(({ skipped = 0 }) => skipped > 0);
  const rows = projections.map((one) => [
    one.name,
    one.version,
    one.state,
    bar(one.lag === 0 ? 1 : (one.position + 1) / (one.head + 1)),
    behind(one),
    short(one.eventsPerSecond),
    ...(skipping ? [one.skipped ?? ''] : []),
    ...(shared ? [one.owner ?? (one.state === 'elsewhere' ? 'nobody' : 'this one')] : []),
  ]);
  const stopped = projections.flatMap(({ name, poison }) => (poison ? [`${name}: ${JSON.stringify(poison)}`] : []));
  const list = table(
    [
      ...['PROJECTION', 'VERSION', 'STATE', 'PROGRESS', 'BEHIND', 'EVENTS/S'],
      ...(skipping ? ['SKIPPED'] : []),
      ...(shared ? ['RUN BY'] : []),
    ],
    rows,
    'There are no projections.',
  );
  const changed = projections.filter(({ handlersChanged }) => handlersChanged).map(({ name }) => name);
  return [
    list,
    ...(stopped.length === 0 ? [] : [`\nStopped by:\n${stopped.join('\n')}`]),
    ...(changed.length === 0
      ? []
      : [`\nBegun by other handlers of the same version (raise it, or rebuild them):\n${changed.join('\n')}`]),
  ];
};

const processorsText = ({ processors }: Processors): Shown => {
  const shared = processors.some(({ owner }) => owner !== undefined);
  const rows = processors.map((one) => [
    ...[one.name, one.state, behind(one), short(one.owed), one.skipped],
    one.effectsPerSecond === undefined ? '-' : short(Math.round(one.effectsPerSecond)),
    ...(shared ? [one.owner ?? 'nobody'] : []),
  ]);
  const stopped = processors.flatMap(({ name, stop }) => (stop ? [`${name}: ${JSON.stringify(stop)}`] : []));
  const head = ['PROCESSOR', 'STATE', 'BEHIND', 'OWED', 'SKIPPED', 'EFFECTS/S', ...(shared ? ['RUN BY'] : [])];
  const list = table(head, rows, 'No processor has begun yet.');
  return stopped.length === 0 ? list : [list, `\nStopped by:\n${stopped.join('\n')}`];
};

const reason = text({ value: 'TEXT', about: 'Why it may be passed over; kept in the log.', required: true });
const skipOptions = {
  name: argument('name', { required: true }),
  event: text({ value: 'ID', about: 'The event that it stands at, as its status names it.', required: true }),
  reason: {
    ...reason,
    check(fields, name) {
      const value = reason.check(fields, name);
      if (value.length > MOST_REASON) fields.problem(name, `must not be longer than ${MOST_REASON} characters`);
      return value;
    },
  } satisfies Option<string>,
};

export const upkeepCommands: readonly AdminCommand[] = [
  adminQuery({
    name: 'projections.status',
    words: ['projections', 'status'],
    about: 'Shows how far the read models are.',
    list: 'projections',
    run: projectionsStatus,
    text: statusText,
  }),
  adminCommand({
    name: 'projections.rebuild',
    words: ['projections', 'rebuild'],
    about: 'Builds a read model anew beside the one that answers, or all of them, and waits.',
    options: { name: argument('name') },
    run: rebuildProjections,
    follow: followRebuild,
    text: statusText as never,
  }),
  adminCommand({
    name: 'projections.skip',
    words: ['projections', 'skip'],
    about: 'Lets a read model pass over the event that it stopped at.',
    options: skipOptions,
    run: skipProjectionEvent,
    text: ({ name, version, event, changed, goesOn }) =>
      `${name}, version ${version}, ${changed ? 'passes over' : 'already passes over'} ${event}; ${
        goesOn ? 'it goes on.' : 'it goes on as soon as an instance runs it.'
      }`,
  }),
  adminQuery({
    name: 'processors.status',
    words: ['processors', 'status'],
    about: 'Shows how far the processors are, and what they owe.',
    list: 'processors',
    run: processorsStatus,
    text: processorsText,
  }),
  adminQuery({
    name: 'processors.tasks',
    words: ['processors', 'tasks'],
    about: 'Shows the tasks of a processor that are due first, and how often each was tried.',
    options: { name: argument('name', { required: true }) },
    list: 'tasks',
    run: processorTasks,
    text: ({ tasks }) =>
      table(
        ['TASK', 'KIND', 'ATTEMPT', 'DUE', 'NOTED'],
        tasks.map(({ id, kind, attempt, dueAt, createdAt }) => [id, kind, attempt, dueAt, createdAt]),
        'It owes nothing.',
      ),
  }),
  adminCommand({
    name: 'processors.retry',
    words: ['processors', 'retry'],
    about: 'Has a processor try again now: tasks that wait for another attempt, and the event that it stopped at.',
    options: {
      name: argument('name', { required: true }),
      task: text({ value: 'ID', about: 'This task alone, also a timer whose time has not come.' }),
      since: time({ value: 'TIME', about: 'Only tasks that were noted since.' }),
    },
    either: { of: ['task', 'since'], required: false },
    run: retryProcessorWork,
    text: ({ name, tasks, event }) =>
      `${name}: ${tasks} ${tasks === 1 ? 'task is' : 'tasks are'} due now${
        event === undefined ? '' : `; ${event} is tried again within a second where it runs`
      }.`,
  }),
  adminCommand({
    name: 'processors.skip',
    words: ['processors', 'skip'],
    about: 'Lets a processor pass over the event that it stopped at.',
    options: skipOptions,
    run: skipProcessorEvent,
    text: ({ name, event, changed }) =>
      `${name} ${changed ? 'passes over' : 'already passes over'} ${event}; it goes on within a second where it runs.`,
  }),
];
