/** The command `suuq`: the one place where the command line meets the process and the composition. */
import { DomainError } from '../domain/decider.js';
import { accountOf } from '../service/admin/account.js';
import { standardError, standardOut } from '../service/output.js';
import { release } from '../service/release.js';
import { readEngineSettings } from '../service/settings/engineSettings.js';
import { readMoveSettings } from '../service/settings/moveSettings.js';
import { readSandboxSettings } from '../service/settings/sandboxSettings.js';
import { dataFolderOf, readSettings } from '../service/settings/settings.js';
import type { CliHost, Execute } from './command.js';
import { executeRunning, withExecute } from './execution.js';
import { reportError, runCli } from './run.js';
import { screenOf } from './screens.js';

/** Address of the channel's webhook on a service that does not run now. */
async function addressOf({ publicUrl, host, port }: ReturnType<typeof readSettings>): Promise<string> {
  if (publicUrl !== undefined) return publicUrl;
  const { shownHost } = await import('../infrastructure/http/listen.js');
  return `http://${shownHost(host)}:${port}`;
}

/** Loaded when it is needed, as all that most commands do without: help and answers of a running service come sooner. */
const quietLog = async () => (await import('../service/log.js')).quietLog();

/** Ends what is under way with SIGTERM or SIGINT; `then`: what became of it. */
function untilStopped(then: string): AbortSignal {
  const stopped = new AbortController();
  const stop = (): void => stopped.abort(new DomainError('stopped', then));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
  return stopped.signal;
}

/**
 * Ends the process at once. Ending it in order would wait for what other threads compute, for as long as that takes: the exit code is that of
 * SIGKILL, 137.
 */
function endProcess(error: DomainError): void {
  reportError(error, process.argv.slice(2), host);
  process.kill(process.pid, 'SIGKILL');
}

let watching: AbortSignal | undefined;
/** True while somebody reads the output. */
let isRead = true;

const stdout = standardOut();
const stderr = standardError();
/** Set when standard error cannot be written, which stops no work. */
let isUnreported = false;
/** Set when standard output cannot be written. */
let unwritten: DomainError | undefined;

/** Names of errors of a pipe or socket whose reader has closed it. */
const CLOSED: readonly (string | undefined)[] = ['EPIPE', 'ECONNRESET'];

const host: CliHost = {
  out(text) {
    stdout.write(text, (error) => {
      if (!error) return;
      if (CLOSED.includes(error.code)) closed();
      else unwritten = new DomainError('output_failed', `Standard output cannot be written: ${error.message}.`);
    });
    if (unwritten !== undefined) throw unwritten;
  },
  err(text) {
    // A reader that has closed the output needs no error about it.
    if (!isRead) return;
    stderr.write(text, (error) => {
      if (!error) return;
      if (CLOSED.includes(error.code)) closed();
      else isUnreported = true;
    });
  },
  watched: process.stderr.isTTY === true,
  screen: screenOf(process.stdout, process.env),
  errScreen: screenOf(process.stderr, process.env),
  async pause(ms) {
    const { setTimeout: wait } = await import('node:timers/promises');
    watching ??= untilStopped('Stopped watching.');
    return wait(ms, true, { signal: watching }).catch(() => false);
  },
  version: release.version,
  env: process.env,
  inService: (command, input) => executeRunning(dataFolderOf(process.env), accountOf(process.env))(command, input),
  async withExecute<R>(work: (execute: Execute) => Promise<R>): Promise<R> {
    const settings = readSettings(process.env);
    const open = async () => {
      // Loaded only when it is needed: a command to a running service answers sooner.
      const { openInstance } = await import('../service/composition/instance.js');
      const instance = await openInstance(settings, await quietLog(), { unattended: true });
      const address = await addressOf(settings);
      return { admin: instance.admin(`${address}/channel/webhook`), close: () => instance.close() };
    };
    return withExecute(settings.data, open, work, accountOf(process.env));
  },
  async start() {
    const { serve } = await import('../service/composition/serve.js');
    const { seedBehind } = await import('./seed/seedBehind.js');
    return serve(readSettings(process.env), process.env, seedBehind);
  },
  async sandbox() {
    const { serveSandbox } = await import('../service/composition/standaloneSandbox.js');
    return serveSandbox(readSandboxSettings(process.env), process.env);
  },
  async move(requested, report) {
    const { move } = await import('../upkeep/move/move.js');
    const signal = untilStopped('Run the same command again to continue.');
    const settings = readMoveSettings(process.env, requested);
    const { namingFullDisk } = await import('../service/fullDisks.js');
    const target = 'folder' in settings.to ? [settings.to.folder] : [];
    const log = await quietLog();
    return namingFullDisk([...target, settings.data], () => move(settings, log, report, signal));
  },
  async upkeep() {
    const { createUpkeep } = await import('./upkeep.js');
    return createUpkeep(process.env, untilStopped, endProcess);
  },
  async settle(reason) {
    const { settleProcessors } = await import('../upkeep/move/settlement.js');
    return settleProcessors(
      { ...readEngineSettings(process.env), data: dataFolderOf(process.env) },
      { reason, operator: accountOf(process.env) },
      await quietLog(),
    );
  },
};

/** Longest that a command takes to end in order when nobody reads on, in ms. */
const ENDS_MS = 30_000;

/** A reader that has seen enough, such as `head`, closes the pipe: no failure. What goes on, such as a listener, ends as with SIGTERM. */
function closed(): void {
  if (!isRead) return;
  isRead = false;
  if (!process.emit('SIGTERM')) process.exit(0);
  setTimeout(() => process.exit(0), ENDS_MS).unref();
}

const code = await runCli(process.argv.slice(2), host);
process.exitCode = isRead ? code || Number(isUnreported || unwritten !== undefined) : 0;
