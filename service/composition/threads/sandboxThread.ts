/** The thread of the built-in sandbox: a provider works on machines of its own, not on the service's time. */

import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../../engine/messageOf.js';
import { systemClock } from '../../../engine/ports/clock.js';
import type { DocumentStore } from '../../../engine/ports/documents.js';
import { CannotListen } from '../../../infrastructure/http/cannotListen.js';
import { startSandbox } from '../../../infrastructure/sandbox/sandbox.js';
import type { FromSandbox, SandboxThreadData, ServicePlace, ToSandbox } from '../sandbox.js';
import { threadLog } from './threadLog.js';

const port = parentPort!;
const { views, ...options } = workerData as SandboxThreadData;
// Loaded and opened on first use: the sandbox starts concurrently with the creators of the file.
let readModels: DocumentStore | undefined;
let place: ServicePlace = { webhookUrl: '' };

async function numbers() {
  const [{ openViews }, { sandboxNumbers }] = await Promise.all([
    import('../../engines/engines.js'),
    import('../sandboxNumbers.js'),
  ]);
  readModels ??= await openViews(views);
  return sandboxNumbers(readModels)();
}

const post = (message: FromSandbox): void => port.postMessage(message);

try {
  const sandbox = await startSandbox({
    ...options,
    webhookUrl: () => place.webhookUrl,
    consoleUrl: () => place.consoleUrl,
    clock: systemClock,
    log: threadLog(post),
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
  post({ baseUrl: sandbox.baseUrl });
} catch (error) {
  post({ failed: messageOf(error), ...(error instanceof CannotListen && { code: error.code }) });
}
