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
/** Token of a payment form: the order and the attempt. */
const PAYMENT_TOKEN = /^[0-9a-f-]{36}\.\d/;
const DAY_MS = 24 * 3_600_000;
/** Maximum rest of the window of a customer whose cart was delivered late, in ms. */
const WINDOW_REST_MS = 15_000;
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
  /** Some worlds have customers who are named in several ways, also if their kind does not have them. */
  readonly isOrdinary: boolean;
  /** Some customers get another phone. */
  readonly isHarsh: boolean;
  /** Returns the time of a cart in ms; random if absent. */
  readonly cartAt?: () => number;
  readonly variation: Pick<
    Variation,
    | 'names'
    | 'relatives'
    | 'bursts'
    | 'again'
    | 'twice'
    | 'newcomers'
    | 'late'
    | 'againMs'
    | 'mergedLate'
    | 'cartsWithinMs'
  >;
}

const updatesOf = (of: Partial<NumberUpdates> & Pick<NumberUpdates, 'phoneNumberId'>): InboundUpdates => ({
  numbers: [{ messages: [], statuses: [], calls: [], newPhones: [], notices: [], ...of }],
  malformed: 0,
});

/** Phones of a store's customers begin with `prefix` and the number of the store. */
const phoneOf = (prefix: string, store: number, n: number): string => `${prefix}${store}${String(n).padStart(3, '0')}`;

/** Returns the customers who write only once. */
const newcomersOf = ({ stores, variation: { newcomers = 0 } }: Parts, random: Chance): Person[] =>
  stores.flatMap((store, at) =>
    Array.from({ length: newcomers }, (_, n) => personOf(store, phoneOf('+25261666', at, n), random)),
  );

/** Returns the customers who send carts. With names the channel knows each by phone and user id. */
const regularsOf = ({ stores, customers: count, variation }: Parts, random: Chance, hasNames: boolean): Person[] =>
  stores.flatMap((store, at) =>
    Array.from({ length: count }, (_, n) => {
      const userId = hasNames ? `SO.${at}${n}` : undefined;
      return personOf(store, phoneOf('+25261555', at, n), random, userId, variation.mergedLate);
    }),
  );

export function customers(parts: Parts): Customers {
  const { agenda, random, cluster, channel, stores, forMs, isOrdinary, isHarsh, variation } = parts;
  const { cartAt = () => random.between(0, variation.cartsWithinMs ?? forMs) } = parts;
  const brought: Brought[] = [];
  const more = random.fork('names');
  const names = isHarsh ? more : random.fork('merges');
  const hasNames = names.happens(variation.names ?? (isOrdinary || isHarsh ? NAMES_SHARE : 0));
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
      const again = Math.min(variation.againMs ?? LONGEST_AGAIN_MS, FIRST_AGAIN_MS * 2 ** tries);
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
    /** Age of the message at its delivery, in ms. */
    readonly ageMs?: number;
  }

  function print(person: Person, { content, as = person.named(), repliesTo, ageMs = 0 }: Wording): void {
    const message: ReceivedMessage = {
      channelMessageId: `wamid.in.${++ids}`,
      sentAt: new Date(Date.now() - ageMs).toISOString(),
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

  function sendCart(person: Person, ageMs = 0): void {
    const ids = ['cap', ...['shirt', 'scarf'].filter(() => random.happens(0.6))];
    const items = ids.map((productRetailerId) => ({
      productRetailerId,
      quantity: 1 + random.below(3),
    }));
    print(person, { content: { type: 'order', items }, ageMs });
  }

  /** Names the customer of an answer by the name in the message, or by all names. */
  function addressed(person: Person, to: ChannelCustomer): ChannelCustomer {
    const isOnlyThis = more.happens(0.5);
    return { ...(isOnlyThis || person.isHidden ? {} : person.wholly()), ...to };
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
    const as = addressed(person, message.to);
    print(person, { content: { type: 'flow_reply', fields }, as, repliesTo: channelMessageId });
  }

  /** Confirms the number of a relative who pays. */
  function confirmPayer(person: Person, { message, channelMessageId }: Sent): void {
    if (message.content.type !== 'menu') return;
    const option = message.content.options.find(({ id }) => id.startsWith('payer:yes:'));
    if (option === undefined) return;
    const as = addressed(person, message.to);
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

  /** Reports all names of a customer before the answer to this message, so that the answer comes after a merge. */
  function reveal(person: Person, { message: { content } }: Sent): void {
    const isAboutPayment = content.type === 'menu' || (content.type === 'flow' && PAYMENT_TOKEN.test(content.token));
    if (isAboutPayment && person.reveal())
      later(more.between(0, 200), 'all names', () => print(person, { ...word, as: person.wholly() }));
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
    reveal(person, sent);
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
    if (!variation.mergedLate)
      later(more.between(0, forMs), 'all names', () => print(person, { ...word, as: person.wholly() }));
    later(forMs + more.between(500, 3_000), 'all names', () => {
      person.reveal();
      print(person, { ...word, as: person.wholly() });
    });
    if (!isHarsh || !more.happens(MOVE_SHARE)) return;
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
  /** Sends a cart when the window is about to end, and writes again while it may be answered. */
  function sendLate(person: Person): void {
    const at = cartAt();
    later(at, 'a late cart', () => sendCart(person, DAY_MS - more.between(1_000, WINDOW_REST_MS)));
    later(at + more.between(0, 6_000), 'a word', () => print(person, word));
  }
  for (const person of newcomersOf(parts, more)) {
    persons.push(person);
    later(more.between(0, forMs), 'a newcomer', () => print(person, word));
  }
  for (const person of regularsOf(parts, more, hasNames)) {
    add(person);
    if (hasNames) reportNames(person, persons.length);
    if (variation.late !== undefined && more.happens(variation.late)) sendLate(person);
  }
  add(personOf(stores[0]!, TWO_FORMS[0], more));
  for (let burst = 0; burst < (variation.bursts ?? 0); burst++)
    later(more.between(0, forMs), 'a burst', () => sendBurst(more.one(persons)));
  return { phones: persons.map(({ phone }) => phone), brought, waiting: () => waiting };
}
