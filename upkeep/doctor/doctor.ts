/** `suuq doctor`: what is wrong with an installation, or will be at its next start, and what to do. It changes nothing. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defined } from '../../domain/defined.js';
import { silentLog } from '../../engine/ports/log.js';
import { type Space, spaceOf } from '../../infrastructure/files/freeSpace.js';
import { fileStoreName, openFileStore } from '../../service/engines/engines.js';
import { isNewer } from '../../service/folder/folderFormat.js';
import type { Env } from '../../service/settings/environment.js';
import { dataFolderOf, type Settings } from '../../service/settings/settings.js';
import { openStored, storedHome } from '../verify/storedData.js';
import { type Clocks, clocksCheck } from './clocksCheck.js';
import { embeddedLogCheck, eventStoreDbCheck, mongoCheck } from './engineChecks.js';
import { type Check, type Finding, ok, problem, warning } from './finding.js';
import { folderCheck } from './folderCheck.js';
import { keysCheck } from './keysCheck.js';
import { diskCheck, nodeCheck } from './machineChecks.js';
import { proofsCheck } from './proofsCheck.js';
import { runChecks } from './runChecks.js';
import { type Running, runningOn } from './runningService.js';
import { portsCheck, serviceCheck } from './serviceChecks.js';
import { readAllSettings, settingsCheck } from './settingsCheck.js';
import { belongingCheck, processorsCheck, projectionsCheck } from './storedChecks.js';

export interface DoctorInput {
  readonly env: Env;
  /** Version of this release. */
  readonly version: string;
  /** Versions of Node that it takes, as package.json has it. */
  readonly nodeNeeded: string;
  readonly nodeVersion?: string;
  /** ms since 1970. */
  now?(): number;
  /** Free space on the disk of a path; replaces the file system's for tests. */
  space?(path: string): Promise<Space>;
}

export interface Diagnosis {
  /** True if there is no problem; warnings do not count. */
  readonly ok: boolean;
  readonly version: string;
  /** RFC 3339. */
  readonly at: string;
  readonly problems: number;
  readonly warnings: number;
  readonly findings: readonly Finding[];
}

/** Longest wait for one answer of an engine, in ms: a few of them come after each other. */
const CALL_MS = 3_000;
const CLOSE_MS = 2_000;

/** Calls the function at most once, on first use. */
function once<T>(request: () => Promise<T>): () => Promise<T> {
  let requested: Promise<T> | undefined;
  return () => (requested ??= request());
}

/** All checks run concurrently; ends within about 15 s. Findings contain no secret. */
export async function diagnosed(input: DoctorInput): Promise<Diagnosis> {
  const { env, version, nodeNeeded, nodeVersion = process.versions.node, now = Date.now } = input;
  const read = readAllSettings(env);
  const opened: (() => Promise<void>)[] = [];
  const checks: Check[] = [nodeCheck(nodeVersion, nodeNeeded), settingsCheck(env, read)];
  const { settings } = read;
  if (settings !== undefined) {
    // If an engine's setting is wrong, its default engine is not the intended one.
    const isIntended = !read.wrong.some(({ name }) => /^(EVENTSTORE_URL|MONGODB_URL|SUUQ_MASTER_KEY)/.test(name));
    checks.push(...(await checksOf(settings, { ...input, now, isIntended }, opened)));
  } else checks.push(notChecked);
  try {
    const findings = await runChecks(checks);
    const count = (level: Finding['level']): number => findings.filter((one) => one.level === level).length;
    const problems = count('problem');
    const at = new Date(now()).toISOString();
    return { ok: problems === 0, version, at, problems, warnings: count('warning'), findings };
  } finally {
    await Promise.race([Promise.allSettled(opened.map((close) => close())), late(CLOSE_MS)]);
  }
}

const late = (ms: number): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, ms).unref();
  });

const passedOver = (why: string, todo: string): Check => ({
  name: 'folder',
  run: async () => [warning('not_looked_at', why, todo)],
});

const notChecked = passedOver(
  'Nothing else was looked at, since a setting that it needs is missing.',
  'Set it first, and ask again.',
);

/** Reading alone moves a write-ahead log into its file, by rules that this release knows of its own formats. */
const newerLeftAlone = passedOver(
  'What is stored was not looked at, and is as it was: this release does not know its format.',
  'Ask the doctor of the newer release.',
);

interface Context extends Required<Pick<DoctorInput, 'now'>>, Pick<DoctorInput, 'env' | 'space'> {
  readonly isIntended: boolean;
}

async function checksOf(
  settings: Settings,
  { env, now, space = spaceOf, isIntended }: Context,
  opened: (() => Promise<void>)[],
): Promise<readonly Check[]> {
  const folder = resolve(dataFolderOf(env));
  const running = await runningOn(folder);
  const own = [
    folderCheck(folder, settings),
    diskCheck(settings, space),
    serviceCheck(running),
    portsCheck(settings, running),
    filesCheck(settings),
  ];
  if (isNewer(folder)) return [...own, newerLeftAlone];
  return isIntended ? [...own, ...engineChecks(settings, folder, running, now, opened)] : own;
}

function engineChecks(
  settings: Settings,
  folder: string,
  running: Running,
  now: () => number,
  opened: (() => Promise<void>)[],
): readonly Check[] {
  const { eventStoreUrl, mongoUrl } = settings;
  const checks: Check[] = [];
  const clocks: (() => Promise<Clocks>)[] = [];
  if (eventStoreUrl === undefined) checks.push(embeddedLogCheck(folder));
  else {
    const facts = once(async () => {
      const { examineEventStoreDb } = await import('../../infrastructure/eventstoredb/examination.js');
      return examineEventStoreDb(eventStoreUrl, CALL_MS);
    });
    checks.push(
      eventStoreDbCheck({ url: eventStoreUrl, ...defined({ maxAppendSize: settings.maxAppendSize }) }, facts),
    );
    clocks.push(async () => named('EventStoreDB at ', (await facts()).clocks));
  }
  if (mongoUrl === undefined) checks.push(embeddedDocumentsCheck(settings, folder));
  else {
    const facts = once(async () => {
      const { examineMongo } = await import('../../infrastructure/mongodb/examination.js');
      return examineMongo(mongoUrl, CALL_MS);
    });
    checks.push(mongoCheck(mongoUrl, facts));
    clocks.push(async () => new Map([['MongoDB', (await facts()).clockAheadMs]]));
  }
  const stored = once(async () => {
    if (eventStoreUrl === undefined && !existsSync(join(folder, 'events.db'))) return undefined;
    const open = await openStored(settings, folder, silentLog);
    opened.push(() => open.close());
    return open;
  });
  const isServed = eventStoreUrl !== undefined || mongoUrl !== undefined;
  const names = {
    log: eventStoreUrl === undefined ? 'events.db' : 'EventStoreDB',
    work: mongoUrl === undefined ? 'work.db' : 'MongoDB',
    isServed,
  };
  return [
    ...checks,
    clocksCheck(clocks, eventStoreUrl === undefined ? stored : undefined, now),
    belongingCheck(stored, names),
    keysCheck(stored, running),
    projectionsCheck(stored, running),
    processorsCheck(stored, running, now),
    proofsCheck(stored, running, { settings, folder }),
  ];
}

const named = (before: string, clocks: Clocks): Clocks =>
  new Map([...clocks].map(([name, ahead]) => [`${before}${name}`, ahead]));

const embeddedDocumentsCheck = (settings: Settings, folder: string): Check => ({
  name: 'documents',
  async run() {
    const home = storedHome(settings, folder);
    const there = ['views.db', 'work.db'].filter((name) => existsSync(join(home, name)));
    if (there.length === 0) return [ok('documents_not_begun', 'There is no document yet.')];
    return [ok('documents_right', `${there.join(' and ')} are in the data folder.`)];
  },
});

/** A bucket is queried; other checks examine a folder's disk and permissions. */
const filesCheck = (settings: Settings): Check => ({
  name: 'files',
  async run() {
    const name = fileStoreName(settings);
    if ('folder' in settings.files) return [ok('files_in_folder', `Files are kept in the ${name}.`)];
    const store = await openFileStore(settings, false);
    try {
      const trouble = await store.check();
      if (trouble === undefined) return [ok('files_right', `Files are kept in the ${name}.`)];
      return [
        problem(
          'files_unreachable',
          `The ${name}: ${trouble}.`,
          'Check SUUQ_FILES, its region and endpoint, and the AWS credentials of the environment.',
        ),
      ];
    } finally {
      await store.close();
    }
  },
});
