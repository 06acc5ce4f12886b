/** Acting as a customer: messages of every kind, alone or many in one delivery, calls, and what became of the store's messages. */

import { list, record } from '../untypedJson.js';
import { WrongBody } from './bodyText.js';
import { type ChatMessage, customerOf, newWamid, type SandboxCustomer } from './chats.js';
import { contactsOf, from, ordered, sender, timeOf, timesOf } from './customerActs.js';
import { CustomerWriting, type CustomerWritingDependencies, type Written } from './customerWriting.js';
import { shownMessage } from './messageViews.js';
import { Reply, type SandboxRequest, type SandboxRoutes } from './routes.js';
import type { SandboxTemplate } from './templateContent.js';
import { type Delivered, STATUSES, type Step, unixSeconds, type WebhookCalls, waId } from './webhookCalls.js';

export interface CustomerControlDependencies extends CustomerWritingDependencies {
  readonly webhook: WebhookCalls;
  /** Those of the number's business account. */
  templatesOf(phoneNumberId: string): Promise<readonly SandboxTemplate[]>;
  catalogOf(phoneNumberId: string): Promise<string>;
}

interface Params {
  readonly number: string;
  readonly customer: string;
}

const MB = 1024 * 1024;
/** A file as base64 in JSON, and the rest. */
const BODY_BYTES = 24 * MB;
const MOST_TOGETHER = 1_000;

const params = ({ params: { number = '', customer = '' } }: SandboxRequest): Params => ({ number, customer });
const place = '/sandbox/numbers/:number/customers/:customer';

export function customerControl(app: SandboxRoutes, dependencies: CustomerControlDependencies): void {
  const writing = new CustomerWriting(dependencies);
  messageRoutes(app, dependencies, writing);
  callRoutes(app, dependencies, writing);
  readingRoutes(app, dependencies);
  statusRoutes(app, dependencies);
}

function messageRoutes(
  app: SandboxRoutes,
  { webhook, catalogOf }: CustomerControlDependencies,
  writing: CustomerWriting,
): void {
  app.post(`${place}/messages`, { limit: BODY_BYTES }, async (request) => {
    const { number, customer: key } = params(request);
    const times = timesOf(record(request.body) ?? {});
    const { wamid, customer, update } = await writing.write(number, await catalogOf(number), key, request.body);
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
      written.push(await writing.write(number, catalogId, key, one));
    }
    const updates = Array.from({ length: times }, () => written.map(({ update }) => update)).flat();
    const delivered = await webhook.deliver(ordered(updates, body.order));
    return { wamids: written.map(({ wamid }) => wamid), webhook: delivered };
  });
}

function callRoutes(
  app: SandboxRoutes,
  { chats, webhook, clock }: CustomerControlDependencies,
  writing: CustomerWriting,
): void {
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
    await writing.store(number, customer, { at }, { type: 'call', call: { id, ...ended } });
    let delivered: Delivered = { status: 0, body: '' };
    for (const event of requested) {
      const value = { ...contactsOf(customer), calls: [{ ...call, event, ...(event === 'terminate' ? ended : {}) }] };
      delivered = await webhook.deliver([{ phoneNumberId: number, field: 'calls', value }]);
    }
    return { callId: id, customer, webhook: delivered };
  });
}

function readingRoutes(app: SandboxRoutes, { chats, templatesOf }: CustomerControlDependencies): void {
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

  app.get('/sandbox/numbers/:number/customers', async (request) => ({
    customers: chats.customers(params(request).number),
  }));
}

function statusRoutes(app: SandboxRoutes, { chats, webhook }: CustomerControlDependencies): void {
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
}
