/**
 * A year of many shops, played through the real decisions with a clock of its own: how many chats begin in an hour follows from
 * the season, the day of the week and the hour; which shop they are with, from how busy it is. The same seed and number of events
 * give the same log.
 */
import { customerStreamId } from '../../application/channel/customerIdentity.js';
import { conversation } from '../../domain/channel/conversation.js';
import { conversationOfKey } from '../../domain/channel/conversationIds.js';
import { claimPhone, customerKey } from '../../domain/channel/customerKey.js';
import { derivedId } from '../../domain/ids.js';
import { createPartner, partner, partnerSlug, takeSlug } from '../../domain/partners/partner.js';
import { plan, publishPlan } from '../../domain/partners/plan.js';
import { Agenda, type Story } from './agenda.js';
import { Chat, HOUR, SECOND } from './chat.js';
import { type Append, Ledger } from './ledger.js';
import { buy } from './order.js';
import { Random, sumsOf } from './random.js';
import { hourShares } from './season.js';
import { type Customer, Shop } from './shop.js';
import { FAMILIES, PEOPLE } from './wares.js';

export interface YearPlan {
  /** About so many; the last command may have a few more. */
  readonly events: number;
  readonly seed: string;
}

const START = Date.parse('2025-01-01T00:00:00Z');
const PLAN = { key: 'shops', name: 'Shops' };
const FEATURES = ['commerce.catalog', 'commerce.orders', 'channel.number', 'workspace.core'];

/** Maximum number of customers in memory, over all shops. */
const MOST_CUSTOMERS = 12_000;
const FEWEST_CUSTOMERS = 12;
/** Estimated events of a chat before any has ended. */
const EVENTS_A_CHAT = 14;
/** Share of chats with known customers. */
const KNOWN = 0.65;
const BUYING = 0.6;
const HOUR_OF_TELLING = 0;

const shopsFor = (events: number): number => Math.max(2, Math.min(300, Math.round(Math.sqrt(events) / 10)));

export class Year {
  readonly ledger: Ledger;
  readonly shops: readonly Shop[];
  readonly #events: number;
  readonly #seed: string;
  readonly #agenda = new Agenda();
  readonly #random: Random;
  readonly #busyness: readonly number[];
  readonly #mostCustomers: readonly number[];
  #chats = 0;
  #people = 0;
  #hours = 0;
  #due = 0;
  readonly #shares = hourShares(START);

  constructor({ events, seed }: YearPlan, append: (append: Append) => void) {
    this.#events = events;
    this.#seed = seed;
    this.ledger = new Ledger(seed, append);
    this.ledger.now = START;
    this.#random = new Random(seed, 'year');
    const count = shopsFor(events);
    // Of Zipf's kind: the first shop has a hundred times the customers of the last.
    const weights = Array.from({ length: count }, (_, n) => (n + 1) ** -0.8);
    this.#busyness = sumsOf(weights);
    const all = this.#busyness.at(-1)!;
    this.#mostCustomers = weights.map((one) => Math.max(FEWEST_CUSTOMERS, Math.round((MOST_CUSTOMERS * one) / all)));
    const partnerId = derivedId(seed, 'partner');
    const most = Math.min(300, Math.max(10, Math.floor(events / (count * 20))));
    this.shops = weights.map((_, n) => {
      const random = new Random(seed, 'shop', n);
      const products = random.between(10, most);
      return new Shop({ seed, n, partnerId, planKey: PLAN.key, products }, this.ledger, random);
    });
    this.#open(partnerId);
  }

  #open(partnerId: string): void {
    const by = {
      actor: { type: 'system' },
      correlationId: derivedId(this.#seed, 'opening'),
      operator: 'generator',
    } as const;
    const features = FEATURES.map((key) => ({ key, enabled: true }));
    this.ledger.decide(by, plan, PLAN.key, publishPlan({ ...PLAN, features }));
    const slug = 'generated-shops';
    this.ledger.decide(by, partnerSlug, slug, takeSlug({ slug, partnerId }));
    const named = createPartner({ name: 'Generated shops', slug, planKey: PLAN.key });
    this.ledger.decide({ ...by, partnerId }, partner, partnerId, named);
    for (const shop of this.shops) shop.open();
  }

  get isOver(): boolean {
    return this.ledger.written >= this.#events;
  }

  /** Number of running stories, and of cached states. */
  get going(): { readonly stories: number; readonly states: number } {
    return { stories: this.#agenda.size, states: this.ledger.inMemory };
  }

  /** Runs the next step: one command, or a few. */
  step(): void {
    const hour = START + this.#hours * HOUR;
    if (this.#agenda.next >= hour) {
      this.#beginHour(hour);
      return;
    }
    this.ledger.now = Math.max(this.ledger.now, this.#agenda.next);
    this.#goOn(this.#agenda.take());
  }

  #goOn(story: Story): void {
    const { done, value } = story.next();
    if (!done) this.#agenda.note(this.ledger.now + value, story);
  }

  /** As many chats as are still needed to come to what is due by the end of this hour. After a year the next one begins. */
  #beginHour(at: number): void {
    this.ledger.now = Math.max(this.ledger.now, at);
    if (this.#hours % 24 === HOUR_OF_TELLING) this.#night();
    this.#due += this.#shares[this.#hours % this.#shares.length]! * this.#events;
    const each = this.#chats < 50 ? EVENTS_A_CHAT : Math.max(1, this.ledger.written / this.#chats);
    const chats = Math.ceil(Math.max(0, this.#due - this.ledger.written) / each);
    for (let n = 0; n < chats; n += 1) this.#agenda.note(at + this.#random.below(HOUR / SECOND) * SECOND, this.#chat());
    this.#hours += 1;
  }

  #night(): void {
    for (const shop of this.shops) {
      if (this.#random.chance(0.15)) shop.reprice();
      shop.report();
    }
  }

  *#chat(): Story {
    this.#chats += 1;
    const n = this.#chats;
    const random = new Random(this.#seed, 'chat', n);
    const at = random.weighted(this.#busyness);
    const shop = this.shops[at]!;
    const customer = this.#customerOf(shop, this.#mostCustomers[at]!, random);
    const chat = new Chat(`${this.#seed} chat ${n}`, this.ledger, shop, customer, random);
    customer.busy += 1;
    const isBuying = random.chance(BUYING);
    if (!isBuying || random.chance(0.3)) yield* chat.talk();
    const left = isBuying ? yield* buy(chat) : undefined;
    if (left === undefined) yield* chat.close();
    customer.busy -= 1;
    if (left !== undefined) yield* left;
  }

  /** One that the shop knows, or one more; who was not seen for the longest does not come back when there are too many. */
  #customerOf(shop: Shop, most: number, random: Random): Customer {
    const { customers, workspaceId, numberId } = shop;
    if (customers.length > 0 && random.chance(KNOWN)) return random.pick(customers);
    this.#people += 1;
    const phone = `+25261${String(10_000_000 + this.#people).slice(1)}`;
    const name = `${random.pick(PEOPLE)} ${random.pick(FAMILIES)}`;
    const customer: Customer = { phone, name, conversationId: conversationOfKey(numberId, phone), busy: 0 };
    const key = customerStreamId(workspaceId, 'phone', phone);
    this.ledger.decide(shop.by(), customerKey, key, claimPhone({ key: phone }));
    this.ledger.forget(customerKey, key);
    const leaving = customers.length < most ? -1 : customers.findIndex(({ busy }) => busy === 0);
    if (leaving !== -1) {
      this.ledger.forget(conversation, customers[leaving]!.conversationId);
      customers.splice(leaving, 1);
    }
    customers.push(customer);
    return customer;
  }
}
