/**
 * Entry of a thread that accepts pages to build and never reports on them. It ends on `stop`, and throws on `listEnds`.
 */
import { parentPort } from 'node:worker_threads';
import type { ToPageThread } from '../../../service/composition/threads/pageThreads.js';

const port = parentPort!;
port.on('message', (message: ToPageThread) => {
  if ('stop' in message) port.close();
  else if (message.tasks.some(({ task }) => task.operation === 'listEnds')) throw new Error('it was asked to');
});
port.postMessage({ started: true });
