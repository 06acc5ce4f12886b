/** Which customer of a store writes: by phone or user id, the same whichever of the two the channel tells. */
import { conversation } from '../../domain/channel/conversation.js';
import type { ChannelCustomer, ContactLanguage } from '../../domain/channel/conversationEvents.js';
import { conversationOfKey, keyOf } from '../../domain/channel/conversationIds.js';
import { isMerged } from '../../domain/channel/conversationRouting.js';
import type { Conversation } from '../../domain/channel/conversationState.js';
import { type ClaimPhone, claimPhone, claimUser, customerKey } from '../../domain/channel/customerKey.js';
import { derivedId } from '../../domain/ids.js';
import type { CommandContext, CommandHandler } from '../../engine/commandHandler/commands.js';
import type { Clock } from '../../engine/ports/clock.js';
import { BriefCache } from '../access/briefCache.js';

/** How long an answer is taken as it was, in ms: a phone may change hands on another instance. */
const FRESH_MS = 60_000;
const MOST = 50_000;

/** The store that a customer writes to, and who is to be named as the cause. */
export interface StoreContext extends CommandContext {
  readonly workspaceId: string;
}

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
  /** The channel says that the customer with this key has another phone from now on. */
  moveTo(context: StoreContext, key: string, phone: string, userId?: string): Promise<void>;
  /** What was remembered turned out to be outdated. */
  forget(): void;
}

/** Of the customer stream of a phone or a user id. */
export const customerStreamId = (workspaceId: string, kind: 'phone' | 'user', value: string): string =>
  derivedId('customer', workspaceId, kind, value);

/** The customer's key, if they are known; claims nothing. */
export async function knownKey(
  commands: Pick<CommandHandler, 'query'>,
  workspaceId: string,
  { userId, phone }: ChannelCustomer,
): Promise<string | undefined> {
  const known = (kind: 'phone' | 'user', value: string | undefined) =>
    value === undefined
      ? Promise.resolve(undefined)
      : commands.query(customerKey, customerStreamId(workspaceId, kind, value), (state) => state.key);
  return (await known('user', userId)) ?? known('phone', phone);
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
  const keys = new BriefCache<KnownCustomer>(clock, FRESH_MS, MOST);

  /** Answers the key that counts: the first that was claimed. */
  async function claimedUser(context: StoreContext, userId: string, key: string): Promise<string> {
    const id = customerStreamId(context.workspaceId, 'user', userId);
    let counts = key;
    await commands.decide(context, customerKey, id, (state) => {
      counts = state.key ?? key;
      return claimUser(key)(state);
    });
    return counts;
  }

  /** Answers whose the phone is then. */
  async function claimedPhone(context: StoreContext, phone: string, claim: ClaimPhone): Promise<string> {
    const id = customerStreamId(context.workspaceId, 'phone', phone);
    // A second try, for another key, is another command.
    const commandId = derivedId(context.commandId, claim.key);
    let counts = claim.key;
    const { events } = await commands.decide({ ...context, commandId }, customerKey, id, (state) => {
      const claimed = claimPhone(claim)(state);
      const isKept = claimed.length === 0 && state.key !== undefined;
      counts = isKept ? state.key : claim.key;
      return claimed;
    });
    if (events.some(({ type }) => type === 'CustomerMoved')) keys.clear();
    return counts;
  }

  /** A phone that another user was seen with is no reason to take the two for one. */
  const keyByPhone = async (workspaceId: string, phone: string | undefined, userId: string) =>
    phone === undefined
      ? undefined
      : commands.query(customerKey, customerStreamId(workspaceId, 'phone', phone), ({ key, userId: seen }) =>
          seen === undefined || seen === userId ? key : undefined,
        );

  async function claim(context: StoreContext, numberId: string, customer: ChannelCustomer): Promise<string> {
    const { userId, phone } = customer;
    if (userId === undefined) return claimedPhone(context, keyOf(customer), { key: newKey(customer) });
    const own = conversationOfKey(numberId, userId);
    if (await commands.query(conversation, own, (state) => knows(state, customer))) return userId;
    const { workspaceId } = context;
    const [byUser, byPhone] = await Promise.all([
      knownKey(commands, workspaceId, { userId }),
      keyByPhone(workspaceId, phone, userId),
    ]);
    const likely = byUser ?? byPhone ?? newKey(customer);
    const phoneIs = async (key: string): Promise<unknown> => phone && claimedPhone(context, phone, { key, userId });
    const [key] = await Promise.all([claimedUser(context, userId, likely), phoneIs(likely)]);
    // Claimed meanwhile by another delivery.
    if (key !== likely) await phoneIs(key);
    return key;
  }

  async function formerOf(key: string, numberId: string, { userId, phone }: ChannelCustomer): Promise<string[]> {
    const found: string[] = [];
    for (const name of [userId, phone]) {
      if (name === undefined || name === key) continue;
      const id = conversationOfKey(numberId, name);
      if (await commands.query(conversation, id, (state) => state.started)) found.push(id);
    }
    return found;
  }

  const nameOf = (numberId: string, { userId = '', phone = '' }: ChannelCustomer): string =>
    `${numberId} ${userId} ${phone}`;

  async function claimed(context: StoreContext, numberId: string, customer: ChannelCustomer): Promise<KnownCustomer> {
    const load = async (): Promise<KnownCustomer> => {
      const key = await claim(context, numberId, customer);
      return { key, former: await formerOf(key, numberId, customer) };
    };
    return (await keys.get(nameOf(numberId, customer), load))!;
  }

  return {
    claimed,
    claim: async (context, numberId, customer) => (await claimed(context, numberId, customer)).key,
    find: (workspaceId, customer) => knownKey(commands, workspaceId, customer),
    async moveTo(context, key, phone, userId) {
      await claimedPhone(context, phone, { key, userId, isTold: true });
      keys.clear();
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
