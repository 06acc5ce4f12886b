import { spawnSync } from 'node:child_process';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { startService, suuqCommand, temporaryFolder } from '../../test/support/serviceProcess.js';
import { writeHistory } from '../support/history.js';
import { atLeast, atMost, type Figure } from '../support/report.js';

function suuq(folder: string, ...args: string[]): string {
  const ran = spawnSync(process.execPath, [suuqCommand, ...args, '--json'], {
    env: { ...process.env, SUUQ_DATA: folder },
    encoding: 'utf8',
    timeout: 300_000,
  });
  if (ran.status !== 0) throw new Error(`suuq ${args.join(' ')}: ${ran.stderr}`);
  return ran.stdout;
}

async function write(folder: string, total: number): Promise<number> {
  const store = await openEmbeddedEventStore(folder);
  const { events } = await writeHistory(store, total);
  await store.close();
  return events;
}

/** All projections built anew over the history, by the command that an operator would use. */
export async function rebuild(): Promise<Figure[]> {
  const folder = temporaryFolder();
  try {
    const events = await write(folder.path, 500_000);
    suuq(folder.path, 'projections', 'rebuild');
    const started = performance.now();
    suuq(folder.path, 'projections', 'rebuild');
    const seconds = (performance.now() - started) / 1000;
    return [atLeast('rebuild of all projections', events / seconds, 'events/s', 80_000)];
  } finally {
    folder.remove();
  }
}

/** From the start of the process to the first 200 of /readyz, with a million events in the log. */
export async function restart(): Promise<Figure[]> {
  const folder = temporaryFolder();
  try {
    await write(folder.path, 1_000_000);
    suuq(folder.path, 'projections', 'rebuild');
    const first = await startService(folder.path);
    await first.stop();
    const service = await startService(folder.path);
    await fetch(`${service.baseUrl}/metrics`);
    const resident = service.resident() / 2 ** 20;
    await service.stop();
    return [
      atMost('restart with 1,000,000 events: ready in', service.readyMs / 1000, 's', 1),
      atMost('restart with 1,000,000 events: resident memory', resident, 'MB', 250),
    ];
  } finally {
    folder.remove();
  }
}
