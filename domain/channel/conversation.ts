/**
 * Messages between one business number and one customer. Read conversationEvents.ts first (the storage contract), then
 * conversationState.ts, conversationAggregate.ts, conversationReceiving.ts, conversationTaking.ts, conversationReactions.ts,
 * conversationCalls.ts, conversationMedia.ts, conversationSending.ts, conversationQueue.ts, conversationRouting.ts.
 */
export { conversation } from './conversationAggregate.js';
export * from './conversationCalls.js';
export * from './conversationMedia.js';
export * from './conversationQueue.js';
export * from './conversationReceiving.js';
export * from './conversationRouting.js';
export * from './conversationSending.js';
export type { Conversation, Outbound, OutboundStatus } from './conversationState.js';
export type { InboundMessage, TakingBack } from './conversationTaking.js';
