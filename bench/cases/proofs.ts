import { join } from 'node:path';
import { LogTree } from '../../engine/proofs/logTree.js';
import { Tree } from '../../engine/proofs/tree.js';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
import { openStoredRows } from '../../infrastructure/sqlite/eventStore/storedRows.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { onHistory, run, timed } from '../support/historyFolder.js';
import { atLeast, atMost, type Figure } from '../support/report.js';
import { spread } from '../support/spread.js';

/** Target on two cores. */
const VERIFIED = 250_000;
const CORES = 2;
const PROOFS = 25;
/** Processor time of the service for an upsertProduct, in µs, and how much of it proofs may take: docs/operating/performance.md. */
const COMMAND_US = 490;
const SHARE = 0.05;

/** The tree made of the whole log, and proofs of orders from it. */
async function tree(folder: string, orders: readonly string[], many: string): Promise<Figure[]> {
  const tiles = temporaryFolder('suuq-tiles-');
  const stored = openEmbeddedReadModels(join(tiles.path, 'proofs.db'));
  const made = new LogTree(openStoredRows(folder), await Tree.open(stored));
  try {
    const before = process.cpuUsage();
    const size = await made.advance();
    const { user, system } = process.cpuUsage(before);
    const times: number[] = [];
    for (const order of orders) {
      const began = performance.now();
      await made.proven(`order-${order}`, 0, 500, size);
      times.push(performance.now() - began);
    }
    const { median, most } = spread(times);
    return [
      atMost(`${many}: the tree, processor time of an event`, (user + system) / size, 'µs', COMMAND_US * SHARE),
      atMost(`${many}: the proofs of one order, median`, median, 'ms', 50),
      atMost(`${many}: the same, the longest of ${times.length}`, most, 'ms', 50),
    ];
  } finally {
    await made.close();
    await stored.close();
    tiles.remove();
  }
}

/** Waiting time of auditors, and cost of proofs for a command with one or two events. */
export const proofs = (): Promise<Figure[]> =>
  onHistory(async (folder) => {
    const verified = timed(folder, 'audit', 'verify');
    const { events, eventsPerSecond } = verified.answer as { events: number; eventsPerSecond: number };
    const many = `${events.toLocaleString('en')} events`;
    const orders = `select stream_id as id from events_order_placed order by hash(position) limit ${PROOFS}`;
    const { rows } = run(folder, orders).answer as { rows: { id: string }[] };
    return [
      atLeast(`${many}: audit verify`, eventsPerSecond, 'events/s', VERIFIED),
      atLeast(
        `${many}: the same, a second of processor time`,
        events / verified.cpuSeconds,
        'events/s',
        VERIFIED / CORES,
      ),
      ...(await tree(
        folder,
        rows.map(({ id }) => id),
        many,
      )),
    ];
  });
