/** Notifications of an order's status: a text inside the 24-hour window, an approved template outside it. */
import { conversation } from '../../domain/channel/conversation.js';
import type { OutboundContent } from '../../domain/channel/conversationEvents.js';
import { windowEndsAt } from '../../domain/channel/conversationSending.js';
import type { Locale } from '../../domain/stores/storeEvents.js';
import type { ProcessorContext } from '../../engine/processors/processor.js';

/** A template that the channel has approved. Its body has one variable: the text. */
export interface StatusTemplate {
  readonly name: string;
  /** The channel's code of the template's language. */
  readonly language: string;
}

/** Templates by the store's language. Without one, customers get no notification outside the window. */
export type StatusTemplates = Readonly<Partial<Record<Locale, StatusTemplate>>>;

export const OUTSIDE_WINDOW =
  'The customer has not written for 24 hours, and no message template is set up for notifications.';

export const ABANDONED =
  'The customer has not written for 24 hours. Abandoned orders are not announced with a template.';

/** Puts a text into the store's template, which may be sent at any time. */
export const templated = (template: StatusTemplate, text: string): OutboundContent => ({
  type: 'template',
  ...template,
  text,
  body: [text],
});

/** Returns the message, or the reason why none can be sent. If the customer never wrote, the channel decides. */
export async function notification(
  conversationId: string,
  text: string,
  template: StatusTemplate | undefined,
  { commands, clock }: ProcessorContext,
): Promise<OutboundContent | { readonly untold: string }> {
  const until = await commands.query(conversation, conversationId, windowEndsAt);
  if (until === undefined || clock.now() < until) return { type: 'text', text };
  return template === undefined ? { untold: OUTSIDE_WINDOW } : templated(template, text);
}
