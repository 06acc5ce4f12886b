/** The built-in sandbox: starts its thread and communicates with it. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Log } from '../../engine/ports/log.js';
import { CannotListen } from '../../infrastructure/http/cannotListen.js';
import { nameThread } from '../../infrastructure/threads.js';
import { type ViewsPlace, viewsPlace } from '../engines/engines.js';
import type { Instance } from './instance.js';
import type { LogLine } from './threads/threadLog.js';

export interface SandboxThreadData {
  readonly host: string;
  readonly port: number;
  readonly allowedHosts: readonly string[];
  readonly stateFile: string;
  /** For the names of the numbers that the page offers. */
  readonly views: ViewsPlace;
  readonly appSecret: string;
  readonly verifyToken: string;
  readonly accessToken: string;
}

/** Addresses of the service, once it listens. */
export interface ServicePlace {
  readonly webhookUrl: string;
  /** Absent where the instance has no console. */
  readonly consoleUrl?: string;
}
/** Or the end. */
export type ToSandbox = ServicePlace | { readonly stop: true };
/** `code`: why its port cannot be opened, where that is it. */
export type FromSandbox = { readonly baseUrl: string } | { readonly failed: string; readonly code?: string } | LogLine;

export interface ServiceSandbox {
  /** Such as http://127.0.0.1:4010. */
  readonly baseUrl: string;
  /** Sets the target of its webhooks, the only address that it ever calls, and of its page's links. */
  reach(place: ServicePlace): void;
  /** Bounded. */
  close(): Promise<void>;
}

const PATIENCE_MS = 5000;

/** The built-in provider, in a thread of its own. Rejects when its port is taken. */
export async function startServiceSandbox(
  { host, port }: { readonly host: string; readonly port: number },
  { settings, channel, folder }: Pick<Instance, 'settings' | 'channel' | 'folder'>,
  log: Log,
): Promise<ServiceSandbox> {
  const data: SandboxThreadData = {
    host,
    port,
    allowedHosts: settings.allowedHosts,
    stateFile: folder.file('sandbox.jsonl'),
    views: viewsPlace(settings, folder),
    appSecret: channel.appSecret,
    verifyToken: channel.verifyToken,
    accessToken: channel.token,
  };
  const worker = new Worker(new URL('./threads/sandboxThread.js', import.meta.url), { workerData: data });
  nameThread(worker, 'sandbox');
  worker.on('error', (error) => log.error({ err: error }, 'sandbox thread failed'));
  const exited = once(worker, 'exit');
  const started = await new Promise<Exclude<FromSandbox, LogLine>>((resolve, reject) => {
    worker.once('error', reject);
    worker.on('message', (message: FromSandbox) =>
      'log' in message ? log[message.log](message.fields, message.message) : resolve(message),
    );
  });
  if ('failed' in started) {
    await worker.terminate();
    const error = new Error(`the sandbox failed to start: ${started.failed}`);
    throw started.code === undefined
      ? error
      : new CannotListen(host, port, Object.assign(error, { code: started.code }));
  }
  const post = (message: ToSandbox): void => worker.postMessage(message);
  return {
    baseUrl: started.baseUrl,
    reach: (place) => post(place),
    async close() {
      post({ stop: true });
      const late = setTimeout(() => void worker.terminate(), PATIENCE_MS);
      await exited;
      clearTimeout(late);
    },
  };
}
