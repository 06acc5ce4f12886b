/** Takes what became of the store's messages into their conversations. */

import { conversation } from '../../domain/channel/conversation.js';
import { conversationIdOf, conversationOfKey } from '../../domain/channel/conversationIds.js';
import { concerns, updateStatus } from '../../domain/channel/conversationSending.js';
import { defined } from '../../domain/defined.js';
import { derivedId } from '../../domain/ids.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import type { StoreNumber } from './channelNumbers.js';
import type { Contacts } from './contacts.js';
import { failureReason } from './failureReasons.js';
import type { ReceivedStatus } from './inboundUpdates.js';
import type { CountChannel } from './observing.js';

/** Conversations whose customer is known by a phone although they are kept under a user id. */
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
  /** Where the message may stand, the likeliest first; each once. */
  async function* places(number: StoreNumber, { recipient }: ReceivedStatus): AsyncGenerator<string> {
    const { numberId, workspaceId } = number;
    const { phone } = recipient;
    const tried = new Set<string>();
    const isNew = (id: string): boolean => !tried.has(id) && tried.add(id).size > 0;
    // Who is known has a key that is not made of the phone, or another one that came first.
    const key = await contacts.find(workspaceId, recipient);
    const known = key === undefined ? undefined : conversationOfKey(numberId, key);
    if (known !== undefined && isNew(known)) yield known;
    const likeliest = conversationIdOf(numberId, recipient);
    if (isNew(likeliest)) yield likeliest;
    if (phone === undefined) return;
    const ofPhone = conversationOfKey(numberId, phone);
    if (isNew(ofPhone)) yield ofPhone;
    for (const id of await aliases.byPhone(numberId, phone)) if (isNew(id)) yield id;
  }

  /** False: it is not about a message of this conversation. */
  async function noteIn(
    conversationId: string,
    { workspaceId, partnerId }: StoreNumber,
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
      isAbout = concerns(state, update);
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
