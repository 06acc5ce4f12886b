/** Which customer of a store writes: by phone or user id, the same whichever of the two the channel tells. */
import { conversation } from '../../domain/channel/conversation.js';
import type { ChannelCustomer, ContactLanguage } from '../../domain/channel/conversationEvents.js';
import { conversationOfKey, keyOf } from '../../domain/channel/conversationIds.js';
import { isMerged } from '../../domain/channel/conversationRouting.js';
import type { Conversation } from '../../domain/channel/conversationState.js';
import type { ClaimPhone } from '../../domain/channel/customerKey.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import type { Clock } from '../../engine/ports/clock.js';
import { BriefCache } from '../access/briefCache.js';
import {
  type ClaimedPhone,
  claimedPhone,
  claimedUser,
  listTold,
  moveCustomer,
  type StoreContext,
} from './customerClaims.js';
import { formerConversations, knownForm, knownKey } from './customerIdentity.js';

/** How long an answer is taken as it was, in ms: a phone may change hands on another instance. */
const FRESH_MS = 60_000;
const MOST = 50_000;

export interface KnownCustomer {
  readonly key: string;
  /**
   * Conversations with the number, kept under another name that the customer came with: from before it was known whose it
   * is. What they took is not to be taken again.
   */
  readonly former: readonly string[];
}

export interface Contacts {
  /**
   * The customer's key in the store; a phone or user id that is new becomes theirs. `numberId`: the number that they wrote
   * to. What it leads to does not depend on the order in which phone and user id become known.
   */
  claim(context: StoreContext, numberId: string, customer: ChannelCustomer): Promise<string>;
  /** The same, with the conversations that they had before. */
  claimed(context: StoreContext, numberId: string, customer: ChannelCustomer): Promise<KnownCustomer>;
  /** The key, if the customer is known; claims nothing. */
  find(workspaceId: string, customer: ChannelCustomer): Promise<string | undefined>;
  /** The channel says that the customer with this key, known as `before`, has another phone or user id from now on. False: an outdated report. */
  moveTo(context: StoreContext, key: string, before: ChannelCustomer, now: ChannelCustomer): Promise<boolean>;
  /** What was remembered turned out to be outdated. */
  forget(): void;
}

/** Whether the conversation, kept under the user id, already rests on the claims of this customer. */
const knows = (state: Conversation, { userId, phone }: ChannelCustomer): boolean =>
  state.contact !== undefined &&
  !isMerged(state) &&
  state.customer.userId === userId &&
  (phone === undefined || state.customer.phone === phone);

export interface ContactsParts {
  readonly commands: CommandHandler;
  readonly clock: Clock;
  /** Of somebody who comes for the first time; their phone or user id when absent. Where it is random, so are the ids made of it. */
  readonly newKey?: (customer: ChannelCustomer) => string;
}

/** The customers of all stores. Customers who wrote lately cost one look into a bounded memory. */
export function createContacts({ commands, clock, newKey = keyOf }: ContactsParts): Contacts {
  const keys = new BriefCache<KnownCustomer>(clock.steady, FRESH_MS, MOST);

  async function phoneClaimed(context: StoreContext, phone: string, claim: ClaimPhone): Promise<ClaimedPhone> {
    const claimed = await claimedPhone(commands, context, phone, claim);
    if (claimed.isNews) keys.clear();
    return claimed;
  }

  /** A phone that another user was seen with is no reason to take the two for one. */
  async function keyByPhone(workspaceId: string, phone: string | undefined, userId: string) {
    if (phone === undefined) return undefined;
    const { key, userId: seen } = await knownForm(commands, workspaceId, phone);
    return seen === undefined || seen === userId ? key : undefined;
  }

  async function claim(context: StoreContext, numberId: string, customer: ChannelCustomer): Promise<string> {
    const { userId, phone } = customer;
    if (userId === undefined) return (await phoneClaimed(context, keyOf(customer), { key: newKey(customer) })).key;
    const own = conversationOfKey(numberId, userId);
    if (await commands.query(conversation, own, (state) => knows(state, customer))) return userId;
    const { workspaceId } = context;
    const [byUser, byPhone] = await Promise.all([
      knownKey(commands, workspaceId, { userId }),
      keyByPhone(workspaceId, phone, userId),
    ]);
    const likely = byUser ?? byPhone ?? newKey(customer);
    // One after the other: for a key that does not count in the end, the phone would move there and back, and conversations with it.
    const key = await claimedUser(commands, context, userId, likely);
    if (phone === undefined) return key;
    const { isNews } = await phoneClaimed(context, phone, { key, userId });
    if (isNews) await listTold(commands, context, numberId, key, { userId, phone });
    return key;
  }

  const nameOf = (numberId: string, { userId = '', phone = '' }: ChannelCustomer): string =>
    `${numberId} ${userId} ${phone}`;

  async function claimed(context: StoreContext, numberId: string, customer: ChannelCustomer): Promise<KnownCustomer> {
    const load = async (): Promise<KnownCustomer> => {
      const key = await claim(context, numberId, customer);
      return { key, former: await formerConversations(commands, context.workspaceId, numberId, key, customer) };
    };
    return (await keys.get(nameOf(numberId, customer), load))!;
  }

  return {
    claimed,
    claim: async (context, numberId, customer) => (await claimed(context, numberId, customer)).key,
    find: (workspaceId, customer) => knownKey(commands, workspaceId, customer),
    async moveTo(context, key, before, now) {
      const isMoved = await moveCustomer(commands, context, key, before, now);
      keys.clear();
      return isMoved;
    },
    forget: () => keys.clear(),
  };
}

const ARABIC = /\p{Script=Arabic}/gu;
const LETTERS = /\p{L}/gu;
/** So much of a text tells its script. */
const SAMPLE = 200;

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** The language to write to a customer in: Arabic to who writes in Arabic script, else the store's. */
export function languageOf(firstText: string | undefined, storeLanguage: ContactLanguage): ContactLanguage {
  const text = firstText?.slice(0, SAMPLE) ?? '';
  return 2 * countOf(text, ARABIC) > countOf(text, LETTERS) ? 'ar' : storeLanguage;
}
