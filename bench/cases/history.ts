import { startService, temporaryFolder } from '../../test/support/serviceProcess.js';
import { atLeast, atMost, type Figure } from '../support/report.js';
import { suuq, writeFolder } from '../support/writtenFolder.js';

/**
 * All projections built anew over a million events, by the command that an operator would use; then the service started
 * on them, from the start of the process to the first 200 of /readyz.
 */
export async function history(): Promise<Figure[]> {
  const folder = temporaryFolder();
  try {
    const { events } = await writeFolder(folder.path);
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
