import { startService, temporaryFolder, unprofiled } from '../../harness/service/serviceProcess.js';
import { atMost, type Figure } from '../support/report.js';
import { spread } from '../support/spread.js';

const STARTS = 5;

/**
 * A service that has been used starts again, a few times: from the start of its process until it is ready. Its log is small; what a long
 * one adds is in `history`.
 */
export async function start(): Promise<Figure[]> {
  const folder = temporaryFolder();
  try {
    // The first makes the demo store, which is no part of a restart.
    await unprofiled(async () => (await startService(folder.path)).stop());
    const times: number[] = [];
    for (let n = 0; n < STARTS; n += 1) {
      const service = await startService(folder.path);
      times.push(service.readyMs);
      await service.stop();
    }
    return [atMost('restart with a small log: start to ready', spread(times).median / 1000, 's', 0.7)];
  } finally {
    folder.remove();
  }
}
