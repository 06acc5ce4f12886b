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
    ConversationStarted: event('First contact between a customer and a number of the store.', {
      numberId: Id(),
      customer: ChannelCustomer,
      contact: Maybe(
        Contact,
        "Absent in the oldest events: the contact's id is then `contactIdOf(workspaceId, customer)`, its language the store's.",
      ),
    }),
    ConversationCustomerChanged: event('The channel reports new or changed data of the customer.', {
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
        text: Maybe(Personal('text', Text('Text of the channel.'))),
      },
    ),
    MessageReactionChanged: event('The customer reacts to a message of either side, or removes the reaction.', {
      messageId,
      by: Type.Literal('contact'),
      emoji: Maybe(Personal('text', Text('Absent if the reaction was removed.'))),
      at,
      channelMessageId: Maybe(Personal('derivedId', Text('Of the reaction itself.'))),
    }),
    EarlyReactionTakenBack: event('The customer removed a reaction before the message arrived that it refers to.', {
      about: Personal('derivedId', Text("The channel's id of that message.")),
      at,
      channelMessageId: Personal('derivedId', Text()),
    }),
    MessageDeleted: event(
      'The customer took a message back. Its content stays in the history, and is in no read model. May precede the message and is then repeated ' +
        'after it. Also marks a reaction that has joined its message.',
      { messageId, at, channelMessageId: Maybe(Personal('derivedId', Text('Channel message id of the deletion.'))) },
    ),
    MessageMediaStored: event('The file of a received message is in the file store.', {
      messageId,
      fileId: Id(),
      mimeType: Code('Detected media type.'),
      size: Whole('In bytes.'),
    }),
    MessageMediaFailed: event('The file of a received message is permanently unavailable.', {
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
    MessageAccepted: event('The channel accepted the message.', {
      messageId,
      channelMessageId: Personal('derivedId', Text()),
      purpose: Maybe(MessagePurpose),
    }),
    MessageFailed: event('The message was not delivered, and will not be.', {
      messageId,
      errorCode: Code(),
      reason: Label('Written for the store.'),
      purpose: Maybe(MessagePurpose),
      accepted: Mark('The channel had accepted the message.'),
    }),
    MessageStatusChanged: event('The channel reports the delivery status.', {
      messageId,
      status: OneOf('sent', 'delivered', 'read'),
      at,
    }),
    RoutingMenuOffered: event('The customer got the menu of teams.', {
      messageId,
      teamIds: List(Id()),
      deadline: Time('After this time without a choice, the chat goes to the default team.'),
    }),
    ConversationRouted: event('The chat is assigned to this team, or to no team if the store has none.', {
      teamId: Maybe(Id()),
      before: Maybe(Id('The previous team.')),
      by: OneOf('menu', 'deadline', 'default', 'start', 'operator', 'member'),
    }),
    ConversationAssigned: event('The chat is assigned to a member, or unassigned.', {
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
    ConversationPinned: event('The chat is pinned or unpinned.', { pinned: Flag() }),
    ConversationRead: event('A member has read the chat: nothing is unread.', {}),
  },
  'stream',
);
export type ConversationEvent = EventsOf<typeof conversationEvents>;
