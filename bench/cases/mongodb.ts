import { createProjectionRuntime } from '../../engine/projections/runtime.js';
import { emulator, server, testDatabase } from '../../harness/engines/mongoStage.js';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
import { openMongoReadModels } from '../../infrastructure/mongodb/mongoReadModels.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { projections } from '../../projections/index.js';
import { writeHistory } from '../support/history.js';
import { atLeast, type Figure } from '../support/report.js';

const EVENTS = 100_000;
const TIMEOUT_MS = 120_000;

/**
 * All projections built over a history, into MongoDB: the server of MONGODB_URL, else a container, else the emulator on
 * this machine's own cores; from the first event read to the last index built and the last alias switched.
 */
export async function mongodb(): Promise<Figure[]> {
  const place = server.missing === undefined ? server : emulator;
  if (place.missing !== undefined) {
    process.stderr.write(`mongodb: not measured, ${server.missing}, ${place.missing}\n`);
    return [];
  }
  const folder = temporaryFolder();
  const database = await testDatabase(place);
  const eventStore = await openEmbeddedEventStore(folder.path);
  const readModels = await openMongoReadModels(database.url, { prefix: 'views' });
  const runtime = createProjectionRuntime({ eventStore, readModels, projections, unattended: true });
  try {
    const { events } = await writeHistory(eventStore, EVENTS);
    const head = await eventStore.head();
    const names = projections.map(({ name }) => name);
    const began = performance.now();
    await runtime.start();
    if (!(await runtime.waitFor(names, head, TIMEOUT_MS))) throw new Error('the projections did not come to the end');
    const perSecond = events / ((performance.now() - began) / 1000);
    const title = `projections over MongoDB (${place.name}), ${events.toLocaleString('en')} events`;
    return [atLeast(title, perSecond, 'events/s', 10_000)];
  } finally {
    await runtime.stop();
    await readModels.close();
    await eventStore.close();
    await database.close();
    folder.remove();
  }
}
