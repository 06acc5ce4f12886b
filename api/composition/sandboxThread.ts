/** The thread of the built-in sandbox: a provider works on machines of its own, not on the service's time. */
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../application/ports/clock.js';
import type { ReadModels } from '../../application/ports/readModels.js';
import { createReads } from '../../application/readModelReads.js';
import { startSandbox } from '../../infrastructure/sandbox/sandbox.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { channelNumbers } from '../../projections/channelNumbers.js';
import { stores } from '../../projections/stores.js';
import { createLog } from '../log.js';
import type { LogLevel } from '../settings.js';

export interface SandboxThreadData {
  readonly port: number;
  readonly stateFile: string;
  /** views.db, for the names of the numbers that the page offers. */
  readonly views: string;
  readonly appSecret: string;
  readonly verifyToken: string;
  readonly accessToken: string;
  readonly log: LogLevel;
}

/** The service's webhook, once it listens; or the end. */
export type ToSandbox = { readonly webhookUrl: string } | { readonly stop: true };
export type FromSandbox = { readonly baseUrl: string } | { readonly failed: string };

/** Most numbers that the page offers. */
const MOST_NUMBERS = 200;

const port = parentPort!;
const { views, log, ...options } = workerData as SandboxThreadData;
// Opened when it is first asked: the sandbox starts beside those who make the file.
let readModels: ReadModels | undefined;
let webhookUrl = '';

async function numbers() {
  readModels ??= openEmbeddedReadModels(views, { readonly: true, name: 'views.db' });
  const reads = createReads(readModels);
  const found = await reads.find(channelNumbers, { limit: MOST_NUMBERS });
  const named = await reads.getMany(
    stores,
    found.map(({ body }) => body.workspaceId),
  );
  return found.map(({ body: { phoneNumberId, displayPhoneNumber, catalogId, workspaceId } }) => {
    const name = named.get(workspaceId)?.body.name;
    return { phoneNumberId, displayPhoneNumber, catalogId, ...(name === undefined ? {} : { name }) };
  });
}

const say = (message: FromSandbox): void => port.postMessage(message);

try {
  const sandbox = await startSandbox({
    ...options,
    host: '127.0.0.1',
    webhookUrl: () => webhookUrl,
    clock: systemClock,
    log: createLog(log),
    numbers,
  });
  port.on('message', async (message: ToSandbox) => {
    if ('webhookUrl' in message) {
      webhookUrl = message.webhookUrl;
      return;
    }
    await sandbox.close();
    await readModels?.close();
    port.close();
  });
  say({ baseUrl: sandbox.baseUrl });
} catch (error) {
  say({ failed: error instanceof Error ? error.message : String(error) });
}
