/** `POST /{phone-number-id}/messages`: checks a message as the channel does, keeps it, and reports its way. */
import { defined } from '../../domain/defined.js';
import type { Clock } from '../../engine/ports/clock.js';
import { type ChatMessage, newWamid, receivedLast, type SandboxChats, type SandboxCustomer } from './chats.js';
import type { Fault } from './faults.js';
import type { Journal } from './journal.js';
import type { SandboxMedia } from './media.js';
import type { SendLimits } from './sendLimits.js';
import { checked } from './sentChecks.js';
import type { SandboxSettings } from './settings.js';
import type { SandboxTemplate } from './templateContent.js';
import { STATUSES, type Step, type WebhookCalls, waId } from './webhookCalls.js';

export type SendMessage = (phoneNumberId: string, body: unknown, fault: Fault | undefined) => Promise<object>;

const WINDOW_MS = 24 * 3_600_000;
const WINDOW_CLOSED = 131047;

const SENT: Step = { status: 'sent' };
const DELIVERED: Step = { status: 'delivered' };
const WAYS: Readonly<Partial<Record<Fault['kind'], readonly Step[]>>> = {
  fail_later_131047: [{ status: 'failed', errorCode: WINDOW_CLOSED }],
  disordered_statuses: [DELIVERED, SENT],
  duplicate_statuses: [SENT, SENT, DELIVERED, DELIVERED],
  skipped_statuses: [DELIVERED],
  only_read_status: [{ status: 'read' }],
  no_statuses: [],
};

/** Statuses of a message, as the channel reports them, with the requested faults. */
function way(fault: Fault | undefined): readonly Step[] {
  if (fault?.kind === 'fail_later') return [{ status: 'failed', errorCode: fault.code }];
  return (fault && WAYS[fault.kind]) ?? [SENT, DELIVERED];
}

/** Whom a message went to; `phone`: in the channel's own form. */
const contactOf = ({ phone: input, userId }: SandboxCustomer, phone: string | undefined): object =>
  phone === undefined ? { input: userId, user_id: userId } : { input, wa_id: waId(phone) };

export interface SentMessagesDependencies {
  readonly chats: SandboxChats;
  readonly webhook: WebhookCalls;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly settings: SandboxSettings;
  readonly limits: SendLimits;
  file(id: string): SandboxMedia | undefined;
  /** Those of the number's business account. */
  templatesOf(phoneNumberId: string): Promise<readonly SandboxTemplate[]>;
}

export function createSentMessages(dependencies: SentMessagesDependencies): SendMessage {
  const { chats, webhook, journal, clock, settings, limits, file, templatesOf } = dependencies;

  /**
   * True if more than templates may be sent: until 24 hours after the customer's last message. The sandbox does not know customers who
   * never wrote here, since carts may have bypassed it: `unknownWindow` decides for them.
   */
  function windowOpen(phoneNumberId: string, customer: SandboxCustomer): boolean {
    const times = chats
      .messages(phoneNumberId, customer)
      .filter(({ direction }) => direction === 'sent')
      .map(({ at }) => at);
    if (times.length === 0) return settings.unknownWindow === 'open';
    return clock.now() < Math.max(...times) + WINDOW_MS;
  }

  return async (phoneNumberId, body, fault) => {
    const isTemplate = (body as { type?: unknown } | null)?.type === 'template';
    const templates = isTemplate ? await templatesOf(phoneNumberId) : [];
    const { message, to } = checked(body, { templates, file });
    const phone = to.phone && chats.ownForm(phoneNumberId, to.phone);
    const customer = chats.known(phoneNumberId, phone === undefined ? to : { ...to, phone });
    if (settings.rates) limits(phoneNumberId, customer.userId ?? customer.phone ?? '');
    const { messaging_product: _, recipient_type: __, to: ___, recipient: ____, ...rest } = message;
    const { biz_opaque_callback_data: data, ...payload } = rest;
    const callbackData = typeof data === 'string' ? data : undefined;
    const late = !isTemplate && fault === undefined && !windowOpen(phoneNumberId, customer);
    const steps = late ? [{ status: 'failed', errorCode: WINDOW_CLOSED } as const] : way(fault);
    // Failures are reported even if statuses are off: the service could not learn of them otherwise.
    const reported = settings.statuses ? steps : steps.filter(({ status }) => status === 'failed');
    const retained: ChatMessage = {
      wamid: newWamid(),
      at: clock.now(),
      direction: 'received',
      payload,
      ...defined({ callbackData }),
      statuses: [...new Set(reported.map(({ status }) => status))],
    };
    await journal.append(chats.add(phoneNumberId, customer, retained));
    for (const step of reported)
      webhook.status({ phoneNumberId, customer, wamid: retained.wamid, callbackData, ...step });
    const contact = contactOf(to, phone);
    return { messaging_product: 'whatsapp', contacts: [contact], messages: [{ id: retained.wamid }] };
  };
}

/**
 * Reports the statuses of the newest messages once more after a restart, as the channel does until its updates are accepted. The reason of
 * a failure is lost.
 */
export function resendStatuses(chats: SandboxChats, webhook: WebhookCalls): void {
  for (const { phoneNumberId, customer, message } of receivedLast(chats)) {
    const { wamid, callbackData, statuses } = message;
    for (const status of STATUSES)
      if (statuses.includes(status) && status !== 'failed')
        webhook.status({ phoneNumberId, customer, wamid, callbackData, status });
  }
}
