/** `npm run demo`: a store's day, played through HTTP against a fresh folder. Exits 1 when a step is not as specified. */
import { messageOf } from '../../engine/messageOf.js';
import { answerPhoto, checkMessageWebhooks, writeLater } from './chatSteps.js';
import { onSale, pay, promote } from './paymentSteps.js';
import { repeated } from './retries.js';
import { signIn } from './signIn.js';
import { Stage, WebhookReceiver } from './stage.js';
import { buy, cancel, checkWebhooks, createStore, fillCatalog, type Scene, settle, showHistory } from './story.js';

const print = (line: string): void => {
  process.stdout.write(line.startsWith('# ') ? `\n${line.slice(2)}\n` : `${line}\n`);
};

const { EVENTSTORE_URL, MONGODB_URL } = process.env;
const place = EVENTSTORE_URL || MONGODB_URL ? 'on the engines that the environment names' : 'on a temporary folder';
const started = Date.now();
const stage = await Stage.open();
const receiver = new WebhookReceiver();
try {
  print(`The service runs at ${stage.keys.baseUrl}, ${place}.`);
  const scene: Scene = { stage, receiver, print, ...(await createStore(stage, print)) };
  await fillCatalog(scene);
  await settle(scene);
  await promote(scene);
  const orderId = await buy(scene);
  await cancel(scene);
  await pay(scene);
  await onSale(scene);
  const member = await signIn(scene);
  await answerPhoto(scene, member);
  await writeLater(scene, member);
  await checkMessageWebhooks(scene);
  await checkWebhooks(scene, orderId);
  await showHistory(scene, orderId);
  const repetitions = repeated();
  if (repetitions !== undefined) print(`\n${repetitions}`);
  print(`\nAll as specified, in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
} catch (error) {
  process.stderr.write(`\nNot as specified: ${messageOf(error)}\n`);
  process.exitCode = 1;
} finally {
  receiver.close();
  await stage.close();
}
