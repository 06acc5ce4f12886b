/** The thread of startEventStoreEndpoint: its own connection for reading, its own port to the thread that writes. */

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../engine/messageOf.js';
import { BEFORE_ALL, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { HeadWatch } from '../sqlite/eventStore/notices.js';
import { openLogForReading } from '../sqlite/eventStore/schema.js';
import { Appender } from './appender.js';
import { appendOpeningEvent } from './openingEvent.js';
import { readHandler } from './reading/readHandler.js';
import { type ServerOptions, startServer } from './server.js';

export interface EndpointData extends Omit<ServerOptions, 'appender' | 'read'> {
  readonly folder: string;
  readonly notices: MessagePort;
  readonly appender: MessagePort;
}

/** Once: it listens, or cannot. */
export type FromEndpoint = { readonly port: number } | { readonly failed: string };

const { folder, notices, appender, ...served } = workerData as EndpointData;
const post = (message: FromEndpoint): void => parentPort!.postMessage(message);

const heads = new HeadWatch(BEFORE_ALL);
heads.listen(notices);
const db = openLogForReading(folder);
const read = readHandler({ db, heads, now: Date.now });
function release(): void {
  db.close();
  appender.close();
  notices.close();
}
try {
  const appending = new Appender(appender);
  await appendOpeningEvent(appending);
  const server = await startServer({ ...served, appender: appending, read });
  parentPort!.once('message', async () => {
    // Subscriptions end by that, and their readers hear that the server goes.
    heads.fail(new StoreUnavailable('the endpoint is closing'));
    await server.close();
    release();
  });
  post({ port: server.port });
} catch (error) {
  post({ failed: messageOf(error) });
  release();
}
