import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DemoFile as Demo } from '../../service/composition/firstSteps.js';
import { flags as checkedFlags } from './checkedFlags.js';

export type { Demo };

/** The service as a process of its own, as an operator runs it; ended by its own id. */
export interface ServiceProcess {
  readonly baseUrl: string;
  readonly pid: number;
  /** ms from the start of the process until /readyz answered 200. */
  readonly readyMs: number;
  /** Exit code or signal, and the output, of a process that ended unexpectedly. */
  endedByItself(): string | undefined;
  /** The last 200,000 characters that it wrote. */
  output(): string;
  /** Bytes of memory that are resident now. */
  resident(): number;
  /** SIGTERM, and SIGKILL when it has not ended in 15 s; answers the exit code. */
  stop(): Promise<number | null>;
  /** kill -9: nothing is finished, nothing is flushed. */
  kill(): Promise<void>;
}

export const projectFolder = fileURLToPath(new URL('../../../', import.meta.url));
export const suuqCommand = join(projectFolder, 'bin/suuq.mjs');

export function temporaryFolder(prefix = 'suuq-'): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), prefix));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** As `npm start` has them: room for the garbage of many requests at once. */
const NODE_FLAGS = ['--max-semi-space-size=32'];

/**
 * Environment of every service and command of tests: the engines that tests against servers use must not reach other
 * tests, and a first start fills no demo store.
 */
export const EMBEDDED: Readonly<Record<string, string>> = {
  EVENTSTORE_URL: '',
  MONGODB_URL: '',
  SUUQ_MASTER_KEY: '',
  SUUQ_DEMO: 'empty',
};

const QUIET: Readonly<Record<string, string>> = {
  ...EMBEDDED,
  PORT: '0',
  SUUQ_RATE_IP: '0',
  SUUQ_RATE_KEY: '0',
  SUUQ_RATE_USER: '0',
  SUUQ_LOG: 'error',
  SUUQ_ALLOW_LOOPBACK_WEBHOOKS: '1',
};

let profiles: string | undefined;
const ready = new Map<number, number>();

/** When each service was ready, by its process: µs of the machine's steady clock, which its profile counts in too. */
export const readyMicroseconds: ReadonlyMap<number, number> = ready;

/** Excludes the profile of a service's preparation before the measurement. */
export function profileFromNow(pid: number): void {
  ready.set(pid, Number(process.hrtime.bigint() / 1000n));
}

/** Services that start from now on write what their threads did into this folder when they end; undefined: not any more. */
export function profileFolder(folder: string | undefined): void {
  profiles = folder;
}

/** Services that start meanwhile write no profile. */
export async function unprofiled<T>(work: () => Promise<T>): Promise<T> {
  const folder = profiles;
  profiles = undefined;
  try {
    return await work();
  } finally {
    profiles = folder;
  }
}

/** For Node, in front of the script of a process that is to be profiled while a folder is named. */
export const profiling = (): string[] => (profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`]);

/** Starts the service, and does not wait until it can be used. */
function launch(folder: string, env: Readonly<Record<string, string>> = {}): ChildProcess {
  return spawn(process.execPath, [...NODE_FLAGS, ...checkedFlags, ...profiling(), suuqCommand, 'start'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...QUIET, SUUQ_DATA: folder, ...env },
  });
}

/** kill -9 so many ms after the process began, wherever its start is by then. Returns how it ended if it ended before. */
export async function killWhileStarting(folder: string, afterMs: number): Promise<string | undefined> {
  const child = launch(folder);
  const ending = endingOf(child);
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  await end(child, 'SIGKILL');
  return ending.byItself();
}

/** Gathers the output of a process, and notes an end that nobody caused. */
function endingOf(child: ChildProcess): { output(): string; byItself(): string | undefined } {
  let output = '';
  let end: string | undefined;
  const store = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-200_000);
  };
  child.stdout?.on('data', store);
  child.stderr?.on('data', store);
  child.once('exit', (code, signal) => {
    if (!child.killed) end = `ended by itself (${code ?? signal})`;
  });
  return { output: () => output, byItself: () => end && `${end}:\n${output}` };
}

/** Starts the service on a data folder, on any free port, without rate limits; `env` changes that. `readyMs`: longest wait. */
export async function startService(
  folder: string,
  env: Readonly<Record<string, string>> = {},
  readyMs = 60_000,
): Promise<ServiceProcess> {
  const started = performance.now();
  const child = launch(folder, env);
  const { output, byItself } = endingOf(child);
  const baseUrl = await untilReady(folder, child, output, readyMs);
  // Nobody awaits this end: without a message, later errors would only show that nothing listens.
  child.once('exit', () => {
    const end = byItself();
    if (end !== undefined) process.stderr.write(`the service on ${folder} ${end}\n`);
  });
  const pid = child.pid ?? 0;
  if (profiles !== undefined) profileFromNow(pid);
  return {
    baseUrl,
    pid,
    readyMs: performance.now() - started,
    endedByItself: byItself,
    output,
    resident: () => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024,
    stop: () => end(child, 'SIGTERM'),
    kill: async () => void (await end(child, 'SIGKILL')),
  };
}

function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    const last = setTimeout(() => child.kill('SIGKILL'), 15_000);
    child.once('exit', (code) => {
      clearTimeout(last);
      resolve(code);
    });
    child.kill(signal);
  });
}

async function untilReady(folder: string, child: ChildProcess, output: () => string, readyMs: number): Promise<string> {
  const deadline = performance.now() + readyMs;
  let last: Response | undefined;
  while (performance.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the service ended (${child.exitCode ?? child.signalCode}):\n${output()}`);
    const { baseUrl, readinessUrl = baseUrl } = cardOf(folder, child.pid) ?? {};
    const answer = baseUrl === undefined ? undefined : await fetch(`${readinessUrl}/readyz`).catch(() => undefined);
    if (baseUrl !== undefined && answer?.status === 200) return baseUrl;
    last = answer ?? last;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const readiness = await last?.text().catch(String);
  await end(child, 'SIGKILL');
  throw new Error(`the service was not ready in ${readyMs / 1000} s:\n${output()}\n${readiness ?? 'no answer'}`);
}

interface Card {
  readonly pid: number;
  readonly baseUrl?: string;
  readonly readinessUrl?: string;
}

function cardOf(folder: string, pid: number | undefined): Card | undefined {
  try {
    const card = JSON.parse(readFileSync(join(folder, 'service.json'), 'utf8')) as Card;
    return card.pid === pid ? card : undefined;
  } catch {
    return undefined;
  }
}

/** `data/demo.json`. */
export const readDemo = (folder: string): Demo => JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as Demo;
