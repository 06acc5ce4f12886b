/** Reactions that the channel delivers before the messages that they refer to. */
import type { ConversationEvent } from './conversationEvents.js';
import type { EarlyReaction, Reaction } from './conversationState.js';

/** Returns true if a reaction replaces the previous one: it has a later time, or the same second and another emoji. */
export const isNews = (before: Reaction | undefined, after: Reaction): boolean =>
  before === undefined || after.at > before.at || (after.at === before.at && after.emoji !== before.emoji);

/** Deletes the message that showed an early reaction: its own message shows it, another replaced it, or it was withdrawn at `at`. */
export const leaves = (early: EarlyReaction | undefined, at: string): ConversationEvent[] =>
  early?.shownAs === undefined ? [] : [{ type: 'MessageDeleted', data: { messageId: early.shownAs, at } }];

/** Returns the events that attach an early reaction to its message. */
export function joined(early: EarlyReaction | undefined, messageId: string): ConversationEvent[] {
  if (early?.emoji === undefined) return [];
  const { emoji, at } = early;
  return [{ type: 'MessageReactionChanged', data: { messageId, by: 'contact', emoji, at } }, ...leaves(early, at)];
}
