/** Reactions that the channel delivers before the message that they are to. */
import type { ConversationEvent } from './conversationEvents.js';
import type { EarlyReaction, Reaction } from './conversationState.js';

/** Whether a reaction counts after the one before: the last by the customer's time does, of one second the last that came. */
export const isNews = (before: Reaction | undefined, after: Reaction): boolean =>
  before === undefined || after.at > before.at || (after.at === before.at && after.emoji !== before.emoji);

/** A reaction does not stand alone any more: its message shows it, another took its place, or it was taken back at `at`. */
export const leaves = (early: EarlyReaction | undefined, at: string): ConversationEvent[] =>
  early?.shownAs === undefined ? [] : [{ type: 'MessageDeleted', data: { messageId: early.shownAs, at } }];

/** The message that was awaited is this one: it shows the reaction. */
export function joined(early: EarlyReaction | undefined, messageId: string): ConversationEvent[] {
  if (early?.emoji === undefined) return [];
  const { emoji, at } = early;
  return [{ type: 'MessageReactionChanged', data: { messageId, by: 'contact', emoji, at } }, ...leaves(early, at)];
}
