/** Claims and moves phones and user ids for customers. Each is one event in the stream of that phone or user id. */
import { conversation } from '../../domain/channel/conversation.js';
import type { ChannelCustomer } from '../../domain/channel/conversationEvents.js';
import { conversationOfKey } from '../../domain/channel/conversationIds.js';
import {
  type ClaimPhone,
  claimPhone,
  claimUser,
  customerKey,
  joinCustomer,
  moveName,
  nameCustomer,
} from '../../domain/channel/customerKey.js';
import { formsOf } from '../../domain/channel/phoneForms.js';
import { defined } from '../../domain/defined.js';
import { derivedId } from '../../domain/ids.js';
import type { CommandContext, CommandHandler } from '../../engine/commandHandler/commands.js';
import { customerStreamId, identityOf, knownForm, knownKey } from './customerIdentity.js';

/** The store that a customer writes to, and the cause of the command. */
export interface StoreContext extends CommandContext {
  readonly workspaceId: string;
}

/** Claims the user id. Returns the winning key, which is the first that was claimed. */
export async function claimedUser(
  commands: CommandHandler,
  context: StoreContext,
  userId: string,
  key: string,
): Promise<string> {
  const id = customerStreamId(context.workspaceId, 'user', userId);
  // The key may be random, so another key needs another command id.
  const commandId = derivedId(context.commandId, key);
  let counts = key;
  await commands.decide({ ...context, commandId }, customerKey, id, (state) => {
    counts = state.key ?? key;
    return claimUser(key)(state);
  });
  return counts;
}

/** Moves a phone or user id to the customer with the key `into`, if it belongs to the one with the key `from`. */
async function move(
  commands: CommandHandler,
  context: StoreContext,
  { kind, name }: { readonly kind: 'phone' | 'user'; readonly name: string },
  from: string,
  into: string,
): Promise<void> {
  const commandId = derivedId(context.commandId, 'move', from, into);
  const id = customerStreamId(context.workspaceId, kind, name);
  await commands.decide({ ...context, commandId }, customerKey, id, moveName(from, into));
}

/** Adds these names to the stream of the key, as names of one customer. */
async function listNames(
  commands: CommandHandler,
  context: StoreContext,
  key: string,
  names: readonly ChannelCustomer[],
): Promise<void> {
  const commandId = derivedId(context.commandId, 'names', key);
  const id = customerStreamId(context.workspaceId, 'key', key);
  await commands.decide({ ...context, commandId }, customerKey, id, nameCustomer(names));
}

/** Returns the key if its customer has another phone now. */
async function movedOn(
  commands: CommandHandler,
  workspaceId: string,
  key: string,
  phone: string,
): Promise<string | undefined> {
  const last = (await identityOf(commands, workspaceId, 'key', key)).phones?.at(-1);
  return last === undefined || formsOf(last).includes(phone) ? undefined : key;
}

export interface ClaimedPhone {
  /** Current owner of the phone. */
  readonly key: string;
  /** True if it was unknown before, or belonged to another customer. */
  readonly isNews: boolean;
}

/** Claims the phone in its known notation. Other notations that belong to another customer are moved too. */
export async function claimedPhone(
  commands: CommandHandler,
  context: StoreContext,
  phone: string,
  claim: Omit<ClaimPhone, 'movedOn'>,
): Promise<ClaimedPhone> {
  const { workspaceId } = context;
  const known = await knownForm(commands, workspaceId, phone);
  const mayMove = claim.userId !== undefined || claim.isReported === true;
  const before = known.key === claim.key || !mayMove ? undefined : known.key;
  const moved = before === undefined ? undefined : await movedOn(commands, workspaceId, before, known.phone);
  // An attempt for another key needs another command id.
  const commandId = derivedId(context.commandId, claim.key);
  const id = customerStreamId(workspaceId, 'phone', known.phone);
  let counts = claim.key;
  const { events } = await commands.decide({ ...context, commandId }, customerKey, id, (state) => {
    const claimed = claimPhone({ ...claim, movedOn: moved })(state);
    const isHolder = claimed.length === 0 && state.key !== undefined;
    counts = isHolder ? state.key : claim.key;
    return claimed;
  });
  for (const form of formsOf(phone)) {
    const other = form === known.phone ? undefined : (await identityOf(commands, workspaceId, 'phone', form)).key;
    if (other !== undefined && other !== counts)
      await move(commands, context, { kind: 'phone', name: form }, other, counts);
  }
  return { key: counts, isNews: events.length > 0 };
}

/** Lists the user id and phone that the customer with the key now has, together with their previous ones. */
export async function listReported(
  commands: CommandHandler,
  context: StoreContext,
  numberId: string,
  key: string,
  reported: ChannelCustomer,
): Promise<void> {
  const before = await commands.query(conversation, conversationOfKey(numberId, key), ({ customer }) => customer);
  await listNames(commands, context, key, [before, reported]);
}

/**
 * Records that the customer with the key, known as `before`, has this phone or user id from now on. Returns false for a repeated report if
 * the customer has changed their phone since.
 */
export async function moveCustomer(
  commands: CommandHandler,
  context: StoreContext,
  key: string,
  before: ChannelCustomer,
  { phone, userId }: ChannelCustomer,
): Promise<boolean> {
  const { phones = [] } = await identityOf(commands, context.workspaceId, 'key', key);
  if (isOutdated(phones, before.phone, phone)) return false;
  if (userId !== undefined) {
    const counts = await claimedUser(commands, context, userId, key);
    await move(commands, context, { kind: 'user', name: userId }, counts, key);
  }
  const user = userId ?? before.userId;
  if (phone !== undefined) await claimedPhone(commands, context, phone, { key, userId: user, isReported: true });
  await listNames(commands, context, key, [before, defined({ userId, phone })]);
  return true;
}

/** Returns true if the customer has moved again after this move. `phones`: the customer's phones, the current one last. */
function isOutdated(phones: readonly string[], from: string | undefined, to: string | undefined): boolean {
  const last = phones.at(-1);
  if (from === undefined || to === undefined || last === undefined) return false;
  return last !== to && phones.includes(to) && !formsOf(from).includes(last);
}

/** Records that the channel uses another notation, `waId`, for this customer's phone. Customers known by either are one. */
export async function learnForm(
  commands: CommandHandler,
  context: StoreContext,
  customer: ChannelCustomer,
  waId: string,
): Promise<void> {
  const { phone } = customer;
  if (phone === undefined || formsOf(phone).includes(waId)) return;
  const { workspaceId } = context;
  const key = await knownKey(commands, workspaceId, customer);
  const other = await knownKey(commands, workspaceId, { phone: waId });
  if (key === undefined || key === other) return;
  const names = [customer, { phone: waId }];
  if (other === undefined) {
    await claimedPhone(commands, context, waId, { key, isReported: true });
    return listNames(commands, context, key, names);
  }
  // A customer who is known by that number keeps their key.
  await listNames(commands, context, other, names);
  const known = await knownForm(commands, workspaceId, phone);
  await move(commands, context, { kind: 'phone', name: known.phone }, key, other);
}

/**
 * Merges the customer with the key `from` into the one with the key `into`: all their names are moved. Returns false if they were merged in
 * the other direction before.
 */
export async function joinCustomers(
  commands: CommandHandler,
  context: StoreContext,
  from: string,
  into: string,
): Promise<boolean> {
  const { workspaceId } = context;
  const [old, survivor] = await Promise.all([
    identityOf(commands, workspaceId, 'key', from),
    identityOf(commands, workspaceId, 'key', into),
  ]);
  if (survivor.key === from) return false;
  const { phones = [], userIds = [] } = old;
  const last = survivor.phones?.at(-1);
  const names = [...userIds.map((userId) => ({ userId })), ...phones.map((phone) => ({ phone }))];
  // The survivor's current phone stays the last one.
  if (names.length > 0) await listNames(commands, context, into, [...names, defined({ phone: last })]);
  for (const name of userIds) await move(commands, context, { kind: 'user', name }, from, into);
  for (const phone of phones)
    for (const name of formsOf(phone)) await move(commands, context, { kind: 'phone', name }, from, into);
  const commandId = derivedId(context.commandId, 'join', from, into);
  const id = customerStreamId(workspaceId, 'key', from);
  await commands.decide({ ...context, commandId }, customerKey, id, joinCustomer(into));
  return true;
}
