/** Runs the demo's day on a service of its own, for tests in a browser: orders in several states and unusual names. */
import { setTimeout as pause } from 'node:timers/promises';
import { Customer } from '../../../cli/demo/customer.js';
import { pay, promote } from '../../../cli/demo/paymentSteps.js';
import { Stage, WebhookReceiver } from '../../../cli/demo/stage.js';
import { buy, cancel, createStore, fillCatalog, type Scene, STORE_REF, settle } from '../../../cli/demo/story.js';

export interface ConsoleDay extends Pick<Scene, 'partner' | 'receiver'> {
  readonly baseUrl: string;
  readonly sandboxUrl: string;
  readonly workspaceId: string;
  /** The partner's reference of the store. */
  readonly externalRef: string;
  /** Id and secret key of the partner. */
  readonly partnerKeys: { readonly id: string; readonly secretKey: string };
  /** Id of the delivered order. */
  readonly orderId: string;
  /** Returns the link that `suuq console …` prints. */
  link(...words: string[]): string;
  /** Runs a command of the operator, and returns its JSON. */
  run(...words: string[]): unknown;
  close(): Promise<void>;
}

/** Names that are right-to-left, contain markup or are long. */
const NAMES = [
  'حمدي عبدي',
  '<img src=x onerror=alert(1)>',
  'Faadumo “Hodan” Cabdullaahi Maxamed Cali Nuur Warsame',
  '小林 さくら',
];
/** Longest wait for the orders of the last carts, in ms. */
const ORDERS_MS = 20_000;

async function moreOrders({ stage, channel, workspaceId, partner }: Scene, names: readonly string[]): Promise<void> {
  for (const [i, name] of names.entries()) {
    const customer = new Customer(stage.keys.sandbox.baseUrl, channel.phoneNumberId, `25261555020${i}`, name);
    await customer.sendCart([{ retailerId: `SKU-${String(i * 4 + 2).padStart(2, '0')}`, quantity: i + 1 }]);
  }
  const end = Date.now() + ORDERS_MS;
  for (;;) {
    const { orders } = await partner.listOrders({ workspaceId, limit: 200 });
    if (orders.length >= names.length + 2 || Date.now() > end) return;
    await pause(100);
  }
}

/** Sends a question, a photo, a voice note and a location from a customer. */
async function request({ stage, channel }: Scene, name: string): Promise<void> {
  const hamdi = new Customer(stage.keys.sandbox.baseUrl, channel.phoneNumberId, '252615550200', name);
  await hamdi.send({ text: 'هل عندكم مقاس أكبر؟ <b>L</b>' });
  await hamdi.send({ image: { caption: 'مثل هذا' } });
  await hamdi.send({ voice: true });
  await hamdi.send({ location: { latitude: 2.0469, longitude: 45.3182, name: 'Lido', address: 'Mogadishu' } });
}

/** `names`: names of the last customers. The first one writes in Arabic. */
export async function openConsoleDay(names: readonly string[] = NAMES): Promise<ConsoleDay> {
  const stage = await Stage.open();
  const receiver = new WebhookReceiver();
  const close = async (): Promise<void> => {
    receiver.close();
    await stage.close();
  };
  try {
    const print = (): void => undefined;
    const scene: Scene = { stage, receiver, print, ...(await createStore(stage, print)) };
    await fillCatalog(scene);
    await settle(scene);
    await promote(scene);
    const orderId = await buy(scene);
    await cancel(scene);
    await pay(scene);
    await moreOrders(scene, names);
    await request(scene, names[0]!);
    const run = (...words: string[]): unknown => JSON.parse(stage.operator(...words, '--json'));
    return {
      ...{ receiver, run, partner: scene.partner },
      baseUrl: stage.keys.baseUrl,
      sandboxUrl: stage.keys.sandbox.baseUrl,
      workspaceId: scene.workspaceId,
      externalRef: STORE_REF,
      partnerKeys: stage.keys.partner,
      orderId,
      link: (...words) => (run('console', ...words) as { url: string }).url,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
