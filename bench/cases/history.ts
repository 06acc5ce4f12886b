import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { checkpointName } from '../../engine/processors/taskDocuments.js';
import { noteOrigin } from '../../engine/processors/workOrigin.js';
import { loadMasterKeys } from '../../infrastructure/secrets/masterKey.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
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

const EVENTS = 1_000_000;
const PROCESSORS = ['orderIntake', 'orderMessages', 'abandonedCarts', 'catalogPush', 'outbox', 'webhooks'];

/** A million events whose effects are all done: processors begin behind them, as in a service that has run all along. */
async function write(folder: string): Promise<number> {
  loadMasterKeys(folder);
  const store = await openEmbeddedEventStore(folder);
  const { events } = await writeHistory(store, EVENTS);
  const position = await store.head();
  await store.close();
  const work = openEmbeddedReadModels(join(folder, 'work.db'));
  await work.write({}, ...PROCESSORS.map((name) => ({ name: checkpointName(name), position })));
  await noteOrigin(work, { kind: 'begun' });
  await work.close();
  return events;
}

/**
 * All projections built anew over a million events, by the command that an operator would use; then the service started
 * on them, from the start of the process to the first 200 of /readyz.
 */
export async function history(): Promise<Figure[]> {
  const folder = temporaryFolder();
  try {
    const events = await write(folder.path);
    suuq(folder.path, 'projections', 'rebuild');
    const started = performance.now();
    suuq(folder.path, 'projections', 'rebuild');
    const perSecond = events / ((performance.now() - started) / 1000);
    const service = await startService(folder.path);
    await fetch(`${service.baseUrl}/metrics`);
    const resident = service.resident() / 2 ** 20;
    await service.stop();
    return [
      atLeast('rebuild of all projections, 1,000,000 events', perSecond, 'events/s', 80_000),
      atMost('restart with 1,000,000 events: ready in', service.readyMs / 1000, 's', 1),
      atMost('restart with 1,000,000 events: resident memory', resident, 'MB', 250),
    ];
  } finally {
    folder.remove();
  }
}
