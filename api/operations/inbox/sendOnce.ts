/** Steps shared by sending and starting: deduplication by clientMsgId, and the answer. */

import type { MemberAccess, WorkspaceAccess } from '../../../application/access/principal.js';
import { survivorOf } from '../../../application/channel/mergedConversations.js';
import { checkShape, contentOf, type SendInput } from '../../../application/channel/outboundContent.js';
import { repliedTo } from '../../../application/channel/replyReferences.js';
import { useFiles } from '../../../application/files/uses.js';
import { conversation } from '../../../domain/channel/conversation.js';
import type { ChannelCustomer, Contact, ConversationEvent } from '../../../domain/channel/conversationEvents.js';
import { clientMessageId } from '../../../domain/channel/conversationIds.js';
import type { QueueMessage } from '../../../domain/channel/conversationSending.js';
import type { Conversation } from '../../../domain/channel/conversationState.js';
import { recall } from '../../../domain/channel/memberMessages.js';
import { filesIn } from '../../../domain/channel/messageFiles.js';
import { type Decision, DomainError } from '../../../domain/decider.js';
import { defined } from '../../../domain/defined.js';
import type { StoredDocument } from '../../../engine/ports/documents.js';
import { channelNumbers } from '../../../projections/channelNumbers.js';
import { type MessageBody, messages } from '../../../projections/messages.js';
import { sendingQueues } from '../../../projections/sendingQueues.js';
import type { RequestCommands, RequestReads } from '../../contract/operation.js';
import { Refusal } from '../../contract/problems.js';
import type { Services } from '../../contract/services.js';
import { seesFile } from './fileVisibility.js';

/** Parts of a request that sending needs. */
export interface Sending {
  readonly commands: RequestCommands;
  readonly read: RequestReads;
  readonly services: Services;
  readonly workspace: WorkspaceAccess;
  readonly member?: MemberAccess;
  readonly now: number;
  readonly requestId: string;
}

/** Recipient, and the place of the message in the request. */
export interface Target {
  readonly conversationId: string;
  readonly numberId: string;
  readonly to: ChannelCustomer;
  /** For a conversation that begins with the message. */
  readonly contact?: Contact;
  readonly at: string;
}

/** Messages of a store that may wait to be sent: two minutes of one number's rate. */
const MOST_WAITING_OF_STORE = 10_000;
const RETRY_AFTER_S = '60';

const queueFull = (detail: string): Refusal =>
  new Refusal('unavailable', detail, { headers: { 'Retry-After': RETRY_AFTER_S } });

async function checkStoresQueue({ read, workspace: { workspaceId } }: Sending): Promise<void> {
  const waiting = (await read.get(sendingQueues, workspaceId))?.body.waiting ?? 0;
  if (waiting >= MOST_WAITING_OF_STORE)
    throw queueFull(`The store already has ${waiting} messages waiting to be sent. Send this one later.`);
}

/** The store's connected number with this id; any of its numbers without one. Refuses `no_channel_number`. */
export async function connectedNumber(
  { read, workspace: { workspaceId } }: Pick<Sending, 'read' | 'workspace'>,
  numberId?: string,
): Promise<string> {
  const found = await read.find(channelNumbers, { where: { workspaceId }, limit: 10 });
  const number = found.find(({ body }) => numberId === undefined || body.numberId === numberId);
  if (number === undefined) throw new Refusal('no_channel_number', 'The store has no connected number to send from.');
  return number.body.numberId;
}

/**
 * Returns the message of an earlier request with this `clientMsgId`. The conversation itself forgets old messages, so
 * the view is read after it has caught up with the conversation.
 */
async function queuedBefore(
  { commands, read }: Sending,
  conversationId: string,
  messageId: string,
): Promise<StoredDocument<MessageBody> | undefined> {
  const earlier = await commands.query(conversation, conversationId, (state) => recall(state, messageId));
  if (earlier === 'new') return undefined;
  // Changes nothing, and lets what is read next show all that the conversation has come to.
  await commands.decide(conversation, conversationId, () => []);
  return read.get(messages, messageId);
}

async function commandOf(sending: Sending, target: Target, input: SendInput): Promise<QueueMessage> {
  const { conversationId, numberId, to, contact, at } = target;
  const { commands, read, services, workspace, member } = sending;
  const { clientMsgId, replyToMessageId } = input;
  checkShape(input, at);
  const replyTo = replyToMessageId?.toLowerCase();
  const replying = { read, commands, eventStore: services.eventStore };
  const repliesTo = replyTo === undefined ? undefined : await repliedTo(replying, conversationId, replyTo, at);
  const content = await contentOf(input, {
    workspaceId: workspace.workspaceId,
    read,
    at,
    seesFile: (fileId) => seesFile(sending, fileId),
  });
  return {
    messageId: clientMessageId(conversationId, clientMsgId),
    numberId,
    to,
    content,
    clientMsgId,
    ...defined({ sentByMemberId: member?.memberId, replyToMessageId: replyTo, repliesTo, contact }),
  };
}

/** The message as it was queued: the outbox may have sent it meanwhile. */
function asQueued({ body }: StoredDocument<MessageBody>): string {
  const { sentAt, deliveredAt, readAt, failedAt, errorCode, errorMessage, ...queued } = body;
  return JSON.stringify({ ...queued, status: 'pending' });
}

/** From now on the message's files stay: not before it is known that the message would be taken. */
async function useItsFiles(
  sending: Sending,
  { conversationId, at }: Target,
  { content }: QueueMessage,
  decision: Decision<Conversation, ConversationEvent>,
): Promise<void> {
  const fileIds = filesIn(content);
  if (fileIds.length === 0) return;
  const { commands, workspace } = sending;
  const { workspaceId } = workspace;
  await commands
    .query(conversation, conversationId, decision)
    .catch((error: unknown) => refused(sending, conversationId, error));
  const place = content.type === 'template' ? 'template.components' : 'media.fileId';
  await useFiles({ commands, workspaceId }, fileIds, 'message', `${at}.${place}`);
}

/** A queue that is full is not the caller's mistake: they may come again. What was merged names the conversation to write to. */
async function refused({ commands, workspace }: Sending, conversationId: string, error: unknown): Promise<never> {
  if (!(error instanceof DomainError)) throw error;
  if (error.code === 'sending_queue_full') throw queueFull(error.message);
  if (error.code !== 'conversation_merged') throw error;
  const survivor = await survivorOf(commands, workspace.workspaceId, conversationId);
  const members = defined({ conversationId: survivor });
  throw new Refusal('conversation_merged', error.message, { members });
}

/**
 * Queues the message once, however often and wherever its `clientMsgId` comes, and answers it as JSON: pending, or what
 * has become of the one that was queued before. `decide`: the decision about the command; called at most once.
 */
export async function sendOnce(
  sending: Sending,
  target: Target,
  input: SendInput,
  decide: (command: QueueMessage) => Promise<Decision<Conversation, ConversationEvent>>,
): Promise<string> {
  const { commands, read } = sending;
  const { conversationId } = target;
  const messageId = clientMessageId(conversationId, input.clientMsgId);
  const before = await queuedBefore(sending, conversationId, messageId);
  if (before !== undefined) return before.json;
  const command = await commandOf(sending, target, input);
  await connectedNumber(sending, target.numberId);
  await checkStoresQueue(sending);
  const decision = await decide(command);
  await useItsFiles(sending, target, command, decision);
  const { events } = await commands
    .decide(conversation, conversationId, decision)
    .catch((error: unknown) => refused(sending, conversationId, error));
  const row = await read.get(messages, messageId);
  if (row === undefined)
    throw new Refusal('unavailable', 'The message is queued, but the read model that shows it lags behind.');
  return events.length === 0 ? row.json : asQueued(row);
}
