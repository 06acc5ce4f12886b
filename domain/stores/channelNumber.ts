/** A store's number on the messaging channel, and the owner of a number: stream `channelNumber-{phoneNumberId}`. */
import { type Aggregate, type Decision, type FieldProblem, refuse } from '../decider.js';
import type { Store } from './store.js';
import type { ChannelNumber, ChannelNumberEvent, StoreEvent } from './storeEvents.js';

// State ------------------------------------------------------------------------------------------------------------
/** Store that owns the number. null: nobody. */
export type NumberHolder = { readonly workspaceId: string } | null;

export const channelNumber: Aggregate<NumberHolder, ChannelNumberEvent> = {
  name: 'channelNumber',
  initial: () => null,
  evolve: (_, { data }) => ({ workspaceId: data.workspaceId }),
};

// Decisions --------------------------------------------------------------------------------------------------------
/** Takes a number. It belongs to the first store, since inbound messages are routed by it. */
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

/** Refuses a number other than the store's current one: its catalog and conversations depend on it. */
export function checkConnectable(store: Store, phoneNumberId: string): void {
  if (store.status === 'absent') refuse('not_found', 'There is no such store.');
  if (store.number !== undefined && store.number.phoneNumberId !== phoneNumberId)
    refuse('number_already_connected', `The store already has the number ${store.number.phoneNumberId}.`);
}

/** Connects the number. Other details (a new access token, another catalog) replace the previous ones. Equal details lead to no event. */
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

/** Returns the number whose access token a sealed secret is. Undefined: another kind of secret. */
export const numberOfToken = (context: string): string | undefined =>
  context.startsWith(TOKEN_OF) ? context.slice(TOKEN_OF.length) : undefined;
