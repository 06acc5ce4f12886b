/** `POST /{phone-number-id}/messages`: checks a message as the channel does, keeps it, and reports its way. */
import type { Clock } from '../../application/ports/clock.js';
import { type ChatMessage, newWamid, type SandboxChats, type SandboxCustomer } from './chats.js';
import type { FaultKind } from './faults.js';
import { GraphError } from './graphError.js';
import type { Journal } from './journal.js';
import { type SandboxStatus, type WebhookCalls, waId } from './webhookCalls.js';

type Loose = Readonly<Record<string, unknown>>;
export type SendMessage = (phoneNumberId: string, body: unknown, fault: FaultKind | undefined) => Promise<object>;

const TEXT = 4_096;
const INTERACTIVE = 1_024;

const record = (value: unknown): Loose => (typeof value === 'object' && value !== null ? (value as Loose) : {});

function needText(value: unknown, most: number, name: string): void {
  if (typeof value !== 'string' || value === '') throw new GraphError(131008, `${name} is required`);
  if (value.length > most) throw new GraphError(131009, `${name} is longer than ${most}`);
}

function checkFlow(parameters: Loose): void {
  if (parameters.flow_message_version !== '3') throw new GraphError(131009, 'flow_message_version must be "3"');
  if (parameters.flow_name === undefined && parameters.flow_id === undefined)
    throw new GraphError(131008, 'flow_name or flow_id is required');
  needText(parameters.flow_cta, 30, 'flow_cta');
  needText(parameters.flow_token, 500, 'flow_token');
  if (parameters.flow_action === 'navigate')
    needText(record(parameters.flow_action_payload).screen, 100, 'flow_action_payload.screen');
}

function checkInteractive(interactive: Loose): void {
  needText(record(interactive.body).text, INTERACTIVE, 'interactive.body.text');
  const action = record(interactive.action);
  const kind = `${interactive.type} ${action.name}`;
  if (kind === 'flow flow') checkFlow(record(action.parameters));
  else if (kind !== 'location_request_message send_location')
    throw new GraphError(131009, 'interactive.type and action do not fit');
}

function checkTemplate({ name, language, components = [] }: Loose): void {
  needText(name, 512, 'template.name');
  needText(record(language).code, 16, 'template.language.code');
  if (!Array.isArray(components)) throw new GraphError(131009, 'template.components must be a list');
  for (const component of components.map(record))
    for (const parameter of Array.isArray(component.parameters) ? component.parameters.map(record) : []) {
      needText(parameter.text, INTERACTIVE, 'parameter.text');
      if (/[\n\t]| {4}/.test(String(parameter.text))) throw new GraphError(132000, 'Parameters take no line breaks');
    }
}

function checked(body: unknown): { message: Loose; to: SandboxCustomer } {
  const message = record(body);
  if (message.messaging_product !== 'whatsapp') throw new GraphError(100, 'messaging_product must be whatsapp');
  if (message.type === 'text') needText(record(message.text).body, TEXT, 'text.body');
  else if (message.type === 'interactive') checkInteractive(record(message.interactive));
  else if (message.type === 'template') checkTemplate(record(message.template));
  else throw new GraphError(131009, 'The sandbox takes type text, interactive and template');
  const { to, recipient } = message;
  if (typeof to === 'string' && /^\+?\d{5,15}$/.test(to)) return { message, to: { phone: `+${waId(to)}` } };
  if (typeof recipient === 'string' && recipient !== '') return { message, to: { userId: recipient } };
  throw new GraphError(131009, 'to or recipient is required');
}

/** The way of a message, as the channel reports it, with the faults that were asked for. */
function way(fault: FaultKind | undefined): Pick<SandboxStatus, 'status' | 'errorCode'>[] {
  if (fault === 'fail_later_131047') return [{ status: 'failed', errorCode: 131047 }];
  if (fault === 'disordered_statuses') return [{ status: 'delivered' }, { status: 'sent' }];
  const usual = [{ status: 'sent' as const }, { status: 'delivered' as const }];
  return fault === 'duplicate_statuses' ? usual.flatMap((one) => [one, one]) : usual;
}

export interface SentMessagesDependencies {
  readonly chats: SandboxChats;
  readonly webhook: WebhookCalls;
  readonly journal: Journal;
  readonly clock: Clock;
  /** Whether statuses are reported at all. */
  readonly statuses: () => boolean;
}

export function createSentMessages(dependencies: SentMessagesDependencies): SendMessage {
  const { chats, webhook, journal, clock, statuses } = dependencies;
  return async (phoneNumberId, body, fault) => {
    const { message, to } = checked(body);
    const customer = chats.known(phoneNumberId, to);
    const { messaging_product: _, recipient_type: __, to: ___, biz_opaque_callback_data: data, ...payload } = message;
    const callbackData = typeof data === 'string' ? data : undefined;
    const kept: ChatMessage = {
      wamid: newWamid(),
      at: clock.now(),
      direction: 'received',
      payload,
      ...(callbackData === undefined ? {} : { callbackData }),
      statuses: [],
    };
    const steps = statuses() || fault === 'fail_later_131047' ? way(fault) : [];
    kept.statuses = [...new Set(steps.map((step) => step.status))];
    await journal.append(chats.add(phoneNumberId, customer, kept));
    for (const step of steps) webhook.status({ phoneNumberId, customer, wamid: kept.wamid, callbackData, ...step });
    const contact =
      to.phone === undefined ? { input: to.userId, user_id: to.userId } : { input: to.phone, wa_id: waId(to.phone) };
    return { messaging_product: 'whatsapp', contacts: [contact], messages: [{ id: kept.wamid }] };
  };
}
