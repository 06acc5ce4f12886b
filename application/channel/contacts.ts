/** Customers of a store, identified by phone or user id. The result is the same whichever of the two the channel sends. */
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
  listReported,
  moveCustomer,
  type StoreContext,
} from './customerClaims.js';
import { formerConversations, knownForm, knownKey } from './customerIdentity.js';

/** Maximum age of a cached answer, in ms: a phone may change hands on another instance. */
const FRESH_MS = 60_000;
const MOST = 50_000;

export interface KnownCustomer {
  readonly key: string;
  /**
   * Conversations with the number that the customer had under another phone or user id, before they were identified. Messages in these are
   * not received for the second time.
   */
  readonly former: readonly string[];
}

export interface Contacts {
  /**
   * Returns the customer's key in the store, and claims a new phone or user id for them. `numberId`: the number that they wrote to. The
   * result does not depend on the order in which phone and user id become known.
   */
  claim(context: StoreContext, numberId: string, customer: ChannelCustomer): Promise<string>;
  /** Same as `claim`, with the customer's former conversations. */
  claimed(context: StoreContext, numberId: string, customer: ChannelCustomer): Promise<KnownCustomer>;
  /** Returns the key of a known customer. Claims nothing. */
  find(workspaceId: string, customer: ChannelCustomer): Promise<string | undefined>;
  /**
   * Records that the customer with this key, known as `before`, has another phone or user id from now on. Returns false for an outdated
   * report.
   */
  moveTo(context: StoreContext, key: string, before: ChannelCustomer, now: ChannelCustomer): Promise<boolean>;
  /** Clears the cache after an entry turned out to be outdated. */
  forget(): void;
}

/** Returns true if the conversation, whose key is the user id, already includes the claims of this customer. */
const knows = (state: Conversation, { userId, phone }: ChannelCustomer): boolean =>
  state.contact !== undefined &&
  !isMerged(state) &&
  state.customer.userId === userId &&
  (phone === undefined || state.customer.phone === phone);

export interface ContactsParts {
  readonly commands: CommandHandler;
  readonly clock: Clock;
  /** Creates the key of a new customer. Default: their phone or user id. If it is random, the ids derived from it are too. */
  readonly newKey?: (customer: ChannelCustomer) => string;
}

/** Customers of all stores. Recent customers are cached in bounded number. */
export function createContacts({ commands, clock, newKey = keyOf }: ContactsParts): Contacts {
  const keys = new BriefCache<KnownCustomer>(clock.steady, FRESH_MS, MOST);

  async function phoneClaimed(context: StoreContext, phone: string, claim: ClaimPhone): Promise<ClaimedPhone> {
    const claimed = await claimedPhone(commands, context, phone, claim);
    if (claimed.isNews) keys.clear();
    return claimed;
  }

  /** Returns the key of a phone, unless another user was seen with it: that does not make the two one customer. */
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
    // Sequential: for a key that does not win in the end, the phone would move there and back, and conversations with it.
    const key = await claimedUser(commands, context, userId, likely);
    if (phone === undefined) return key;
    const { isNews } = await phoneClaimed(context, phone, { key, userId });
    if (isNews) await listReported(commands, context, numberId, key, { userId, phone });
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
/** Maximum characters that are examined for the script. */
const SAMPLE = 200;

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Returns the language to write to a customer in: Arabic if they write in Arabic script, otherwise the store's. */
export function languageOf(firstText: string | undefined, storeLanguage: ContactLanguage): ContactLanguage {
  const text = firstText?.slice(0, SAMPLE) ?? '';
  return 2 * countOf(text, ARABIC) > countOf(text, LETTERS) ? 'ar' : storeLanguage;
}
