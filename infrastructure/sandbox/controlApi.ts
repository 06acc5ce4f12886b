/** The sandbox's own endpoints: acting as a customer, looking at what arrived, faults. Never part of the provider's protocol. */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Clock } from '../../application/ports/clock.js';
import type { SandboxCatalogs } from './catalogs.js';
import { type ChatMessage, customerOf, newWamid, type SandboxChats, type SandboxCustomer } from './chats.js';
import { customerMessage, WrongBody } from './customerMessages.js';
import type { Faults } from './faults.js';
import type { Journal } from './journal.js';
import { unixSeconds, type WebhookCalls, waId } from './webhookCalls.js';

/** A business number that the page offers. */
export interface SandboxNumber {
  readonly phoneNumberId: string;
  readonly displayPhoneNumber: string;
  readonly catalogId: string;
  readonly name?: string;
}

export interface ControlDependencies {
  readonly catalogs: SandboxCatalogs;
  readonly chats: SandboxChats;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly webhook: WebhookCalls;
  readonly clock: Clock;
  readonly numbers: () => Promise<readonly SandboxNumber[]>;
  readonly settings: { statuses: boolean };
}

interface Params {
  readonly number: string;
  readonly customer: string;
  readonly catalog: string;
}

const MOST_ITEMS = 1_000;

const wrong = (reply: FastifyReply, detail: string): FastifyReply => reply.status(422).send({ error: detail });

/** What of a message's content is shown. */
interface Content {
  readonly type?: string;
  readonly body?: string | { readonly text?: string };
  /** Of a template: its variables, since its own text is kept by the channel. */
  readonly components?: readonly { readonly parameters?: readonly { readonly text?: string }[] }[];
  readonly action?: {
    readonly parameters?: {
      readonly flow_name?: string;
      readonly flow_token?: string;
      readonly flow_cta?: string;
      readonly flow_action_payload?: { readonly screen?: string; readonly data?: object };
    };
  };
}

/** A message as a person reads it, beside what the channel carried. */
function readable({ wamid, at, direction, payload, statuses }: ChatMessage): object {
  const content = payload[String(payload.type)] as Content | undefined;
  const variables = content?.components?.flatMap(({ parameters = [] }) => parameters.map((one) => one.text ?? ''));
  const text = variables?.join(' ') ?? (typeof content?.body === 'object' ? content.body.text : content?.body);
  const parameters = content?.action?.parameters;
  const form = parameters && {
    name: parameters.flow_name,
    token: parameters.flow_token,
    cta: parameters.flow_cta,
    ...parameters.flow_action_payload,
  };
  return {
    wamid,
    at: new Date(at).toISOString(),
    direction,
    type: content?.type ?? payload.type,
    ...(text === undefined ? {} : { text }),
    ...(form === undefined ? {} : { flow: form }),
    statuses,
    payload,
  };
}

/** Who writes: the path's phone or user id, with what the body adds. */
function sender(key: string, body: unknown, chats: SandboxChats, phoneNumberId: string): SandboxCustomer {
  const { name, userId } = (body ?? {}) as { name?: unknown; userId?: unknown };
  return {
    ...chats.known(phoneNumberId, customerOf(key)),
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof userId === 'string' && userId !== '' ? { userId } : {}),
  };
}

function inbound(customer: SandboxCustomer, wamid: string, at: number, message: object): object {
  const { phone, userId, name } = customer;
  const from = {
    ...(phone === undefined ? {} : { from: waId(phone) }),
    ...(userId === undefined ? {} : { from_user_id: userId }),
  };
  const contact = {
    profile: { name: name ?? 'Sandbox customer' },
    ...(phone === undefined ? {} : { wa_id: waId(phone) }),
    ...(userId === undefined ? {} : { user_id: userId }),
  };
  return { contacts: [contact], messages: [{ ...from, id: wamid, timestamp: unixSeconds(at), ...message }] };
}

export function controlApi(app: FastifyInstance, dependencies: ControlDependencies): void {
  const { catalogs, chats, faults, journal, webhook, clock, numbers, settings } = dependencies;

  async function catalogOf(phoneNumberId: string): Promise<string> {
    const number = (await numbers()).find((one) => one.phoneNumberId === phoneNumberId);
    return number?.catalogId ?? catalogs.ids()[0] ?? '0';
  }
  function priceIn(catalogId: string): (retailerId: string) => number | undefined {
    return (retailerId) => {
      const price = catalogs.item(catalogId, retailerId)?.data.price;
      return typeof price === 'string' ? Number(price.split(' ')[0]!.replace('.', '')) : undefined;
    };
  }

  app.post('/sandbox/numbers/:number/customers/:customer/messages', async (request, reply) => {
    const { number, customer: key } = request.params as Params;
    const customer = sender(key, request.body, chats, number);
    const catalogId = await catalogOf(number);
    let message: object;
    try {
      const messages = chats.messages(number, customer);
      message = customerMessage(request.body, { messages, catalogId, priceOf: priceIn(catalogId) });
    } catch (error) {
      if (error instanceof WrongBody) return wrong(reply, error.message);
      throw error;
    }
    const wamid = newWamid();
    const at = clock.now();
    const payload = message as ChatMessage['payload'];
    await journal.append(chats.add(number, customer, { wamid, at, direction: 'sent', payload, statuses: [] }));
    return { wamid, customer, webhook: await webhook.deliver(number, inbound(customer, wamid, at, message)) };
  });

  app.get('/sandbox/numbers/:number/customers/:customer/messages', async (request) => {
    const { number, customer } = request.params as Params;
    const all = (request.query as { all?: string }).all !== undefined;
    const messages = chats.messages(number, customerOf(customer));
    return { messages: messages.filter(({ direction }) => all || direction === 'received').map(readable) };
  });

  /** The customer has read everything that was received. */
  app.post('/sandbox/numbers/:number/customers/:customer/read', async (request, reply) => {
    const { number, customer: key } = request.params as Params;
    const customer = chats.known(number, customerOf(key));
    for (const message of chats.messages(number, customer)) {
      if (message.direction !== 'received' || ['read', 'failed'].some((one) => message.statuses.includes(one)))
        continue;
      message.statuses = [...message.statuses, 'read'];
      const { wamid, callbackData } = message;
      webhook.status({ phoneNumberId: number, customer, wamid, callbackData, status: 'read' });
    }
    return reply.status(204).send();
  });

  app.get('/sandbox/numbers', async () => {
    const known = await numbers();
    const others = chats.numbers().filter((id) => !known.some(({ phoneNumberId }) => phoneNumberId === id));
    const unnamed = others.map((id) => ({
      phoneNumberId: id,
      displayPhoneNumber: id,
      catalogId: catalogs.ids()[0] ?? '0',
    }));
    return { numbers: [...known, ...unnamed] };
  });

  app.get('/sandbox/numbers/:number/customers', async (request) => ({
    customers: chats.customers((request.params as Params).number),
  }));

  app.get('/sandbox/catalogs/:catalog/items', async (request) => {
    const items: object[] = [];
    let total = 0;
    for (const item of catalogs.items((request.params as Params).catalog)) if (++total <= MOST_ITEMS) items.push(item);
    return { total, items };
  });

  app.get('/sandbox/faults', async () => ({ faults: faults.list() }));
  app.post('/sandbox/faults', async (request, reply) => {
    const fault = faults.add(request.body);
    return typeof fault === 'string' ? wrong(reply, fault) : reply.status(201).send(fault);
  });
  app.delete('/sandbox/faults', async (_request, reply) => {
    faults.clear();
    return reply.status(204).send();
  });

  app.post('/sandbox/settings', async (request, reply) => {
    const { statuses } = (request.body ?? {}) as { statuses?: unknown };
    if (typeof statuses !== 'boolean') return wrong(reply, 'statuses is true or false.');
    settings.statuses = statuses;
    return reply.send(settings);
  });

  /** The handshake with the service's webhook. */
  app.post('/sandbox/webhook/verify', async () => ({ verified: await webhook.verify(randomUUID()) }));
}
