/** The embedded event store served over EventStoreDB's gRPC protocol, in its own thread. See docs/operating/eventstoredb.md. */
import { Worker } from 'node:worker_threads';
import { isLoopback } from '../http/loopback.js';
import type { EmbeddedEventStore } from '../sqlite/eventStore/embeddedEventStore.js';
import { nameThread } from '../threads.js';
import { certificateIn } from './certificate.js';
import type { Credentials } from './credentials.js';
import { EndpointCannotListen } from './endpointCannotListen.js';
import type { EndpointData, FromEndpoint } from './endpointThread.js';

export interface EndpointOptions {
  /** Open in this process, in `folder`. */
  readonly store: EmbeddedEventStore;
  readonly folder: string;
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /**
   * Required unless the address is a loopback address. Absent: every client is admitted, with any credentials or none. With credentials the
   * endpoint also accepts TLS, since most clients send credentials over nothing else: see certificate.ts.
   */
  readonly credentials?: Credentials;
  /** Allows clients to append and delete; absent: they only read. */
  readonly writes?: boolean;
  /** A running service works on this log. The endpoint reports it, so that a second service refuses to work on the same log. */
  readonly hasService?: boolean;
  /** Hears of the thread's end by itself, which ends no one else. */
  readonly log?: (message: string) => void;
}

export interface EventStoreEndpoint {
  /** 'host:port'. */
  readonly address: string;
  /** Ends all calls; bounded. Before the store is closed. */
  close(): Promise<void>;
}

/** A machine that is busy takes its time; what has not begun by then hangs. */
const START_MS = 60_000;
const CLOSE_MS = 5_000;

const addressOf = (host: string, port: number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

/** Resolves when it listens. Rejects with an Error that names the reason. */
export async function startEventStoreEndpoint(options: EndpointOptions): Promise<EventStoreEndpoint> {
  const { store, folder, host, port, credentials, writes = false, hasService = false, log = () => {} } = options;
  if (credentials === undefined && !isLoopback(host))
    throw new Error(
      `the event store's endpoint at ${addressOf(host, port)} is reachable from other machines: set a user and a password, or use the address 127.0.0.1`,
    );
  const certificate = credentials && certificateIn(folder, host);
  const notices = store.connectReader();
  const appender = store.connectAppender();
  const workerData: EndpointData = {
    folder,
    host,
    port,
    credentials,
    certificate,
    writes,
    hasService,
    notices,
    appender,
  };
  const worker = new Worker(new URL('./endpointThread.js', import.meta.url), {
    workerData,
    transferList: [notices, appender],
  });
  nameThread(worker, 'protocol endpoint');
  let closing = false;
  let failure = 'it ended';
  worker.on('error', (error) => {
    failure = error.message;
  });
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  void exited.then(() => {
    if (!closing) log(`event store endpoint ended: ${failure}`);
  });
  const first = await firstMessage(worker, exited, () => failure);
  if ('failed' in first) {
    closing = true;
    void worker.terminate();
    throw new EndpointCannotListen(
      `the event store's endpoint cannot listen at ${addressOf(host, port)}: ${first.failed}`,
    );
  }
  return {
    address: addressOf(host, first.port),
    async close() {
      closing = true;
      worker.postMessage('close');
      const late = setTimeout(() => void worker.terminate(), CLOSE_MS);
      await exited;
      clearTimeout(late);
    },
  };
}

function firstMessage(worker: Worker, exited: Promise<void>, failure: () => string): Promise<FromEndpoint> {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve({ failed: `it did not start within ${START_MS / 1000} s` }), START_MS);
    const settle = (message: FromEndpoint): void => {
      clearTimeout(late);
      resolve(message);
    };
    worker.once('message', settle);
    void exited.then(() => settle({ failed: failure() }));
  });
}
