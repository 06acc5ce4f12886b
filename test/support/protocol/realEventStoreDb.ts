/** Real EventStoreDB for tests: the one at EVENTSTORE_URL, or one in a container where Docker is running. */
import { existsSync } from 'node:fs';
import { request } from 'node:http';

const IMAGE = 'eventstore/eventstore:23.10.8-bookworm-slim';
const SOCKET = '/var/run/docker.sock';
const PORT = 2113;

export interface RealEventStoreDb {
  /** Title for the tests, without credentials. */
  readonly title: string;
  /** Returns the connection string and a function that releases the server. */
  start(): Promise<{ url: string; stop(): Promise<void> }>;
}

/** Returns the server, or a text with the reason why there is none. Decides within a second. */
export async function realEventStoreDb(): Promise<RealEventStoreDb | string> {
  const url = process.env.EVENTSTORE_URL;
  if (url !== undefined && url !== '')
    return { title: 'EventStoreDB at EVENTSTORE_URL', start: async () => ({ url, stop: async () => {} }) };
  if (!(await dockerAnswers())) return 'EVENTSTORE_URL is not set and no Docker engine answers';
  return { title: `EventStoreDB in a container (${IMAGE})`, start: container };
}

async function container() {
  const { GenericContainer, Wait } = await import('testcontainers');
  const started = await new GenericContainer(IMAGE)
    .withEnvironment({ EVENTSTORE_INSECURE: 'true', EVENTSTORE_RUN_PROJECTIONS: 'None', EVENTSTORE_MEM_DB: 'true' })
    .withExposedPorts(PORT)
    .withWaitStrategy(Wait.forHttp('/health/live', PORT).forStatusCodeMatching((code) => code < 300))
    .withStartupTimeout(120_000)
    .start();
  const url = `esdb://${started.getHost()}:${started.getMappedPort(PORT)}?tls=false`;
  return { url, stop: async () => void (await started.stop()) };
}

function dockerAnswers(): Promise<boolean> {
  const host = process.env.DOCKER_HOST ?? (existsSync(SOCKET) ? `unix://${SOCKET}` : undefined);
  if (host === undefined) return Promise.resolve(false);
  const at = host.startsWith('unix://')
    ? { socketPath: host.slice('unix://'.length) }
    : { host: new URL(host).hostname, port: new URL(host).port };
  return new Promise((resolve) => {
    const ping = request({ ...at, path: '/_ping', timeout: 1_000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    ping.on('timeout', () => ping.destroy());
    ping.on('error', () => resolve(false));
    ping.end();
  });
}
