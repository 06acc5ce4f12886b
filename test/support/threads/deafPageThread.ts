/** Entry of a thread that takes pages to make and says nothing of them; but ends when it is told to, or asked for `listEnds`. */
import { parentPort } from 'node:worker_threads';
import type { ToPageThread } from '../../../service/composition/threads/pageThreads.js';

const port = parentPort!;
port.on('message', (message: ToPageThread) => {
  if ('stop' in message) port.close();
  else if (message.tasks.some(({ task }) => task.operation === 'listEnds')) throw new Error('it was asked to');
});
port.postMessage({ started: true });
