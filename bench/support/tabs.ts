/** Browsers that watch, in a separate thread: their reading of the tail takes no time from the measuring thread. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

interface Tabs {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly count: number;
}

/** Opens so many tails; answers how to end them. */
export async function openTabs(tabs: Tabs): Promise<() => Promise<unknown>> {
  const thread = new Worker(fileURLToPath(import.meta.url), { workerData: tabs });
  await once(thread, 'message');
  return () => thread.terminate();
}

const open = ({ url, headers }: Tabs): Promise<void> =>
  new Promise((resolve, reject) => {
    const pendingRequest = request(`${url}/console/api/tail`, { headers }, (answer: IncomingMessage) => {
      if (answer.statusCode !== 200) return reject(new Error(`a tab: ${answer.statusCode}`));
      answer.resume();
      resolve();
    });
    pendingRequest.on('error', reject).end();
  });

if (!isMainThread) {
  const tabs = workerData as Tabs;
  await Promise.all(Array.from({ length: tabs.count }, () => open(tabs)));
  parentPort!.postMessage('open');
}
