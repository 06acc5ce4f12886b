/** Limits and confirmations that a prompt to the customer's number needs. */
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
  /** Conversation of the customer. */
  readonly conversationId: string;
  /** The chat's number. Empty if the channel does not provide it. */
  readonly chatPhone: string;
  /** '+' and digits. */
  readonly payer: string;
}

export interface PayerState {
  /**
   * Period whose limit is reached, so that no prompt can be sent. Undefined: one can. It is counted only when it is sent: see
   * `countPrompt`.
   */
  readonly limit: PromptPeriod | undefined;
  /** True: the customer has to confirm this number first. */
  readonly awaitsConfirmation?: true;
}

/** Returns the state of the number at `now`, ms since 1970. */
export async function payerState(
  commands: Pick<CommandHandler, 'query'>,
  { workspaceId, conversationId, chatPhone, payer }: Payer,
  now: number,
): Promise<PayerState> {
  const requested = { customer: conversationId, payer };
  return commands.query(paymentPrompts, workspaceId, (state) => ({
    limit: promptLimit(requested, now)(state),
    ...(formsOf(chatPhone).includes(payer) || isConfirmed(requested, now)(state)
      ? {}
      : { awaitsConfirmation: true as const }),
  }));
}

/** Counts a prompt right before it is sent, once for its reference. Returns false if a limit is reached, so that it must not be sent. */
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
