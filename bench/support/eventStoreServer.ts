/** The server that the cases of EventStoreDB measure on: one that EVENTSTORE_URL names, or the embedded store's endpoint. */
import { startEndpoint } from '../../harness/engines/endpointProcess.js';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';

export interface EventStoreServer {
  /** For the figures' names: which one it is. */
  readonly name: string;
  /** Its connection string. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * A real server is written to and left so: it must be one for tests. Without one the endpoint is started, in a process of its own
 * on a new folder.
 */
export async function eventStoreServer(): Promise<EventStoreServer> {
  const { EVENTSTORE_URL: url } = process.env;
  if (url !== undefined && url !== '')
    return { name: 'the server of EVENTSTORE_URL', url, stop: () => Promise.resolve() };
  const folder = temporaryFolder();
  const endpoint = await startEndpoint(folder.path);
  return {
    name: 'the endpoint',
    url: endpoint.url,
    async stop() {
      await endpoint.stop();
      folder.remove();
    },
  };
}
