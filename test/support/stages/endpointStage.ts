/** Embedded store in a temporary folder, served for reads and writes over EventStoreDB's protocol, with a client. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventStoreDBClient } from '@eventstore/db-client';
import {
  type EndpointOptions,
  type EventStoreEndpoint,
  startEventStoreEndpoint,
} from '../../../infrastructure/eventstoreEndpoint/endpoint.js';
import {
  type EmbeddedEventStore,
  openEmbeddedEventStore,
} from '../../../infrastructure/sqlite/eventStore/embeddedEventStore.js';

export interface EndpointStage {
  readonly folder: string;
  /** 'host:port', the same after a restart. */
  readonly address: string;
  readonly store: EmbeddedEventStore;
  readonly client: EventStoreDBClient;
  /** Returns another client, closed with the stage. `options` as in a connection string, with '&' before each. */
  connect(options?: string): EventStoreDBClient;
  /** Restarts store and endpoint on the same data and address. Existing clients do not reconnect at once. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export type StageOptions = Partial<Pick<EndpointOptions, 'credentials' | 'hasService' | 'host' | 'log' | 'writes'>> & {
  /** Credentials in the connection string of `client`: 'user:password'. */
  readonly login?: string;
  /** Folder to serve instead of a new one. It is not removed. */
  readonly folder?: string;
};

export async function endpointStage({
  login,
  folder: given,
  ...endpointOptions
}: StageOptions = {}): Promise<EndpointStage> {
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'suuq-endpoint-')));
  const clients: EventStoreDBClient[] = [];
  let store!: EmbeddedEventStore;
  let endpoint!: EventStoreEndpoint;
  let client!: EventStoreDBClient;
  const start = async (port: number): Promise<void> => {
    // Writes run on the store's own thread, since some tests block this thread while they wait for a command.
    store = await openEmbeddedEventStore(folder);
    endpoint = await startEventStoreEndpoint({
      host: '127.0.0.1',
      writes: true,
      ...endpointOptions,
      store,
      folder,
      port,
    });
    client = connect();
  };
  const connect = (options = ''): EventStoreDBClient => {
    // The client sends no credentials over a connection without TLS.
    const url =
      login === undefined
        ? `esdb://${endpoint.address}?tls=false`
        : `esdb://${login}@${endpoint.address.replace('127.0.0.1', 'localhost')}?tlsCAFile=${join(folder, 'endpoint.crt')}`;
    const made = EventStoreDBClient.connectionString(url + options);
    clients.push(made);
    return made;
  };
  const stop = async (): Promise<void> => {
    await Promise.all(clients.splice(0).map((one) => one.dispose()));
    await endpoint.close();
    await store.close();
  };
  await start(0);
  return {
    folder,
    get address() {
      return endpoint.address;
    },
    get store() {
      return store;
    },
    get client() {
      return client;
    },
    connect,
    async restart() {
      const port = Number(endpoint.address.split(':').at(-1));
      await stop();
      await start(port);
    },
    async close() {
      await stop();
      if (given === undefined) await rm(folder, { recursive: true });
    },
  };
}
