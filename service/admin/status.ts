/** The whole installation at a glance: who runs, on what, how far, with how much room. */
import { defined } from '../../domain/defined.js';
import { isStoreFailure } from '../../engine/storeFailures.js';
import { ALL_STORES, storage } from '../../projections/storage.js';
import { damageText } from '../folder/damagedFiles.js';
import type { AdminReads } from './context.js';
import { type AdminCommand, adminQuery } from './declaration.js';
import { facts, type Shown, short, table } from './text.js';

/** Events that a projection may be behind without a word. */
const BEHIND = 1_000;
/** Longest that what is due may wait without a word, in ms. */
const LATE_MS = 60_000;

async function readStatus({ installation, projections, processors, reads }: AdminReads) {
  const now = Date.now();
  const [instances, engines, disks, views, running, known, stored] = await Promise.all([
    installation.instances(),
    installation.engines(),
    installation.disks(),
    projections.status(),
    installation.processors(),
    processors().catch(unknownUntilItAnswers),
    // Until it is built, nothing is known of it.
    reads.get(storage, ALL_STORES).catch(() => undefined),
  ]);
  const workers = known ?? [];
  const due = workers.flatMap(({ firstDueAt }) => firstDueAt ?? []);
  const stopped = (all: readonly { readonly name: string; readonly state: string }[]): readonly string[] =>
    all.filter(({ state }) => state === 'stopped').map(({ name }) => name);
  return {
    running: instances.length > 0,
    instances: instances.map(({ startedAt, ...rest }) => ({
      ...rest,
      startedAt: new Date(startedAt).toISOString(),
      uptimeSeconds: Math.max(0, Math.floor((now - startedAt) / 1000)),
    })),
    engines,
    damaged: installation.damaged(),
    projections: {
      count: views.length,
      /** Largest lag of all views. */
      lag: Math.max(0, ...views.map(({ lag }) => lag)),
      behind: views.filter(({ lag }) => lag > BEHIND).map(({ name }) => name),
      rebuilding: views.filter(({ state }) => state === 'rebuilding').map(({ name }) => name),
      stopped: stopped(views),
      waiting: waiting(views),
    },
    processors: {
      count: known?.length ?? running.size,
      /** Absent while the store that knows it does not answer. */
      ...(known && { owed: known.reduce((sum, { owed }) => sum + owed, 0) }),
      ...(due.length > 0 && { firstDueAt: new Date(Math.min(...due)).toISOString() }),
      late: workers.filter(({ firstDueAt = now }) => now - firstDueAt > LATE_MS).map(({ name }) => name),
      stopped: stopped(workers),
      waiting: waiting([...running].map(([name, { trouble }]) => ({ name, ...defined({ trouble }) }))),
    },
    storage: { bytes: stored?.body.bytes ?? 0, items: stored?.body.items ?? 0, disks },
  };
}

interface Waiting {
  readonly name: string;
  readonly trouble?: { readonly error: string; readonly since: string };
}

/** Those that a store's error holds up, and which go on by themselves when that has passed. */
const waiting = (all: readonly Waiting[]) =>
  all.flatMap(({ name, trouble }) =>
    trouble === undefined ? [] : [{ name, error: trouble.error, since: trouble.since }],
  );

function unknownUntilItAnswers(error: unknown): undefined {
  if (!isStoreFailure(error)) throw error;
}

type Status = Awaited<ReturnType<typeof readStatus>>;

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** 93,784 → `1 d 2 h`. */
function spanOf(seconds: number): string {
  const from = UNITS.findIndex(([, size]) => seconds >= size);
  const [unit, next] = UNITS.slice(from === -1 ? UNITS.length - 1 : from);
  const [name, size] = unit!;
  const rest = next === undefined ? 0 : Math.floor((seconds % size) / next[1]);
  return `${Math.floor(seconds / size)} ${name}${rest === 0 ? '' : ` ${rest} ${next![0]}`}`;
}

const bytes = (count: number): string =>
  `${short(count)}B`.replace(/(\d)B$/, '$1 bytes').replace(/(\d)([kMG])B$/, '$1 $2B');

const counted = (count: number, one: string): string => `${short(count)} ${one}${count === 1 ? '' : 's'}`;

const named = (what: string, names: readonly string[]): string =>
  names.length === 0 ? '' : `; ${what}: ${names.join(', ')}`;

/** One line for all that wait for the same error. */
function waitingLines(all: ReturnType<typeof waiting>): readonly string[] {
  return [...new Set(all.map(({ error }) => error))].map((error) => {
    const those = all.filter((one) => one.error === error);
    const since = those.map((one) => one.since).sort()[0];
    return `  ${those.map(({ name }) => name).join(', ')}: ${error} (since ${since})`;
  });
}

function statusText({ running, instances, engines, damaged, projections, processors, storage }: Status): Shown {
  const rows = instances.map(({ name, version, uptimeSeconds, roles, address }) => [
    name,
    version,
    spanOf(uptimeSeconds),
    address,
    roles.join(' '),
  ]);
  const { firstDueAt } = processors;
  const waiting = waitingLines([...projections.waiting, ...processors.waiting]);
  return [
    table(['INSTANCE', 'VERSION', 'UP', 'ADDRESS', 'ROLES'], rows, running ? '' : 'No service runs.'),
    '',
    ...facts({
      ...Object.fromEntries(
        engines.map(({ name, engine, ok, detail }) => [
          `${name[0]!.toUpperCase()}${name.slice(1)}`,
          ok ? engine : `${engine}: ${detail ?? 'unavailable'}`,
        ]),
      ),
      Projections: `${projections.count}, ${projections.lag === 0 ? 'none behind' : `${counted(projections.lag, 'event')} behind at most`}${named('stopped', projections.stopped)}${named('being built', projections.rebuilding)}`,
      Processors: `${processors.count}, ${processors.owed === undefined ? 'backlog unknown' : `${counted(processors.owed, 'effect')} pending`}${firstDueAt === undefined ? '' : `, the next due at ${firstDueAt}`}${named('late', processors.late)}${named('stopped', processors.stopped)}`,
      Storage: `${bytes(storage.bytes)} in ${short(storage.items)} files and recordings`,
      ...Object.fromEntries(
        storage.disks.map(({ name, free, total }) => [
          `Disk of ${name}`,
          free === undefined || total === undefined ? undefined : `${bytes(free)} of ${bytes(total)} free`,
        ]),
      ),
    }),
    ...(waiting.length === 0 ? [] : ['\nWaiting for an unavailable store, retrying:', ...waiting]),
    ...(damaged.length === 0 ? [] : ['\nDamaged files:', ...damaged.map((one) => `  ${damageText(one)}`)]),
  ];
}

export const statusCommands: readonly AdminCommand[] = [
  adminQuery({
    name: 'status',
    words: ['status'],
    about: 'Show instances, versions, engines, lag, backlog and free space.',
    run: readStatus,
    text: statusText,
  }),
  adminQuery({
    name: 'settings',
    words: ['settings'],
    about: 'Show the settings in force. Secrets are not shown.',
    list: 'settings',
    run: async ({ installation }) => ({ settings: installation.settings }),
    text: ({ settings }) =>
      table(
        ['SETTING', 'VALUE', 'SET'],
        settings.map(({ name, value, isSet }) => [name, value, isSet ? 'yes' : '-']),
        'None.',
      ),
  }),
];
