/** Entry of a thread that reads and hashes parts of the embedded log. */
import { workerData } from 'node:worker_threads';
import { openStoredRows } from '../../infrastructure/sqlite/eventStore/storedRows.js';
import { serveRanges } from '../logRanges/serveRanges.js';
import { leafPage } from './leaves.js';

const log = openStoredRows((workerData as { readonly folder: string }).folder);

serveRanges(function* ({ after, through }) {
  const page = leafPage(log.readPart(after, through), through);
  yield [page, [page.positions.buffer, page.times.buffer]] as const;
});
