import { type AdminCommand, adminCommand, adminQuery } from './declaration.js';
import { argument, reason, text, time } from './options.js';
import { followRebuild } from './rebuild.js';
import {
  processorsStatus,
  processorTasks,
  retryProcessorWork,
  skipProcessorEvent,
  skipProjectionEvent,
} from './stoppedReaders.js';
import { bar, type Shown, short, table } from './text.js';
import { projectionsStatus, rebuildProjections } from './upkeep.js';

type Status = Awaited<ReturnType<typeof projectionsStatus>>;
type Processors = Awaited<ReturnType<typeof processorsStatus>>;

/** Number of events, or of bytes with their unit. */
const behind = ({ lag, unit }: { readonly lag: number; readonly unit?: 'bytes' }): string =>
  `${short(lag)}${unit === 'bytes' ? 'B' : ''}`;

interface Waiting {
  readonly name: string;
  readonly trouble?: { readonly error: string; readonly since: string; readonly attempts?: number };
}

function waitingText(all: readonly Waiting[]): readonly string[] {
  const waiting = all.flatMap(({ name, trouble }) => {
    if (trouble === undefined) return [];
    const attempts = trouble.attempts === undefined ? '' : `, ${trouble.attempts} attempts`;
    return [`${name}: ${trouble.error} (since ${trouble.since}${attempts})`];
  });
  return waiting.length === 0 ? [] : [`\nWaiting for an unavailable store, retrying:\n${waiting.join('\n')}`];
}

const statusText = ({ projections }: Status): Shown => {
  // If several instances run them, the owner of each is shown.
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
  const differing = projections.flatMap((one) => (one.differing ? [`${one.name}: ${one.differing} documents`] : []));
  return [
    list,
    ...(stopped.length === 0 ? [] : [`\nStopped by:\n${stopped.join('\n')}`]),
    ...waitingText(projections),
    ...(differing.length === 0
      ? []
      : [`\nDiffer from the log (list the documents with 'suuq verify', then rebuild):\n${differing.join('\n')}`]),
    ...(changed.length === 0
      ? []
      : [`\nBuilt by different handlers of the same version (raise the version, or rebuild):\n${changed.join('\n')}`]),
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
  const list = table(head, rows, 'No processor has started yet.');
  return [list, ...(stopped.length === 0 ? [] : [`\nStopped by:\n${stopped.join('\n')}`]), ...waitingText(processors)];
};

const skipOptions = {
  name: argument('name', { required: true }),
  event: text({ value: 'ID', about: 'Id of the event it stopped at, as in its status.', required: true }),
  reason: reason('Reason for skipping the event. Stored in the log.'),
};

export const upkeepCommands: readonly AdminCommand[] = [
  adminQuery({
    name: 'projections.status',
    words: ['projections', 'status'],
    about: 'Show the progress of the read models.',
    list: 'projections',
    run: projectionsStatus,
    text: statusText,
  }),
  adminCommand({
    name: 'projections.rebuild',
    words: ['projections', 'rebuild'],
    about: 'Rebuild one read model or all of them, and wait until it is done.',
    options: { name: argument('name') },
    run: rebuildProjections,
    follow: followRebuild,
    text: statusText as never,
  }),
  adminCommand({
    name: 'projections.skip',
    words: ['projections', 'skip'],
    about: 'Skip the event at which a read model stopped.',
    options: skipOptions,
    run: skipProjectionEvent,
    text: ({ name, version, event, changed, goesOn }) =>
      `${name}, version ${version}, ${changed ? 'skips' : 'already skips'} ${event}; ${
        goesOn ? 'it continues.' : 'it continues as soon as an instance runs it.'
      }`,
  }),
  adminQuery({
    name: 'processors.status',
    words: ['processors', 'status'],
    about: 'Show the progress and the backlog of the processors.',
    list: 'processors',
    run: processorsStatus,
    text: processorsText,
  }),
  adminQuery({
    name: 'processors.tasks',
    words: ['processors', 'tasks'],
    about: "List a processor's next tasks with their numbers of attempts.",
    options: { name: argument('name', { required: true }) },
    list: 'tasks',
    run: processorTasks,
    text: ({ tasks }) =>
      table(
        ['TASK', 'KIND', 'ATTEMPT', 'DUE', 'NOTED'],
        tasks.map(({ id, kind, attempt, dueAt, createdAt }) => [id, kind, attempt, dueAt, createdAt]),
        'No pending tasks.',
      ),
  }),
  adminCommand({
    name: 'processors.retry',
    words: ['processors', 'retry'],
    about: "Retry a processor's waiting tasks and its stopped event now.",
    options: {
      name: argument('name', { required: true }),
      task: text({ value: 'ID', about: 'Only this task, even a timer that is not due yet.' }),
      since: time({ value: 'TIME', about: 'Only tasks created since.' }),
    },
    either: { of: ['task', 'since'], required: false },
    run: retryProcessorWork,
    text: ({ name, tasks, event }) =>
      `${name}: ${tasks} ${tasks === 1 ? 'task is' : 'tasks are'} due now${
        event === undefined ? '' : `; ${event} is retried within a second if an instance runs the processor`
      }.`,
  }),
  adminCommand({
    name: 'processors.skip',
    words: ['processors', 'skip'],
    about: 'Skip the event at which a processor stopped.',
    options: skipOptions,
    run: skipProcessorEvent,
    text: ({ name, event, changed }) =>
      `${name} ${changed ? 'skips' : 'already skips'} ${event}; it continues within a second if an instance runs it.`,
  }),
];
