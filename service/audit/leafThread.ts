/** Entry of a thread that reads and hashes parts of the embedded log. */
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../engine/messageOf.js';
import type { Position } from '../../engine/ports/eventStore.js';
import { openStoredRows } from '../../infrastructure/sqlite/eventStore/storedRows.js';
import { type LeafPage, leafPage } from './leaves.js';

/** Positions after the first number, through the second. */
export interface LeafPart {
  readonly after: Position;
  readonly through: Position;
}

export type ToLeafThread = LeafPart | { readonly stop: true };

export type FromLeafThread = LeafPage | { readonly damaged: string };

const log = openStoredRows((workerData as { readonly folder: string }).folder);
const port = parentPort!;

port.on('message', (message: ToLeafThread) => {
  if ('stop' in message) return port.close();
  const { after, through } = message;
  try {
    const page = leafPage(log.readPart(after, through), through);
    port.postMessage(page satisfies FromLeafThread, [page.positions.buffer, page.times.buffer]);
  } catch (error) {
    port.postMessage({ damaged: messageOf(error) } satisfies FromLeafThread);
  }
});
