/** The thread of the built-in sandbox: a provider works on machines of its own, not on the service's time. */

import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../../engine/messageOf.js';
import { systemClock } from '../../../engine/ports/clock.js';
import type { DocumentStore } from '../../../engine/ports/documents.js';
import { startSandbox } from '../../../infrastructure/sandbox/sandbox.js';
import { openViews } from '../../engines/engines.js';
import { createLog } from '../../log.js';
import {
  type FromSandbox,
  type SandboxThreadData,
  type ServicePlace,
  sandboxNumbers,
  type ToSandbox,
} from '../sandbox.js';

const port = parentPort!;
const { views, log, ...options } = workerData as SandboxThreadData;
// Opened when it is first asked: the sandbox starts beside those who make the file.
let readModels: DocumentStore | undefined;
let place: ServicePlace = { webhookUrl: '' };

async function numbers() {
  readModels ??= await openViews(views);
  return sandboxNumbers(readModels)();
}

const say = (message: FromSandbox): void => port.postMessage(message);

try {
  const sandbox = await startSandbox({
    ...options,
    webhookUrl: () => place.webhookUrl,
    consoleUrl: () => place.consoleUrl,
    clock: systemClock,
    log: createLog(log),
    numbers,
  });
  port.on('message', async (message: ToSandbox) => {
    if ('webhookUrl' in message) {
      place = message;
      return;
    }
    await sandbox.close();
    await readModels?.close();
    port.close();
  });
  say({ baseUrl: sandbox.baseUrl });
} catch (error) {
  say({ failed: messageOf(error) });
}
