/** Customers in the chat: they send carts, answer forms, and write now and then; the channel brings it until it is taken. */
import type { InboundUpdates, NumberUpdates, ReceivedMessage } from '../../../application/channel/inboundUpdates.js';
import type { Channel, Sent } from '../outside/channel.js';
import { type Agenda, OUTSIDE } from '../world/agenda.js';
import type { Chance } from '../world/chance.js';
import type { Cluster } from '../world/cluster.js';
import type { Store } from './store.js';
import { AREA, COUPON } from './wares.js';

/** What the channel has brought, and was told to be stored. */
export interface Brought {
  readonly phoneNumberId: string;
  readonly message: ReceivedMessage;
}

export interface Customers {
  readonly brought: readonly Brought[];
  /** What the channel still tries to bring. */
  readonly waiting: () => number;
}

const FIRST_AGAIN_MS = 1_000;
const LONGEST_AGAIN_MS = 8_000;

interface Parts {
  readonly agenda: Agenda;
  readonly random: Chance;
  readonly cluster: Pick<Cluster, 'call'>;
  readonly channel: Channel;
  readonly stores: readonly Store[];
  /** For how long they come, in ms. */
  readonly forMs: number;
  /** Of each store. */
  readonly customers: number;
}

const updatesOf = (of: Partial<NumberUpdates> & Pick<NumberUpdates, 'phoneNumberId'>): InboundUpdates => ({
  numbers: [{ messages: [], statuses: [], calls: [], newPhones: [], ...of }],
  malformed: 0,
});

export function customers({ agenda, random, cluster, channel, stores, forMs, customers: count }: Parts): Customers {
  const brought: Brought[] = [];
  let waiting = 0;
  let ids = 0;
  const later = (ms: number, what: string, run: () => void): void => void agenda.add(ms, OUTSIDE, what, run);

  /** Until it is taken; now and then once more after that. */
  function bring(updates: InboundUpdates, taken: () => void, tries = 0): void {
    const requestId = crypto.randomUUID();
    const again = Math.min(LONGEST_AGAIN_MS, FIRST_AGAIN_MS * 2 ** tries);
    if (tries === 0) waiting += 1;
    cluster
      .call('the channel brings', (instance) => instance.receive(updates, requestId))
      .then(
        () => {
          waiting -= 1;
          taken();
          if (random.happens(0.1))
            later(random.between(10, 3_000), 'brought twice', () => bring(updates, () => undefined));
        },
        () => later(again, 'brought again', () => bring(updates, taken, tries + 1)),
      );
  }

  function say(store: Store, phone: string, content: ReceivedMessage['content'], repliesTo?: string): void {
    const message: ReceivedMessage = {
      channelMessageId: `wamid.in.${++ids}`,
      sentAt: new Date().toISOString(),
      customer: { phone, name: `Customer ${phone.slice(-2)}` },
      content,
      ...(repliesTo !== undefined && { repliesTo }),
    };
    const { phoneNumberId } = store;
    bring(updatesOf({ phoneNumberId, messages: [message] }), () => brought.push({ phoneNumberId, message }));
  }

  function sendCart(store: Store, phone: string): void {
    const ids = ['shirt', 'scarf', 'cap'].filter(() => random.happens(0.6));
    const items = (ids.length === 0 ? ['cap'] : ids).map((productRetailerId) => ({
      productRetailerId,
      quantity: 1 + random.below(3),
    }));
    say(store, phone, { type: 'order', items });
  }

  function answerForm(store: Store, { message, channelMessageId }: Sent, orderId: string): void {
    const fields = {
      flow_token: orderId,
      name: 'Asha Warsame',
      ...(random.happens(0.7) ? { fulfilment: 'delivery', area: AREA } : { fulfilment: 'pickup' }),
      ...(random.happens(0.6) && { coupon: COUPON }),
      ...(store.takesPayments && { wallet: 'evc_plus' }),
    };
    say(store, message.to.phone ?? '', { type: 'flow_reply', fields }, channelMessageId);
  }

  /** How far a message came; the later word may come first. */
  function tellStatuses({ phoneNumberId, message, channelMessageId }: Sent): void {
    for (const status of ['sent', 'delivered', 'read'] as const) {
      if (status === 'read' && random.happens(0.5)) continue;
      later(random.between(100, 3_000), `status ${status}`, () => {
        const at = new Date().toISOString();
        const one = { messageId: message.messageId, channelMessageId, status, at, recipient: message.to };
        bring(updatesOf({ phoneNumberId, statuses: [one] }), () => undefined);
      });
    }
  }

  const answeredForms = new Set<string>();
  channel.onSent((sent) => {
    const { content } = sent.message;
    const store = stores.find(({ phoneNumberId }) => phoneNumberId === sent.phoneNumberId)!;
    tellStatuses(sent);
    if (content.type !== 'flow' || answeredForms.has(content.token) || !random.happens(0.9)) return;
    answeredForms.add(content.token);
    later(random.between(200, 4_000), 'a form is answered', () => answerForm(store, sent, content.token));
  });

  for (const [at, store] of stores.entries())
    for (let n = 0; n < count; n++) {
      const phone = `+25261555${at}${String(n).padStart(3, '0')}`;
      const carts = 1 + random.below(3);
      for (let cart = 0; cart < carts; cart++) later(random.between(0, forMs), 'a cart', () => sendCart(store, phone));
      if (random.happens(0.5))
        later(random.between(0, forMs), 'a word', () => say(store, phone, { type: 'text', text: 'Is it there?' }));
    }
  return { brought, waiting: () => waiting };
}
