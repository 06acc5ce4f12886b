/** Stored for ever: messages between a business number and a customer, stream `conversation-{conversationId}`. Add fields as optional. */
import { OneOf, Type } from '../schema.js';
import {
  defineEvents,
  type EventsOf,
  event,
  Flag,
  List,
  Mark,
  Maybe,
  Shape,
  type Stored,
  Text,
  Time,
  Whole,
} from '../storedEvents.js';
import { ChannelCustomer, InboundContent, MessagePurpose, OutboundContent } from './messageContent.js';

export type {
  CartItem,
  ChannelCustomer,
  InboundContent,
  InboundMedia,
  MediaKind,
  MessagePurpose,
  OutboundContent,
  SharedContact,
} from './messageContent.js';

const ConversationStatus = OneOf('open', 'closed', 'snoozed');
/** (Specification 2, 'Conversation'.) */
export type ConversationStatus = Stored<typeof ConversationStatus>;
const ContactLanguage = OneOf('en', 'so', 'ar');
export type ContactLanguage = Stored<typeof ContactLanguage>;

const Contact = Shape('Contact', { contactId: Text(), language: ContactLanguage });
/** The customer as the inbox shows them; the same contact has one conversation with each number of the store. */
export type Contact = Stored<typeof Contact>;

const messageId = Text("The service's id of the message.");
const at = Time();

export const conversationEvents = defineEvents({
  ConversationStarted: event('A customer and a number of the store have to do with each other for the first time.', {
    numberId: Text(),
    customer: ChannelCustomer,
    contact: Maybe(
      Contact,
      "Absent in the oldest events: the contact's id is then `contactIdOf(workspaceId, customer)`, its language the store's.",
    ),
  }),
  ConversationCustomerChanged: event('The channel now tells more, or other things, of the customer.', {
    customer: ChannelCustomer,
    before: ChannelCustomer,
  }),
  MessageReceived: event('The customer sends a message.', {
    messageId,
    channelMessageId: Text("The channel's id (wamid…)."),
    sentAt: Time(),
    content: InboundContent,
    repliesTo: Maybe(Text('A channel message id.')),
    replyToMessageId: Maybe(Text('The message of this conversation that it replies to.')),
    forwarded: Mark(),
    customer: ChannelCustomer,
  }),
  MessageReactionChanged: event('The customer reacts to a message of either side, or takes the reaction back.', {
    messageId,
    by: Type.Literal('contact'),
    emoji: Maybe(Text('Absent: taken back.')),
    at,
    channelMessageId: Maybe(Text('Of the reaction itself.')),
  }),
  EarlyReactionTakenBack: event('The customer took a reaction back before the message came that it was to.', {
    about: Text("The channel's id of that message."),
    at,
    channelMessageId: Text(),
  }),
  MessageDeleted: event(
    'The customer took a message back. What it said stays in the history, and in no view. May come before the message, which ' +
      'it then follows again, or for one that never came; and stands for a reaction that does not stand alone any more.',
    { messageId, at, channelMessageId: Maybe(Text('Of the taking back itself.')) },
  ),
  MessageMediaStored: event('The file of a received message is in the file store.', {
    messageId,
    fileId: Text(),
    mimeType: Text('What it really is.'),
    size: Whole('In bytes.'),
  }),
  MessageMediaFailed: event('The file of a received message cannot be had any more.', {
    messageId,
    errorCode: Text(),
    reason: Text('Written for the store.'),
  }),
  CallReceived: event('A call ended.', {
    messageId,
    callId: Text("The service's id."),
    channelCallId: Text(),
    missed: Flag(),
    reason: Maybe(Text('Such as no_answer.')),
    at,
    customer: ChannelCustomer,
  }),
  MessageQueued: event('A member, a program or the service itself sends a message.', {
    messageId,
    numberId: Text(),
    to: ChannelCustomer,
    content: OutboundContent,
    purpose: Maybe(MessagePurpose),
    clientMsgId: Maybe(Text('Absent for automatic messages.')),
    sentByMemberId: Maybe(Text('Absent for automatic messages.')),
    replyToMessageId: Maybe(Text('Absent for automatic messages.')),
    repliesTo: Maybe(Text("The channel's id of the message that is replied to.")),
  }),
  MessageAccepted: event('The channel took it.', {
    messageId,
    channelMessageId: Text(),
    purpose: Maybe(MessagePurpose),
  }),
  MessageFailed: event('It was not, or later will not be, delivered.', {
    messageId,
    errorCode: Text(),
    reason: Text('Written for the store.'),
    purpose: Maybe(MessagePurpose),
    accepted: Mark('The channel had taken it.'),
  }),
  MessageStatusChanged: event('The channel reports how far it has come.', {
    messageId,
    status: OneOf('sent', 'delivered', 'read'),
    at,
  }),
  RoutingMenuOffered: event('The customer was asked which team they want.', {
    messageId,
    teamIds: List(Text()),
    deadline: Time('Without a tap until then the default team has the chat.'),
  }),
  ConversationRouted: event("From now on the chat is this team's; without a team when the store has none.", {
    teamId: Maybe(Text()),
    before: Maybe(Text('The team until then.')),
    by: OneOf('menu', 'deadline', 'default', 'start', 'operator'),
  }),
  ConversationAssigned: event('The chat is given to a member, or to nobody.', {
    memberId: Maybe(Text()),
    before: Maybe(Text()),
  }),
  ConversationStatusChanged: event(
    'The chat is closed, snoozed or opened. A closed or snoozed one opens again when the customer writes.',
    {
      status: ConversationStatus,
      before: ConversationStatus,
      until: Maybe(Time('With snoozed.')),
      reason: Maybe(Text()),
      mergedInto: Maybe(
        Text('With the reason `merged`: the conversation that the customer goes on in; absent in the oldest events.'),
      ),
    },
  ),
  ConversationPinned: event('The chat is pinned, or not any more.', { pinned: Flag() }),
});
export type ConversationEvent = EventsOf<typeof conversationEvents>;
