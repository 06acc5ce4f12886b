/** What stands in the way of a prompt to the number that a customer named. */
import { formsOf } from '../../domain/channel/phoneForms.js';
import { DomainError } from '../../domain/decider.js';
import {
  allowPrompt,
  isConfirmed,
  type PromptPeriod,
  paymentPrompts,
  promptLimit,
} from '../../domain/payments/prompts.js';
import type { CommandContext, CommandHandler } from '../../engine/commandHandler/commands.js';
import type { Clock } from '../../engine/ports/clock.js';

export interface Payer {
  readonly workspaceId: string;
  /** The customer's conversation. */
  readonly conversationId: string;
  /** The chat's number; empty where the channel tells none. */
  readonly chatPhone: string;
  /** '+' and digits. */
  readonly payer: string;
}

export interface PayerStanding {
  /** No prompt can be sent for so long; undefined: one can. It is counted only when it is sent: see `countPrompt`. */
  readonly limit: PromptPeriod | undefined;
  /** Present: the customer has to say first that this number is to be asked. */
  readonly awaitsConfirmation?: true;
}

/** How the number stands at `now`, ms since 1970. */
export async function payerStanding(
  commands: Pick<CommandHandler, 'query'>,
  { workspaceId, conversationId, chatPhone, payer }: Payer,
  now: number,
): Promise<PayerStanding> {
  const asked = { customer: conversationId, payer };
  return commands.query(paymentPrompts, workspaceId, (state) => ({
    limit: promptLimit(asked, now)(state),
    ...(formsOf(chatPhone).includes(payer) || isConfirmed(asked, now)(state)
      ? {}
      : { awaitsConfirmation: true as const }),
  }));
}

/** Right before a prompt is sent: counts it, once for its reference. False: it would be beyond the bounds, and is not sent. */
export async function countPrompt(
  { commands, clock }: { readonly commands: CommandHandler; readonly clock: Clock },
  by: CommandContext,
  workspaceId: string,
  prompt: Parameters<typeof allowPrompt>[0],
): Promise<boolean> {
  try {
    await commands.decide(by, paymentPrompts, workspaceId, allowPrompt(prompt, clock.now()));
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'payment_prompt_limit') return false;
    throw error;
  }
}
