/** The built-in sandbox beside the service: how its thread is started and spoken with, and the numbers that its page offers. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { defined } from '../../domain/defined.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import type { Log } from '../../engine/ports/log.js';
import { createReads } from '../../engine/projections/documentReads.js';
import { nameThread } from '../../infrastructure/threads.js';
import { channelNumbers } from '../../projections/channelNumbers.js';
import { stores } from '../../projections/stores.js';
import { type ViewsPlace, viewsPlace } from '../engines/engines.js';
import type { LogLevel } from '../settings/settings.js';
import type { Instance } from './instance.js';

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
  readonly log: LogLevel;
}

/** Where the service is, once it listens. */
export interface ServicePlace {
  readonly webhookUrl: string;
  /** Absent where the instance has no console. */
  readonly consoleUrl?: string;
}
/** Or the end. */
export type ToSandbox = ServicePlace | { readonly stop: true };
export type FromSandbox = { readonly baseUrl: string } | { readonly failed: string };

export interface ServiceSandbox {
  /** Such as http://127.0.0.1:4010. */
  readonly baseUrl: string;
  /** Where its webhooks go from now on, the only address that it ever calls; and where its page leads to. */
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
    log: settings.log,
  };
  const worker = new Worker(new URL('./threads/sandboxThread.js', import.meta.url), { workerData: data });
  nameThread(worker, 'sandbox');
  worker.on('error', (error) => log.error({ err: error }, 'the sandbox has ended'));
  const exited = once(worker, 'exit');
  const [first] = (await once(worker, 'message')) as [FromSandbox];
  if ('failed' in first) {
    await worker.terminate();
    throw new Error(`the sandbox did not start: ${first.failed}`);
  }
  const say = (message: ToSandbox): void => worker.postMessage(message);
  return {
    baseUrl: first.baseUrl,
    reach: (place) => say(place),
    async close() {
      say({ stop: true });
      const late = setTimeout(() => void worker.terminate(), PATIENCE_MS);
      await exited;
      clearTimeout(late);
    },
  };
}

/** Most numbers that the sandbox's page offers. */
const MOST_NUMBERS = 200;

/** The business numbers that the sandbox's page offers, by name: what the service has connected. */
export function sandboxNumbers(views: DocumentStore) {
  const reads = createReads(views);
  return async () => {
    const found = await reads.find(channelNumbers, { limit: MOST_NUMBERS });
    const named = await reads.getMany(
      stores,
      found.map(({ body }) => body.workspaceId),
    );
    return found.map(({ body: { workspaceId, ...number } }) => {
      const name = named.get(workspaceId)?.body.name;
      const { phoneNumberId, displayPhoneNumber, businessAccountId, catalogId } = number;
      return {
        phoneNumberId,
        displayPhoneNumber,
        businessAccountId,
        catalogId,
        ...defined({ name }),
      };
    });
  };
}
