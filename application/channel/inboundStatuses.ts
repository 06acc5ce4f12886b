/** Records statuses of the store's messages in their conversations. */

import { conversation } from '../../domain/channel/conversation.js';
import type { ChannelCustomer } from '../../domain/channel/conversationEvents.js';
import { conversationOfKey } from '../../domain/channel/conversationIds.js';
import { concerns, updateStatus } from '../../domain/channel/conversationSending.js';
import { formsOf } from '../../domain/channel/phoneForms.js';
import { defined } from '../../domain/defined.js';
import { derivedId } from '../../domain/ids.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import type { CountChannel } from './channelMetrics.js';
import type { StoreNumber } from './channelNumbers.js';
import type { Contacts } from './contacts.js';
import { failureReason } from './failureReasons.js';
import type { ReceivedStatus } from './inboundUpdates.js';

/** Finds conversations by phone if their key is a user id. */
export interface ConversationAliases {
  byPhone(numberId: string, phone: string): Promise<readonly string[]>;
}

export interface InboundStatusesDependencies {
  readonly commands: CommandHandler;
  readonly contacts: Contacts;
  readonly aliases: ConversationAliases;
  readonly count: CountChannel;
}

export function createInboundStatuses({ commands, contacts, aliases, count }: InboundStatusesDependencies) {
  /** Yields the conversations that may contain a message to this customer, the likeliest first. */
  async function* placesOf({ numberId, workspaceId }: StoreNumber, recipient: ChannelCustomer): AsyncGenerator<string> {
    const { userId, phone } = recipient;
    const phones = phone === undefined ? [] : formsOf(phone);
    // A known customer may have a key that is not derived from the phone, or that came first.
    const key = (userId ?? phone) ? await contacts.find(workspaceId, recipient) : undefined;
    for (const one of [key, userId, ...phones]) if (one !== undefined) yield conversationOfKey(numberId, one);
    for (const one of phones) yield* await aliases.byPhone(numberId, one);
  }

  /** Yields each conversation once, first the one that the message was sent with. */
  async function* places(number: StoreNumber, { conversationId, recipient }: ReceivedStatus): AsyncGenerator<string> {
    if (conversationId !== undefined) yield conversationId;
    const tried = new Set([conversationId]);
    for await (const id of placesOf(number, recipient)) {
      if (!tried.has(id)) yield id;
      tried.add(id);
    }
  }

  /** Returns false if the status is not about a message of this conversation. */
  async function noteIn(
    conversationId: string,
    { workspaceId, partnerId, numberId }: StoreNumber,
    status: ReceivedStatus,
    correlationId: string,
  ): Promise<boolean> {
    const { channelMessageId, status: name, errorCode } = status;
    const update = { ...status, ...(errorCode === undefined ? {} : { reason: failureReason(errorCode) }) };
    let isAbout = false;
    const context = {
      commandId: derivedId('status', conversationId, channelMessageId, name),
      actor: { type: 'system' } as const,
      correlationId,
      workspaceId,
      ...defined({ partnerId }),
    };
    await commands.decide(context, conversation, conversationId, (state) => {
      isAbout = state.numberId === numberId && concerns(state, update);
      return isAbout ? updateStatus(update)(state) : [];
    });
    return isAbout;
  }

  return async (number: StoreNumber, status: ReceivedStatus, requestId: string): Promise<void> => {
    for await (const conversationId of places(number, status))
      if (await noteIn(conversationId, number, status, requestId)) return count('status', 1);
    count('status_unknown', 1);
  };
}
