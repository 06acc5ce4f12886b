/** What of a conversation waits to be sent, and when the next of it may go. */
import { type Conversation, PACE_MS } from './conversationState.js';

/** Messages that may go to a customer without a pause. (shared reference: 'Throughput'.) */
const BURST = 45;
const LEEWAY_MS = (BURST - 1) * PACE_MS;

/** Messages that the channel has not taken yet. */
export const waitingMessages = (state: Conversation): number => state.waiting.size;

/** How many messages go before this one, in the order in which they were queued; undefined: it does not wait. */
export function aheadOf(state: Conversation, messageId: string): number | undefined {
  if (!state.waiting.has(messageId)) return undefined;
  let ahead = 0;
  for (const id of state.waiting) {
    if (id === messageId) break;
    ahead += 1;
  }
  return ahead;
}

/**
 * When a message may go that has `ahead` others before it, ms since 1970: `now` or later. Bursts of 45, and one in 6 s for
 * long; counted from what the channel took, so that whoever sends next, here or on another machine, knows the same.
 */
export const paceOf = (state: Conversation, ahead: number, now: number): number =>
  Math.max(now, Math.max(state.paceAt, now) + ahead * PACE_MS - LEEWAY_MS);
