/** Reads that EventStoreDB 23.10.8 refuses in words of its own. */
import { type Refusal, unreadableFrom } from '../refusal.js';

/** A start from which nothing can be read: forwards from the end, or a count of 0. */
export const nothingToRead = (): Refusal => unreadableFrom('Unexpected ReadStreamResult: Error');

/** Refusal of a position without an event. */
export const noSuchPosition = (): Refusal => unreadableFrom('Unexpected ReadAllResult: Error');
