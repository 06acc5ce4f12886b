/** Runs the real command line over a data folder. */
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { guardFlags } from '../../../harness/service/checkedFlags.js';
import { EMBEDDED, suuqCommand } from '../../../harness/service/serviceProcess.js';

export interface CommandLine {
  suuq(...args: readonly string[]): SpawnSyncReturns<string>;
  /** Returns the output of a command with `--json`. The command must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of any command
  json(...args: readonly string[]): any;
}

/** Output and exit code of a command. */
export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command while this process continues, for example to receive what a service sends. */
export async function suuqConcurrently(
  data: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [...guardFlags, suuqCommand, ...words], {
    env: { ...process.env, ...EMBEDDED, SUUQ_DATA: data, ...env },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, stdout, stderr };
}

/** `timeout`: limit for each command, in ms. */
export function commandLine(data: string, options: { cwd?: string; timeout?: number } = {}): CommandLine {
  const suuq: CommandLine['suuq'] = (...args) =>
    spawnSync(process.execPath, [...guardFlags, suuqCommand, ...args], {
      env: { ...process.env, ...EMBEDDED, SUUQ_DATA: data },
      encoding: 'utf8',
      timeout: 30_000,
      ...options,
    });
  return {
    suuq,
    json(...args) {
      const ran = suuq(...args, '--json');
      expect(ran.status, ran.stderr).to.equal(0);
      return JSON.parse(ran.stdout);
    },
  };
}
