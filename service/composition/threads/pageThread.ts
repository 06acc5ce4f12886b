/** Entry of a thread that makes pages of lists: a reader of the read models of its own, and the operations. */
import { parentPort, workerData } from 'node:worker_threads';
import { pageMaking } from '../../../api/http/pageMaking.js';
import { operations } from '../../../api/operations/index.js';
import { createReads } from '../../../engine/projections/documentReads.js';
import { createAuthenticator } from '../../../infrastructure/secrets/authenticator.js';
import { openViews } from '../../engines/engines.js';
import type { FromPageThread, PageThreadData, ToPageThread } from './pageThreads.js';

const port = parentPort!;
const { file, masterKeys } = workerData as PageThreadData;
const post = (message: FromPageThread, moved: ArrayBuffer[] = []): void => port.postMessage(message, moved);

const views = await openViews({ file });
const cursors = createAuthenticator(masterKeys, 'cursors');
const make = pageMaking(operations, { reads: createReads(views, () => undefined), cursors });

/** Answers that go together: waking the other thread costs as much as a tenth of a page. */
const TOGETHER = 4;

async function answer(tasks: Extract<ToPageThread, { tasks: unknown }>['tasks']): Promise<void> {
  for (let i = 0; i < tasks.length; i += TOGETHER) {
    const answers = [];
    const moved: ArrayBuffer[] = [];
    for (const { seq, task } of tasks.slice(i, i + TOGETHER)) {
      const made = await make(task);
      answers.push({ seq, made });
      if (typeof made === 'object') moved.push(made.bytes.buffer as ArrayBuffer);
    }
    post({ answers }, moved);
  }
}

/** One after the other, however they came. */
let last = Promise.resolve();

port.on('message', (message: ToPageThread) => {
  if ('tasks' in message) last = last.then(() => answer(message.tasks));
  else
    void last.then(async () => {
      await views.close();
      port.close();
    });
});

post({ started: true });
