/** The command line as a person types it: the real command, over a data folder. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { EMBEDDED, suuqCommand } from './serviceProcess.js';

export interface CommandLine {
  suuq(...args: readonly string[]): SpawnSyncReturns<string>;
  /** What it answers with `--json`; it must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of any command
  json(...args: readonly string[]): any;
}

/** `timeout`: ms for each command. */
export function commandLine(data: string, options: { cwd?: string; timeout?: number } = {}): CommandLine {
  const suuq: CommandLine['suuq'] = (...args) =>
    spawnSync(process.execPath, [suuqCommand, ...args], {
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
