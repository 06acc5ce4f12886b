/** Starts the emulator of test/mongoEmulator once a process: built with Maven, run with Java, ended with this process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';

const SOURCES = join(process.cwd(), 'test', 'mongoEmulator');
const CACHE = join(process.cwd(), 'node_modules', '.cache', 'suuq-mongo-emulator');
const BUILD_MS = 150_000;
const START_MS = 30_000;

const isOnPath = (command: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, command)));

/** Address of a running emulator for tests, as host:port. */
const configuredAddress = (): string | undefined => process.env.SUUQ_TEST_MONGO_EMULATOR || undefined;

/** Why there can be no emulator here; undefined when there can. */
export function noEmulator(): string | undefined {
  if (configuredAddress() !== undefined || (isOnPath('mvn') && isOnPath('java'))) return undefined;
  return 'no emulator: neither SUUQ_TEST_MONGO_EMULATOR is set nor are mvn and java at hand';
}

/** Resolves to the exit code, or 'late'. */
function ended(child: ChildProcess, ms: number): Promise<number | 'late' | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      resolve('late');
    }, ms);
    child.once('error', () => resolve(-1));
    child.once('exit', (code) => {
      clearTimeout(timer);
      resolve(code);
    });
  });
}

async function maven(folder: string, ...options: string[]): Promise<boolean> {
  const requested = ['-q', '-B', ...options, `-DbuildDirectory=${folder}`, 'compile'];
  return (await ended(spawn('mvn', requested, { cwd: SOURCES, stdio: 'ignore' }), BUILD_MS)) === 0;
}

/** The folder with classes and jars of these very sources; without the network where Maven has the jars already. */
async function built(): Promise<string> {
  const java = join('src', 'main', 'java', 'suuq');
  const classes = (await readdir(join(SOURCES, java))).sort().map((name) => join(java, name));
  const hash = createHash('sha256');
  for (const file of ['pom.xml', ...classes]) hash.update(await readFile(join(SOURCES, file)));
  const folder = join(CACHE, hash.digest('hex').slice(0, 16));
  if (existsSync(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  const building = await mkdtemp(join(CACHE, 'building-'));
  try {
    if (!((await maven(building, '-o')) || (await maven(building))))
      throw new Error('mvn cannot build test/mongoEmulator; run `mvn compile` there to see why');
    // Another process may have built the same meanwhile.
    await rename(building, folder).catch(() => undefined);
  } finally {
    await rm(building, { recursive: true, force: true });
  }
  return folder;
}

async function portOf(child: ChildProcess): Promise<number> {
  const late = setTimeout(() => child.kill('SIGKILL'), START_MS);
  try {
    for await (const line of createInterface({ input: child.stdout! })) if (/^\d+$/.test(line)) return Number(line);
    throw new Error(`the emulator of MongoDB did not start within ${START_MS} ms`);
  } finally {
    clearTimeout(late);
  }
}

export interface EmulatorProcess {
  /** host:port */
  readonly address: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** An emulator of its own, for tests that end it. It ends with this process, and does not keep it alive. */
async function startEmulator(): Promise<EmulatorProcess> {
  const folder = await built();
  const classes = [join(folder, 'classes'), join(folder, 'jars', '*')].join(delimiter);
  const options = ['-Xmx512m', '-cp', classes, 'suuq.MongoEmulator', 'attached'];
  const child = spawn('java', options, { stdio: ['pipe', 'pipe', 'ignore'] });
  child.once('error', () => undefined);
  const address = `127.0.0.1:${await portOf(child)}`;
  child.unref();
  for (const pipe of [child.stdin, child.stdout]) (pipe as unknown as { unref?(): void } | null)?.unref?.();
  return {
    address,
    pid: child.pid!,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      const exit = ended(child, START_MS);
      child.stdin.end();
      child.kill('SIGTERM');
      await exit;
    },
  };
}

let shared: Promise<string> | undefined;

/** host:port of the emulator that all tests of this process share. Building it may take two minutes the first time. */
export function emulatorAddress(): Promise<string> {
  const address = configuredAddress();
  if (address !== undefined) return Promise.resolve(address);
  shared ??= startEmulator().then((emulator) => emulator.address);
  return shared;
}
