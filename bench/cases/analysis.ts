import { join } from 'node:path';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
import { onHistory, run, timed } from '../support/historyFolder.js';
import { atLeast, atMost, type Figure } from '../support/report.js';

const REVENUE =
  "select workspace_id, date_trunc('month', time) as month, sum(totals.totalCents) as cents from events_order_placed group by all";
/** Target on two cores. */
const EXPORTED = 150_000;
const CORES = 2;

/** A long history: queried in SQL, exported as Parquet, and queried from there, each as a separate command. */
export const analysis = (): Promise<Figure[]> =>
  onHistory(async (folder) => {
    const out = temporaryFolder('suuq-export-');
    try {
      const to = join(out.path, 'out');
      const first = run(folder, REVENUE);
      const exported = timed(folder, 'export', to);
      const { events } = exported.answer as { events: number };
      const many = `${events.toLocaleString('en')} events`;
      return [
        atMost(`${many}: query, revenue by store and month`, first.seconds, 's', 30),
        atLeast(`${many}: export to Parquet`, events / exported.seconds, 'events/s', EXPORTED),
        atLeast(
          `${many}: the same, a second of processor time`,
          events / exported.cpuSeconds,
          'events/s',
          EXPORTED / CORES,
        ),
        atMost(`${many}: the same query from the export`, run(folder, REVENUE, '--from', to).seconds, 's', 1),
      ];
    } finally {
      out.remove();
    }
  });
