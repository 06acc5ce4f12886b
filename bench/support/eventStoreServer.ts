/** The server that the cases of EventStoreDB measure on: one that EVENTSTORE_URL names, or the embedded store's endpoint. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { temporaryFolder } from '../../test/support/serviceProcess.js';

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
  const file = new URL('../../test/support/endpointServer.js', import.meta.url).pathname;
  const server = spawn(process.execPath, [file, '--folder', folder.path, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise((resolve) => server.once('exit', resolve));
  const lines = createInterface({ input: server.stdout });
  const address = await Promise.race([
    new Promise<string>((resolve) => lines.once('line', resolve)),
    exited.then(() => Promise.reject(new Error('the endpoint did not start'))),
  ]);
  return {
    name: 'the endpoint',
    url: `esdb://${address}?tls=false`,
    async stop() {
      server.kill('SIGTERM');
      await exited;
      folder.remove();
    },
  };
}
