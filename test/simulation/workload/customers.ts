/**
 * Customers in the chat: they send carts, answer forms and write messages. The channel retries each delivery until it
 * is accepted.
 */
import type { InboundUpdates, NumberUpdates, ReceivedMessage } from '../../../application/channel/inboundUpdates.js';
import type { ChannelCustomer } from '../../../domain/channel/conversationEvents.js';
import type { Variation } from '../kinds.js';
import type { Channel, Sent } from '../outside/channel.js';
import { type Agenda, OUTSIDE } from '../world/agenda.js';
import type { Chance } from '../world/chance.js';
import type { Cluster } from '../world/cluster.js';
import { type Person, personOf } from './persons.js';
import type { Store } from './store.js';
import { AREA, COUPON, numberOf, TWO_FORMS } from './wares.js';

/** A message that the channel delivered and the service acknowledged. */
export interface Brought {
  readonly phoneNumberId: string;
  readonly message: ReceivedMessage;
  /** First phone of the sender. */
  readonly from: string;
}

export interface Customers {
  /** Numbers of the customers, each in one form. */
  readonly phones: readonly string[];
  readonly brought: readonly Brought[];
  /** Number of deliveries that the channel still retries. */
  readonly waiting: () => number;
}

const FIRST_AGAIN_MS = 1_000;
const LONGEST_AGAIN_MS = 8_000;
/** Share of deliveries that also arrive twice at the same time, perhaps at two instances. */
const TWICE_SHARE = 0.1;
/** Share of worlds in which the channel names customers in several ways, so that one may first be taken for two. */
const NAMES_SHARE = 0.25;
/** Share of deliveries in these worlds that are repeated later, when two customers may have been merged. */
const LATE_AGAIN_SHARE = 0.2;
/** Share of customers in these worlds who get another phone. */
const MOVE_SHARE = 0.3;
/** Share of forms in these worlds that are answered a second time. */
const ANSWER_AGAIN_SHARE = 0.2;
/** Maximum of second answers. Without it, an order that never reaches agreement would lead to forms without end. */
const MOST_ANSWERED_AGAIN = 5;

/** Share of worlds in which some customers pay from another number. */
const RELATIVES_SHARE = 0.15;
/** Share of forms in these worlds that name another number. */
const RELATIVE_SHARE = 0.3;
/** Messages in one burst: more than the 32 tasks of a lane in memory. */
const BURST = 60;
const RELATIVES = ['+252617000001', '+252617000002'];

interface Parts {
  readonly agenda: Agenda;
  readonly random: Chance;
  readonly cluster: Pick<Cluster, 'call'>;
  readonly channel: Channel;
  readonly stores: readonly Store[];
  /** Period in which customers arrive, in ms. */
  readonly forMs: number;
  /** Number of customers per store. */
  readonly customers: number;
  /** Some customers are named in several ways. */
  readonly isHarsh: boolean;
  /** Returns the time of a cart in ms; random if absent. */
  readonly cartAt?: () => number;
  readonly variation: Pick<Variation, 'names' | 'relatives' | 'bursts' | 'again' | 'twice'>;
}

const updatesOf = (of: Partial<NumberUpdates> & Pick<NumberUpdates, 'phoneNumberId'>): InboundUpdates => ({
  numbers: [{ messages: [], statuses: [], calls: [], newPhones: [], notices: [], ...of }],
  malformed: 0,
});

export function customers(parts: Parts): Customers {
  const { agenda, random, cluster, channel, stores, forMs, customers: count, isHarsh, variation } = parts;
  const { cartAt = () => random.between(0, forMs) } = parts;
  const brought: Brought[] = [];
  const more = random.fork('names');
  const hasNames = isHarsh && more.happens(variation.names ?? NAMES_SHARE);
  const payers = random.fork('payers');
  const hasRelatives = payers.happens(variation.relatives ?? RELATIVES_SHARE);
  let waiting = 0;
  let ids = 0;
  const later = (ms: number, what: string, run: () => void): void => void agenda.add(ms, OUTSIDE, what, run);

  const deliver = (updates: InboundUpdates): Promise<unknown> => {
    const requestId = crypto.randomUUID();
    return cluster.call('the channel brings', (instance) => instance.receive(updates, requestId));
  };

  const word = { content: { type: 'text', text: 'Is it there?' } } as const;

  /** Delivers until accepted. Some deliveries are also sent twice at the same time or repeated later. */
  function bring(updates: InboundUpdates, taken: () => void): void {
    waiting += 1;
    const attempt = (tries: number): void => {
      const again = Math.min(LONGEST_AGAIN_MS, FIRST_AGAIN_MS * 2 ** tries);
      deliver(updates).then(
        () => {
          waiting -= 1;
          taken();
          if (hasNames && more.happens(LATE_AGAIN_SHARE))
            later(more.between(2_000, 20_000), 'brought once more', () => bring(updates, () => undefined));
          if (random.happens(0.1))
            later(random.between(10, 3_000), 'brought twice', () => bring(updates, () => undefined));
        },
        () => later(again, 'brought again', () => attempt(tries + 1)),
      );
    };
    attempt(0);
    if (random.happens(variation.twice ?? TWICE_SHARE))
      later(random.between(0, 50), 'brought at the same time', () => void deliver(updates).catch(() => undefined));
  }

  /** Picks a random form of the number that has two. */
  const reported = (customer: ChannelCustomer): ChannelCustomer =>
    numberOf(customer.phone ?? '') === TWO_FORMS[0] ? { ...customer, phone: random.one(TWO_FORMS) } : customer;

  interface Wording {
    readonly content: ReceivedMessage['content'];
    /** Name of the customer in this message. */
    readonly as?: ChannelCustomer;
    readonly repliesTo?: string;
  }

  function print(person: Person, { content, as = person.named(), repliesTo }: Wording): void {
    const message: ReceivedMessage = {
      channelMessageId: `wamid.in.${++ids}`,
      sentAt: new Date().toISOString(),
      customer: reported(as),
      content,
      ...(repliesTo !== undefined && { repliesTo }),
    };
    const { phoneNumberId } = person.store;
    const taken = (): void => void brought.push({ phoneNumberId, message, from: person.phone });
    bring(updatesOf({ phoneNumberId, messages: [message] }), taken);
  }

  /** Sends many messages in one delivery, so that their lanes have more tasks than a window of memory. */
  function sendBurst(person: Person): void {
    const { phoneNumberId } = person.store;
    const messages = Array.from({ length: BURST }, (): ReceivedMessage => {
      const channelMessageId = `wamid.in.${++ids}`;
      return { ...word, channelMessageId, sentAt: new Date().toISOString(), customer: reported(person.named()) };
    });
    const taken = (): void =>
      void brought.push(...messages.map((message) => ({ phoneNumberId, message, from: person.phone })));
    bring(updatesOf({ phoneNumberId, messages }), taken);
  }

  function sendCart(person: Person): void {
    const ids = ['cap', ...['shirt', 'scarf'].filter(() => random.happens(0.6))];
    const items = ids.map((productRetailerId) => ({
      productRetailerId,
      quantity: 1 + random.below(3),
    }));
    print(person, { content: { type: 'order', items } });
  }

  function answerForm(person: Person, { message, channelMessageId }: Sent, orderId: string): void {
    const { store } = person;
    const fields = {
      flow_token: orderId,
      name: 'Asha Warsame',
      ...(random.happens(0.7) ? { fulfilment: 'delivery', area: AREA } : { fulfilment: 'pickup' }),
      ...(random.happens(0.6) && { coupon: COUPON }),
      ...(store.takesPayments && { wallet: 'evc_plus' }),
      // A relative pays. The customer first confirms the relative's number in the chat.
      ...(store.takesPayments &&
        hasRelatives &&
        payers.happens(RELATIVE_SHARE) && { wallet_phone: payers.one(RELATIVES) }),
    };
    // The form was sent to the chat under this name.
    const as = { ...(more.happens(0.5) ? {} : person.wholly()), ...message.to };
    print(person, { content: { type: 'flow_reply', fields }, as, repliesTo: channelMessageId });
  }

  /** Confirms the number of a relative who pays. */
  function confirmPayer(person: Person, { message, channelMessageId }: Sent): void {
    if (message.content.type !== 'menu') return;
    const option = message.content.options.find(({ id }) => id.startsWith('payer:yes:'));
    if (option === undefined) return;
    const as = { ...(more.happens(0.5) ? {} : person.wholly()), ...message.to };
    const content = { type: 'choice', ...option } as const;
    const tap = (): void => print(person, { content, as, repliesTo: channelMessageId });
    later(payers.between(200, 4_000), 'the payer is confirmed', tap);
  }

  /** Reports the progress of a message. The reports may arrive out of order. */
  function reportStatuses({ phoneNumberId, message, channelMessageId }: Sent): void {
    for (const status of ['sent', 'delivered', 'read'] as const) {
      if (status === 'read' && random.happens(0.5)) continue;
      later(random.between(100, 3_000), `status ${status}`, () => {
        const at = new Date().toISOString();
        const recipient = reported(message.to);
        const one = { messageId: message.messageId, channelMessageId, status, at, recipient };
        bring(updatesOf({ phoneNumberId, statuses: [one] }), () => undefined);
      });
    }
  }

  const persons: Person[] = [];
  const answeredForms = new Set<string>();
  let answeredAgain = 0;
  channel.onSent((sent) => {
    const { content, to } = sent.message;
    const person = persons.find((one) => one.store.phoneNumberId === sent.phoneNumberId && one.is(to));
    reportStatuses(sent);
    // No customer matches: the message went to the placeholder number, which an invariant reports.
    if (person === undefined) return;
    confirmPayer(person, sent);
    if (content.type !== 'flow' || answeredForms.has(content.token) || !random.happens(0.9)) return;
    answeredForms.add(content.token);
    const answer = (): void => answerForm(person, sent, content.token);
    later(random.between(200, 4_000), 'a form is answered', answer);
    const { again = hasNames ? ANSWER_AGAIN_SHARE : 0 } = variation;
    if (again === 0 || answeredAgain >= MOST_ANSWERED_AGAIN || !more.happens(again)) return;
    answeredAgain += 1;
    later(more.between(200, 9_000), 'a form is answered again', answer);
  });

  /** Reports all names of a customer at once, and sometimes another phone. */
  function reportNames(person: Person, at: number): void {
    later(more.between(0, forMs), 'all names', () => print(person, { ...word, as: person.wholly() }));
    later(forMs + more.between(500, 3_000), 'all names', () => print(person, { ...word, as: person.wholly() }));
    if (!more.happens(MOVE_SHARE)) return;
    const { phoneNumberId } = person.store;
    later(more.between(0, forMs), 'another phone', () => {
      const change = {
        channelMessageId: `wamid.in.${++ids}`,
        ...person.move(`+2526177700${String(at).padStart(2, '0')}`),
      };
      later(more.between(0, 3_000), 'the channel tells', () =>
        bring(updatesOf({ phoneNumberId, newPhones: [change] }), () => undefined),
      );
    });
  }

  function add(person: Person): void {
    persons.push(person);
    const carts = 1 + random.below(3);
    for (let cart = 0; cart < carts; cart++) later(cartAt(), 'a cart', () => sendCart(person));
    if (random.happens(0.5)) later(random.between(0, forMs), 'a word', () => print(person, word));
  }
  for (const [at, store] of stores.entries())
    for (let n = 0; n < count; n++) {
      const phone = `+25261555${at}${String(n).padStart(3, '0')}`;
      const person = personOf(store, phone, more, hasNames ? `SO.${at}${n}` : undefined);
      add(person);
      if (hasNames) reportNames(person, persons.length);
    }
  add(personOf(stores[0]!, TWO_FORMS[0], more));
  for (let burst = 0; burst < (variation.bursts ?? 0); burst++)
    later(more.between(0, forMs), 'a burst', () => sendBurst(more.one(persons)));
  return { phones: persons.map(({ phone }) => phone), brought, waiting: () => waiting };
}
