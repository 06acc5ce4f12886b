import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Log } from '../../engine/ports/log.js';
import { viewsPlace } from './engines.js';
import type { Instance } from './instance.js';
import type { FromSandbox, SandboxThreadData, ToSandbox } from './sandboxThread.js';

export interface ServiceSandbox {
  /** Such as http://127.0.0.1:4010. */
  readonly baseUrl: string;
  /** Where its webhooks go from now on: the only address that it ever calls. */
  reach(webhookUrl: string): void;
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
    stateFile: folder.file('sandbox.jsonl'),
    views: viewsPlace(settings, folder),
    appSecret: channel.appSecret,
    verifyToken: channel.verifyToken,
    accessToken: channel.token,
    log: settings.log,
  };
  const worker = new Worker(new URL('./sandboxThread.js', import.meta.url), { workerData: data });
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
    reach: (webhookUrl) => say({ webhookUrl }),
    async close() {
      say({ stop: true });
      const late = setTimeout(() => void worker.terminate(), PATIENCE_MS);
      await exited;
      clearTimeout(late);
    },
  };
}
