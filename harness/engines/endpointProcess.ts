/** The protocol endpoint over an embedded store, as a server of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface EndpointProcess {
  /** `host:port`. */
  readonly address: string;
  /** Its connection string. */
  readonly url: string;
  /** Resolves when it has ended; at once when it ended before. */
  stop(): Promise<void>;
}

/** Longest wait for a process to end after a signal, in ms. */
const LEAVE_MS = 10_000;

/** Serves the log of `folder` at a free port, in a process of its own. Rejects when that ends before it serves. */
export async function startEndpoint(folder: string): Promise<EndpointProcess> {
  const script = fileURLToPath(new URL('./endpointServer.js', import.meta.url));
  const child = spawn(process.execPath, [script, '--folder', folder, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const address = await Promise.race([
    once(child.stdout, 'data').then(([line]) => String(line).trim()),
    exited.then(() => Promise.reject(new Error('the endpoint did not start'))),
  ]);
  return {
    address,
    url: `esdb://${address}?tls=false`,
    async stop() {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), LEAVE_MS);
      await exited;
      clearTimeout(late);
    },
  };
}
