/** A folder with a million events, and an operator's commands on it. */
import { spawnSync } from 'node:child_process';
import { suuqCommand } from '../../harness/service/serviceProcess.js';
import { loadMasterKeys } from '../../infrastructure/secrets/masterKey.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { noteDone } from '../generator/write.js';
import { writeHistory } from './history.js';

/** Answers its JSON; throws when it fails. */
export function suuq(folder: string, ...args: string[]): string {
  const ran = spawnSync(process.execPath, [suuqCommand, ...args, '--json'], {
    env: { ...process.env, SUUQ_DATA: folder },
    encoding: 'utf8',
    timeout: 300_000,
  });
  if (ran.status !== 0) throw new Error(`suuq ${args.join(' ')}: ${ran.stderr}`);
  return ran.stdout;
}

const EVENTS = 1_000_000;

/** A million events whose effects are all done: processors begin behind them, as in a service that has run all along. */
export async function writeFolder(folder: string): Promise<{ events: number; workspaceId: string }> {
  loadMasterKeys(folder);
  const store = await openEmbeddedEventStore(folder);
  const written = await writeHistory(store, EVENTS);
  const position = await store.head();
  await store.close();
  await noteDone(folder, position);
  return written;
}
