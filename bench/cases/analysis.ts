import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { loadMasterKeys } from '../../infrastructure/secrets/masterKey.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { suuqCommand, temporaryFolder } from '../../test/support/serviceProcess.js';
import { writeHistory } from '../support/history.js';
import { atLeast, atMost, type Figure } from '../support/report.js';

const EVENTS = 1_000_000;
const REVENUE =
  "select workspace_id, date_trunc('month', time) as month, sum(totals.totalCents) as cents from events_order_placed group by all";

/** Seconds from the start of the command to its end. */
function took(folder: string, ...args: string[]): number {
  const started = performance.now();
  const ran = spawnSync(process.execPath, [suuqCommand, ...args, '--json'], {
    env: { ...process.env, SUUQ_DATA: folder },
    encoding: 'utf8',
    timeout: 300_000,
  });
  if (ran.status !== 0) throw new Error(`suuq ${args.join(' ')}: ${ran.stderr}`);
  return (performance.now() - started) / 1000;
}

/** A million events asked in SQL, written as Parquet, and asked again from there: each a command of its own. */
export async function analysis(): Promise<Figure[]> {
  const folder = temporaryFolder();
  try {
    loadMasterKeys(folder.path);
    const store = await openEmbeddedEventStore(folder.path);
    const { events } = await writeHistory(store, EVENTS);
    await store.close();
    const out = join(folder.path, 'out');
    return [
      atMost('query of 1,000,000 events: revenue by store and month', took(folder.path, 'query', REVENUE), 's', 3),
      atLeast('export of them to Parquet', events / took(folder.path, 'export', out), 'events/s', 150_000),
      atMost('the same query from the export', took(folder.path, 'query', REVENUE, '--from', out), 's', 1),
    ];
  } finally {
    folder.remove();
  }
}
