/** node endpointServer.js --folder FOLDER [--port 2113] [--host 127.0.0.1]: serves FOLDER until SIGTERM; prints its address. */
import { parseArgs } from 'node:util';
import { startEventStoreEndpoint } from '../../infrastructure/eventstoreEndpoint/endpoint.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';

const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: 'data' },
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '2113' },
  },
});
const { folder, host } = values;
const store = await openEmbeddedEventStore(folder);
const log = (message: string): void => void process.stderr.write(`${message}\n`);
const endpoint = await startEventStoreEndpoint({ store, folder, host, port: Number(values.port), writes: true, log });
process.stdout.write(`${endpoint.address}\n`);
const stop = async (): Promise<void> => {
  await endpoint.close();
  await store.close();
};
process.once('SIGTERM', () => void stop());
process.once('SIGINT', () => void stop());
