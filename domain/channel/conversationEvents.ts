/** Stored for ever: messages between a business number and a customer, stream `conversation-{conversationId}`. Add fields as optional. */
import { OneOf, Type } from '../schema.js';
import {
  Code,
  defineEvents,
  type EventsOf,
  event,
  Flag,
  Id,
  Label,
  List,
  Mark,
  Maybe,
  Personal,
  Shape,
  type Stored,
  Text,
  Time,
  Whole,
} from '../storedEvents.js';
import { ChannelCustomer, InboundContent, MessageDetails, MessagePurpose, OutboundContent } from './messageContent.js';

export type {
  CartItem,
  ChannelCustomer,
  InboundContent,
  InboundMedia,
  MediaKind,
  MessageDetails,
  MessagePurpose,
  OutboundContent,
  SharedContact,
} from './messageContent.js';

const ConversationStatus = OneOf('open', 'closed', 'snoozed');
/** (Specification 2, 'Conversation'.) */
export type ConversationStatus = Stored<typeof ConversationStatus>;
const ContactLanguage = OneOf('en', 'so', 'ar');
export type ContactLanguage = Stored<typeof ContactLanguage>;

const Contact = Shape('Contact', { contactId: Personal('derivedId', Text()), language: ContactLanguage });
/** The customer as shown in the inbox. The same contact has one conversation with each number of the store. */
export type Contact = Stored<typeof Contact>;

const messageId = Id("The service's id of the message.");
const at = Time();

export const conversationEvents = defineEvents(
  {
    ConversationStarted: event('A customer and a number of the store have to do with each other for the first time.', {
      numberId: Id(),
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
      channelMessageId: Personal('derivedId', Text("The channel's id (wamid…).")),
      sentAt: Time(),
      content: InboundContent,
      repliesTo: Maybe(Personal('derivedId', Text('A channel message id.'))),
      replyToMessageId: Maybe(Id('The message of this conversation that it replies to.')),
      forwarded: Mark(),
      details: Maybe(MessageDetails),
      customer: ChannelCustomer,
    }),
    NoticeReceived: event(
      'The channel reports something about the customer by itself, such as a new security code. The customer wrote nothing: ' +
        'the 24-hour window does not open, and nothing is unread.',
      {
        messageId,
        channelMessageId: Personal('derivedId', Text()),
        sentAt: Time(),
        notice: Code("The channel's name for it, such as customer_identity_changed."),
        text: Maybe(Personal('text', Text("The channel's own sentence."))),
      },
    ),
    MessageReactionChanged: event('The customer reacts to a message of either side, or takes the reaction back.', {
      messageId,
      by: Type.Literal('contact'),
      emoji: Maybe(Personal('text', Text('Absent: taken back.'))),
      at,
      channelMessageId: Maybe(Personal('derivedId', Text('Of the reaction itself.'))),
    }),
    EarlyReactionTakenBack: event('The customer took a reaction back before the message came that it was to.', {
      about: Personal('derivedId', Text("The channel's id of that message.")),
      at,
      channelMessageId: Personal('derivedId', Text()),
    }),
    MessageDeleted: event(
      'The customer took a message back. What it said stays in the history, and in no view. May come before the message, which ' +
        'it then follows again, or for one that never came; and stands for a reaction that does not stand alone any more.',
      { messageId, at, channelMessageId: Maybe(Personal('derivedId', Text('Of the taking back itself.'))) },
    ),
    MessageMediaStored: event('The file of a received message is in the file store.', {
      messageId,
      fileId: Id(),
      mimeType: Code('What it really is.'),
      size: Whole('In bytes.'),
    }),
    MessageMediaFailed: event('The file of a received message cannot be had any more.', {
      messageId,
      errorCode: Code(),
      reason: Label('Written for the store.'),
    }),
    CallReceived: event('A call ended.', {
      messageId,
      callId: Id("The service's id."),
      channelCallId: Personal('derivedId', Text()),
      missed: Flag(),
      reason: Maybe(Label('Such as no_answer.')),
      at,
      customer: ChannelCustomer,
    }),
    MessageQueued: event('A member, a program or the service itself sends a message.', {
      messageId,
      numberId: Id(),
      to: ChannelCustomer,
      content: OutboundContent,
      purpose: Maybe(MessagePurpose),
      clientMsgId: Maybe(Id('Absent for automatic messages.')),
      sentByMemberId: Maybe(Id('Absent for automatic messages.')),
      replyToMessageId: Maybe(Id('Absent for automatic messages.')),
      repliesTo: Maybe(Personal('derivedId', Text("The channel's id of the message that is replied to."))),
    }),
    MessageAccepted: event('The channel took it.', {
      messageId,
      channelMessageId: Personal('derivedId', Text()),
      purpose: Maybe(MessagePurpose),
    }),
    MessageFailed: event('It was not, or later will not be, delivered.', {
      messageId,
      errorCode: Code(),
      reason: Label('Written for the store.'),
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
      teamIds: List(Id()),
      deadline: Time('Without a tap until then the default team has the chat.'),
    }),
    ConversationRouted: event("From now on the chat is this team's; without a team when the store has none.", {
      teamId: Maybe(Id()),
      before: Maybe(Id('The team until then.')),
      by: OneOf('menu', 'deadline', 'default', 'start', 'operator'),
    }),
    ConversationAssigned: event('The chat is given to a member, or to nobody.', {
      memberId: Maybe(Id()),
      before: Maybe(Id()),
    }),
    ConversationStatusChanged: event(
      'The chat is closed, snoozed or opened. A closed or snoozed one opens again when the customer writes.',
      {
        status: ConversationStatus,
        before: ConversationStatus,
        until: Maybe(Time('With snoozed.')),
        reason: Maybe(Label()),
        mergedInto: Maybe(
          Personal(
            'derivedId',
            Text(
              'With the reason `merged`: the conversation that the customer goes on in; absent in the oldest events.',
            ),
          ),
        ),
      },
    ),
    ConversationPinned: event('The chat is pinned, or not any more.', { pinned: Flag() }),
  },
  'stream',
);
export type ConversationEvent = EventsOf<typeof conversationEvents>;
