/**
 * Messages between one business number and one customer. Read conversationEvents.ts first (the storage contract), then
 * conversationState.ts, conversationReceiving.ts, conversationSending.ts, conversationQueue.ts, conversationRouting.ts.
 */
export * from './conversationQueue.js';
export * from './conversationReceiving.js';
export * from './conversationRouting.js';
export * from './conversationSending.js';
export { type Conversation, conversation, evolve, type Outbound, type OutboundStatus } from './conversationState.js';
