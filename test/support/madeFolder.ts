import { spawnSync } from 'node:child_process';
import { EMBEDDED, suuqCommand } from './serviceProcess.js';

/** What a command on a data folder answers with --json; throws when it fails. */
export function suuqJson(folder: string, ...args: string[]): unknown {
  const env = { ...process.env, ...EMBEDDED, SUUQ_DATA: folder };
  const ran = spawnSync(process.execPath, [suuqCommand, ...args, '--json'], { env, encoding: 'utf8', timeout: 60_000 });
  if (ran.status !== 0) throw new Error(`suuq ${args.join(' ')}: ${ran.stderr}`);
  return JSON.parse(ran.stdout);
}
