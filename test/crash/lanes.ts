/** Two lanes of reading commands next to the load, at random moments, some of them killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EMBEDDED } from '../../harness/service/serviceProcess.js';
import { type Known, type ReadingCommand, readingCommands, remove } from './commands.js';
import type { Ledger } from './ledger.js';
import { randomOf } from './random.js';

const LANES = 2;
/** Longest pause between two commands of a lane, ms. */
const PAUSE_MS = 300;
/** Share of commands that are killed, and the longest time that one lives before, ms. */
const KILLED = 0.25;
const KILL_MS = 2_500;
/**
 * A command is stuck if it uses less processor time than `LEAST_CPU_MS` in this time, ms. A busy machine may be slow.
 */
const STUCK_MS = 90_000;
const LEAST_CPU_MS = 100;
/** A command that takes longer is stuck too, even if it uses processor time, ms. */
const LONGEST_MS = 15 * 60_000;
const OUTPUT = 4_000;

/** Codes of what a command cannot do while its service is killed or starts. */
const WITHOUT_SERVICE = /^(?:not_running|data_folder_in_use|unavailable|service_ended)$/;
/** Messages about a connection that the end of the service has cut. */
const CUT_OFF = /The service ended before it answered|"code":"service_silent"|socket hang up|ECONNRESET|EPIPE/;

/** Records whether the service was running without a break since some moment. */
export class Presence {
  #since: number | undefined;
  /** Process of the service, while one runs. */
  pid: number | undefined;
  /** A start was refused because a command uses the folder. No other command begins meanwhile. */
  isStarting = false;

  came(pid: number): void {
    this.#since = performance.now();
    this.pid = pid;
  }
  went(): void {
    this.#since = undefined;
    this.pid = undefined;
  }
  wasThereSince(ms: number): boolean {
    return this.#since !== undefined && this.#since <= ms;
  }
}

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

function ended(child: ChildProcess): Promise<Ended> {
  let output = '';
  const store = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-OUTPUT);
  };
  child.stdout?.on('data', store);
  child.stderr?.on('data', store);
  return new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal, output })));
}

/** Clock ticks of /proc are a hundredth of a second. */
const TICK_MS = 10;

/**
 * Processor time of a process. Infinite where the system does not report it, so only `LONGEST_MS` limits a command
 * there.
 */
function cpuMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

const NS_IN_MS = 1e6;

/**
 * Time for which the main thread of a process was ready to run without a processor, ms. Undefined where the system does
 * not report it.
 */
function waitedMs(pid: number | undefined): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[1]) / NS_IN_MS;
  } catch {
    return undefined;
  }
}

/** Codes of problems that report nothing but a delay. */
const SILENT = /^(?:service_silent|no_answer)$/;
/**
 * Share of a command's time that the service waited for a processor. Above it the machine was too busy, not the
 * service.
 */
const STARVED = 0.5;

/** Returns true if a command reports only the silence of a service that had no processor. */
function isStarved(output: string, waited: number | undefined, lastedMs: number): boolean {
  const problems = [...output.matchAll(/"level":"problem","code":"([a-z_]+)"/g)].map(([, code]) => code!);
  const codes = problems.length > 0 ? problems : [/"code":\s*"([a-z_]+)"/.exec(output)?.[1] ?? ''];
  return waited !== undefined && waited > STARVED * lastedMs && codes.every((code) => SILENT.test(code));
}

/** Runs one command; returns what is wrong with its end. */
async function run(
  { name, words }: ReadingCommand,
  folder: string,
  killAfterMs: number | undefined,
  { presence, ledger }: Pick<LaneParts, 'presence' | 'ledger'>,
): Promise<string | undefined> {
  const from = performance.now();
  const { pid } = presence;
  const waitedBefore = waitedMs(pid);
  const child = spawn(process.execPath, words, { env: { ...process.env, ...EMBEDDED, SUUQ_DATA: folder } });
  let [isKilled, isStuck] = [false, false];
  const kill = (): void => {
    isKilled = child.kill('SIGKILL');
  };
  const killing = killAfterMs === undefined ? undefined : setTimeout(kill, killAfterMs);
  let used = 0;
  const stuck = setInterval(() => {
    const now = child.pid === undefined ? 0 : cpuMs(child.pid);
    isStuck = now - used < LEAST_CPU_MS || performance.now() - from > LONGEST_MS;
    used = now;
    if (isStuck) child.kill('SIGKILL');
  }, STUCK_MS);
  const { code, signal, output } = await ended(child);
  clearTimeout(killing);
  clearInterval(stuck);
  ledger.commands.run += 1;
  if (isStuck)
    return `${name} was stuck after ${Math.round((performance.now() - from) / 1000)} s, ${used} ms of them on a processor: ${output}`;
  if (code === 0) return undefined;
  if (isKilled && signal === 'SIGKILL') {
    ledger.commands.killed += 1;
    return undefined;
  }
  const refused = /"code":\s*"([a-z_]+)"/.exec(output)?.[1] ?? '';
  if (!presence.wasThereSince(from) && (WITHOUT_SERVICE.test(refused) || CUT_OFF.test(output))) {
    ledger.commands.withoutService += 1;
    return undefined;
  }
  const lasted = performance.now() - from;
  const waitedAfter = waitedMs(pid);
  const waited = waitedBefore === undefined || waitedAfter === undefined ? undefined : waitedAfter - waitedBefore;
  const reported = `the service was without a processor for ${Math.round(waited ?? 0)} of ${Math.round(lasted)} ms`;
  if (isStarved(output, waited, lasted)) {
    ledger.commands.starved.push(`${name}: ${reported}`);
    return undefined;
  }
  return `${name} ended with ${code ?? signal} (${reported}): ${output}`;
}

export interface LaneParts {
  readonly folder: string;
  /** Folder for the output of commands. */
  readonly scratch: string;
  readonly seed: number;
  readonly ledger: Ledger;
  readonly presence: Presence;
  known(): Known;
}

async function lane(number: number, parts: LaneParts, isStopped: () => boolean): Promise<void> {
  const random = randomOf(parts.seed + number);
  const scratch = join(parts.scratch, `lane-${number}`);
  for (let turn = 0; !isStopped(); turn += 1) {
    do await new Promise((resolve) => setTimeout(resolve, random() * PAUSE_MS));
    while (parts.presence.isStarting);
    const commands = readingCommands(scratch, turn, parts.known());
    const command = commands[Math.floor(random() * commands.length)]!;
    const killAfterMs = random() < KILLED ? random() * KILL_MS : undefined;
    const failure = await run(command, parts.folder, killAfterMs, parts);
    if (failure !== undefined) parts.ledger.failedCommands.push(failure);
    remove(command);
  }
}

/** Runs commands until `stop`, which resolves when the last ones have ended. */
export function startLanes(parts: LaneParts): { stop(): Promise<void> } {
  let isStopped = false;
  const running = Array.from({ length: LANES }, (_, n) => lane(n + 1, parts, () => isStopped));
  return {
    async stop() {
      isStopped = true;
      await Promise.all(running);
    },
  };
}
