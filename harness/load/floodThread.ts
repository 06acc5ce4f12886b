/** The thread of a flood: see flood.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { Agent, fetch } from 'undici';
import type { FloodOptions } from './flood.js';
import { hostileBodies, largestGoodBody } from './hostileBodies.js';

/** After `rate_limited` it waits so long, in ms: as near its limit as it can be. */
const LIMITED_MS = 250;

const { baseUrl, workspaceId, key, connections, bodies: kind } = workerData as FloodOptions;
const makers = kind === 'good' ? [largestGoodBody] : Object.values(hostileBodies);
const bodies = makers.map((make) => Buffer.from(make()));
const url = `${baseUrl}/api/v1/workspaces/${workspaceId}/commerce/products/batch`;
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
const dispatcher = new Agent({ connections });
const answered: Record<number, number> = {};
let stopped = false;
let next = 0;

async function send(): Promise<void> {
  while (!stopped) {
    const body = bodies[next++ % bodies.length]!;
    const answer = await fetch(url, { method: 'POST', headers, body, dispatcher }).catch(() => undefined);
    await answer?.arrayBuffer().catch(() => undefined);
    const status = answer?.status ?? 0;
    answered[status] = (answered[status] ?? 0) + 1;
    if (status === 429) await new Promise((resolve) => setTimeout(resolve, LIMITED_MS));
  }
}

parentPort!.once('message', () => {
  stopped = true;
});
parentPort!.postMessage('begun');
await Promise.all(Array.from({ length: connections }, send));
await dispatcher.close();
parentPort!.postMessage(answered);
