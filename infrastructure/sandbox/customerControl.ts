/** Acting as a customer: messages of every kind, alone or many in one delivery, calls, and what became of the store's messages. */

import { Readable } from 'node:stream';
import { defined } from '../../domain/defined.js';
import type { Clock } from '../../engine/ports/clock.js';
import { list, record } from '../untypedJson.js';
import { WrongBody } from './bodyText.js';
import { type ChatMessage, customerOf, newWamid, type SandboxChats, type SandboxCustomer } from './chats.js';
import { contactsOf, from, ordered, ownWamid, sender, timeOf, timesOf } from './customerActs.js';
import type { CustomerFile, CustomerMessage } from './customerContext.js';
import { customerMessage, newPhone } from './customerMessages.js';
import type { Journal } from './journal.js';
import { RECEIVED_MS, type SandboxMedia, type SandboxMediaStore } from './media.js';
import { shownMessage } from './messageViews.js';
import { Reply, type SandboxRequest, type SandboxRoutes } from './routes.js';
import type { SandboxTemplate } from './templateContent.js';
import {
  type Delivered,
  STATUSES,
  type Step,
  type Update,
  unixSeconds,
  type WebhookCalls,
  waId,
} from './webhookCalls.js';

export interface CustomerControlDependencies {
  readonly chats: SandboxChats;
  readonly media: SandboxMediaStore;
  readonly journal: Journal;
  readonly webhook: WebhookCalls;
  readonly clock: Clock;
  /** Those of the number's business account. */
  templatesOf(phoneNumberId: string): Promise<readonly SandboxTemplate[]>;
  catalogOf(phoneNumberId: string): Promise<string>;
  /** Cents. */
  priceIn(catalogId: string): (retailerId: string) => number | undefined;
}

type Sent = Pick<ChatMessage, 'wamid' | 'at' | 'payload'>;

interface Params {
  readonly number: string;
  readonly customer: string;
}

const MB = 1024 * 1024;
/** A file as base64 in JSON, and the rest. */
const BODY_BYTES = 24 * MB;
const MOST_FILE = 16 * MB;
const MOST_TOGETHER = 1_000;

export function customerControl(app: SandboxRoutes, dependencies: CustomerControlDependencies): void {
  const { chats, media, journal, webhook, clock, templatesOf, catalogOf, priceIn } = dependencies;

  async function storeFile({ content, mimeType, filename }: CustomerFile): Promise<SandboxMedia> {
    const about = {
      mimeType,
      ...defined({ filename }),
      retentionMs: RECEIVED_MS,
      mostBytes: MOST_FILE,
    };
    if (content.length > MOST_FILE) throw new WrongBody('A file has at most 16 MB here.');
    const { media: stored, entry } = await media.put(Readable.from([content]), about);
    await journal.append(entry);
    return stored;
  }

  interface Written {
    readonly wamid: string;
    readonly customer: SandboxCustomer;
    readonly update: Update;
  }

  async function store(
    number: string,
    customer: SandboxCustomer,
    { wamid = newWamid(), at }: { readonly wamid?: string | undefined; readonly at: number },
    payload: CustomerMessage,
  ): Promise<string> {
    const message: ChatMessage = { wamid, at, direction: 'sent', payload, statuses: [] };
    await journal.append(chats.add(number, customer, message));
    return wamid;
  }

  function updateOf(number: string, customer: SandboxCustomer, { wamid, at, payload }: Sent): Update {
    const inbound = { ...from(customer), id: wamid, timestamp: unixSeconds(at), ...payload };
    return { phoneNumberId: number, value: { ...contactsOf(customer), messages: [inbound] } };
  }

  async function write(number: string, catalogId: string, key: string, given: unknown): Promise<Written> {
    const body = record(given);
    if (body === undefined) throw new WrongBody('The body is a JSON object.');
    const customer = sender(key, body, chats, number);
    const messages = chats.messages(number, customer);
    const own = ownWamid(body);
    const before = messages.find(({ wamid, direction }) => direction === 'sent' && wamid === own);
    // Sent before: the same message is delivered once more, as the channel does when it got no answer.
    if (before !== undefined) return { wamid: before.wamid, customer, update: updateOf(number, customer, before) };
    const at = timeOf(body.at, clock.now());
    const payload = await customerMessage(body, { messages, catalogId, priceOf: priceIn(catalogId), store: storeFile });
    const wamid = await store(number, customer, { wamid: own, at }, payload);
    if (payload.type === 'system') await journal.append(chats.meet(number, { ...customer, phone: newPhone(payload) }));
    return { wamid, customer, update: updateOf(number, customer, { wamid, at, payload }) };
  }

  const params = (request: SandboxRequest): Params => request.params as unknown as Params;
  const place = '/sandbox/numbers/:number/customers/:customer';

  app.post(`${place}/messages`, { limit: BODY_BYTES }, async (request) => {
    const { number, customer: key } = params(request);
    const times = timesOf(record(request.body) ?? {});
    const { wamid, customer, update } = await write(number, await catalogOf(number), key, request.body);
    let delivered: Delivered = await webhook.deliver([update]);
    for (let time = 1; time < times; time++) delivered = await webhook.deliver([update]);
    return { wamid, customer, webhook: delivered };
  });

  /** `messages`: as above, each with `customer`; in one delivery. `order`: reversed or shuffled; `times`: each so often. */
  app.post('/sandbox/numbers/:number/deliveries', { limit: BODY_BYTES }, async (request) => {
    const { number } = params(request);
    const body = record(request.body) ?? {};
    const requested = list(body.messages);
    if (requested.length === 0 || requested.length > MOST_TOGETHER)
      throw new WrongBody(`messages has 1 to ${MOST_TOGETHER} entries.`);
    const times = timesOf(body);
    const catalogId = await catalogOf(number);
    const written: Written[] = [];
    for (const one of requested) {
      const key = record(one)?.customer;
      if (typeof key !== 'string') throw new WrongBody('Each message names its customer.');
      written.push(await write(number, catalogId, key, one));
    }
    const updates = Array.from({ length: times }, () => written.map(({ update }) => update)).flat();
    const delivered = await webhook.deliver(ordered(updates, body.order));
    return { wamids: written.map(({ wamid }) => wamid), webhook: delivered };
  });

  /**
   * A call of the customer, which nobody answers. `status`: as the channel ends it, none when absent; `duration`: seconds,
   * for one that was answered; `events`: `connect` and `terminate` unless fewer are wanted; `callId`: one that came before.
   */
  app.post(`${place}/calls`, async (request) => {
    const { number, customer: key } = params(request);
    const body = record(request.body) ?? {};
    const customer = sender(key, body, chats, number);
    const at = timeOf(body.at, clock.now());
    const { status, duration, events = ['connect', 'terminate'] } = body;
    const id = typeof body.callId === 'string' ? body.callId : `wacid.${newWamid().slice(6)}`;
    const call = {
      id,
      ...from(customer),
      to: waId(webhook.displayOf(number)),
      direction: 'USER_INITIATED',
      timestamp: unixSeconds(at),
    };
    const ended = {
      ...(typeof status === 'string' ? { status } : {}),
      ...(typeof duration === 'number' ? { duration } : {}),
    };
    const requested = list(events).filter((event) => event === 'connect' || event === 'terminate');
    if (requested.length === 0) throw new WrongBody('events has connect, terminate or both.');
    await store(number, customer, { at }, { type: 'call', call: { id, ...ended } });
    let delivered: Delivered = { status: 0, body: '' };
    for (const event of requested) {
      const value = { ...contactsOf(customer), calls: [{ ...call, event, ...(event === 'terminate' ? ended : {}) }] };
      delivered = await webhook.deliver([{ phoneNumberId: number, field: 'calls', value }]);
    }
    return { callId: id, customer, webhook: delivered };
  });

  /** `?all=1`: also what the customer wrote. */
  app.get(`${place}/messages`, async (request) => {
    const { number, customer } = params(request);
    const all = request.query.all !== undefined;
    const messages = chats.messages(number, customerOf(customer));
    const templates = await templatesOf(number);
    return {
      messages: messages
        .filter(({ direction }) => all || direction === 'received')
        .map((one) => shownMessage(one, templates)),
    };
  });

  function report(number: string, customer: SandboxCustomer, message: ChatMessage, step: Step): void {
    message.statuses = [...new Set([...message.statuses, step.status])];
    const { wamid, callbackData } = message;
    webhook.status({ phoneNumberId: number, customer, wamid, callbackData, ...step });
  }

  /** The customer has read everything that was received. */
  app.post(`${place}/read`, async (request) => {
    const { number, customer: key } = params(request);
    const customer = chats.known(number, customerOf(key));
    for (const message of chats.messages(number, customer))
      if (message.direction === 'received' && !['read', 'failed'].some((one) => message.statuses.includes(one)))
        report(number, customer, message, { status: 'read' });
    return new Reply(204);
  });

  /** Sends one status of one message: `{wamid, status, errorCode?, times?}`. */
  app.post(`${place}/statuses`, async (request) => {
    const { number, customer: key } = params(request);
    const customer = chats.known(number, customerOf(key));
    const body = record(request.body) ?? {};
    const message = chats
      .messages(number, customer)
      .find(({ wamid, direction }) => direction === 'received' && wamid === body.wamid);
    const status = STATUSES.find((known) => known === body.status);
    if (message === undefined || status === undefined)
      throw new WrongBody(
        `statuses needs the wamid of a message that was received, and one of ${STATUSES.join(', ')}.`,
      );
    const errorCode = typeof body.errorCode === 'number' ? { errorCode: body.errorCode } : {};
    for (let time = timesOf(body); time > 0; time--) report(number, customer, message, { status, ...errorCode });
    return new Reply(204);
  });

  app.get('/sandbox/numbers/:number/customers', async (request) => ({
    customers: chats.customers(params(request).number),
  }));
}
