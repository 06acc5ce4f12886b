/** A store's number on the messaging channel, and which store holds it: stream `channelNumber-{phoneNumberId}`. */
import { type Aggregate, type Decision, type FieldProblem, refuse } from '../decider.js';
import type { Store } from './store.js';
import type { ChannelNumber, ChannelNumberEvent, StoreEvent } from './storeEvents.js';

// State ------------------------------------------------------------------------------------------------------------
/** The store that holds the number; null: nobody. */
export type NumberHolder = { readonly workspaceId: string } | null;

export const channelNumber: Aggregate<NumberHolder, ChannelNumberEvent> = {
  name: 'channelNumber',
  initial: () => null,
  evolve: (_, { data }) => ({ workspaceId: data.workspaceId }),
};

// Decisions --------------------------------------------------------------------------------------------------------
/** The first store to take a number keeps it: inbound messages are routed by it. */
export const takeNumber =
  (command: { phoneNumberId: string; workspaceId: string }): Decision<NumberHolder, ChannelNumberEvent> =>
  (holder) => {
    if (holder === null) return [{ type: 'ChannelNumberTaken', data: command }];
    if (holder.workspaceId === command.workspaceId) return [];
    refuse('number_taken', `The number ${command.phoneNumberId} is connected to another store.`);
  };

const DIGITS = /^[0-9]{5,20}$/;
const DISPLAYED = /^\+?[0-9][0-9 ()-]{4,31}$/;

/** Refuses with every problem of the number's fields at once. */
export function checkNumber(number: Omit<ChannelNumber, 'numberId' | 'accessTokenSealed'>): void {
  const problems: FieldProblem[] = [];
  for (const location of ['phoneNumberId', 'businessAccountId', 'catalogId'] as const) {
    const value = number[location];
    if (!DIGITS.test(value)) problems.push({ message: "the channel's id, 5–20 digits", location, value });
  }
  if (!DISPLAYED.test(number.displayPhoneNumber))
    problems.push({
      message: 'a telephone number with country code',
      location: 'displayPhoneNumber',
      value: number.displayPhoneNumber,
    });
  if (problems.length > 0) refuse('validation_failed', 'The channel number is not valid.', problems);
}

/** Refuses another number than the one the store has: its catalog and conversations hang on it. */
export function checkConnectable(store: Store, phoneNumberId: string): void {
  if (store.status === 'absent') refuse('not_found', 'There is no such store.');
  if (store.number !== undefined && store.number.phoneNumberId !== phoneNumberId)
    refuse('number_already_connected', `The store has the number ${store.number.phoneNumberId} already.`);
}

/** Again with other particulars (a new access token, another catalog) replaces them; with the same changes nothing. */
export const connectNumber =
  (number: ChannelNumber, sameToken: boolean): Decision<Store, StoreEvent> =>
  (store) => {
    checkConnectable(store, number.phoneNumberId);
    const before = store.status === 'absent' ? undefined : store.number;
    const unchanged =
      before !== undefined &&
      before.displayPhoneNumber === number.displayPhoneNumber &&
      before.businessAccountId === number.businessAccountId &&
      before.catalogId === number.catalogId &&
      sameToken;
    return unchanged ? [] : [{ type: 'ChannelNumberConnected', data: number }];
  };

const TOKEN_OF = 'channelToken:';

/** Binds a number's sealed access token to the number. */
export const accessTokenContext = (phoneNumberId: string): string => `${TOKEN_OF}${phoneNumberId}`;

/** The number that a sealed secret is the access token of; undefined: it is another's secret. */
export const numberOfToken = (context: string): string | undefined =>
  context.startsWith(TOKEN_OF) ? context.slice(TOKEN_OF.length) : undefined;
