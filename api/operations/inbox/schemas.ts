/** Shapes of the inbox. (Specification 2, 'Contact', 'Conversation' and 'Message'.) */
import { Addition, Closed, DateTime, Int64, Named, OneOf, Uuid } from '../../contract/schemas.js';
import { Type } from '../../contract/type.js';

const Text = (description: string) => Type.String({ description });

export const ContactBody = Named(
  'ContactBody',
  Type.Object({
    id: Uuid,
    phone: Text('E.164; empty when the channel never shared it.'),
    name: Text('Empty when it is not known.'),
    language: OneOf('en', 'so', 'ar'),
    tags: Type.Array(Type.String()),
    externalRef: Type.Optional(Text("The business's own id.")),
    channelName: Type.Optional(Text("The name on the customer's channel profile.")),
  }),
);

const MessageDirection = OneOf('inbound', 'outbound', 'internal');
const MessageType = OneOf(
  ...(['text', 'image', 'video', 'audio', 'document', 'sticker', 'location', 'template'] as const),
  ...(['reaction', 'interactive', 'contacts', 'unsupported', 'note', 'call', 'order'] as const),
);
const MessageStatus = OneOf('received', 'pending', 'sent', 'delivered', 'read', 'failed', 'saved');

export const ConversationBody = Named(
  'ConversationBody',
  Type.Object({
    id: Uuid,
    numberId: Type.String({ format: 'uuid', description: 'The business channel number written to.' }),
    contact: ContactBody,
    routingState: OneOf('awaiting_menu', 'routed'),
    status: OneOf('open', 'closed', 'snoozed'),
    unreadCount: Int64({ minimum: 0 }),
    lastMessageAt: DateTime,
    pinned: Type.Boolean(),
    createdAt: DateTime,
    updatedAt: DateTime,
    assigneeMemberId: Type.Optional(Uuid),
    closedAt: Type.Optional(DateTime),
    snoozedUntil: Type.Optional(DateTime),
    teamId: Type.Optional(
      Type.String({ format: 'uuid', description: 'Absent until the customer picks a team from the menu.' }),
    ),
    routingDeadline: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Time when a conversation that waits for a menu choice is assigned to the default team.',
      }),
    ),
    windowExpiresAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Until then any message can be sent, afterwards only an approved template.',
      }),
    ),
    lastMessage: Type.Optional(
      Type.Object({
        direction: MessageDirection,
        type: MessageType,
        text: Text('Empty for a deleted message.'),
        status: MessageStatus,
        deleted: Type.Boolean(),
      }),
    ),
    mergedInto: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          'Beyond the specification: the conversation to write to, since its customer was merged with another one. This conversation stays readable.',
      }),
    ),
  }),
);

export const UpdateConversationInputBody = Named(
  'UpdateConversationInputBody',
  Closed({
    status: Type.Optional(OneOf('open', 'snoozed', 'closed')),
    snoozedUntil: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'With the status `snoozed`: a time of the coming 366 days, to the millisecond.',
      }),
    ),
    assigneeMemberId: Type.Optional(
      Type.Union([Uuid, Type.Null()], { description: 'An active member of the store; null: nobody.' }),
    ),
    teamId: Type.Optional(
      Type.Union([Uuid, Type.Null()], {
        description: 'A team of the store; null: every member sees the conversation.',
      }),
    ),
    pinned: Type.Optional(Type.Boolean({ description: 'Pinned ones are first in the list.' })),
    read: Type.Optional(
      Type.Unsafe<true>({ type: 'boolean', const: true, description: 'Nothing is unread any more.' }),
    ),
  }),
);

/** A page; `next` is the cursor of the one after it. */
export const ConversationListOutputBody = Named(
  'ConversationListOutputBody',
  Type.Object({ conversations: Type.Array(ConversationBody), next: Type.Optional(Type.String()) }),
);

const Call = Type.Object({
  callId: Uuid,
  missed: Type.Boolean(),
  reason: Type.Optional(Text('Such as no_answer or cancelled.')),
});

const FlowReply = Type.Object({
  fields: Type.Array(
    Type.Object({
      name: Type.String(),
      value: Type.Unsafe<unknown>({ description: 'Text, a number, true or false, or JSON for a list or group.' }),
    }),
    { description: "The customer's answers by name." },
  ),
  name: Type.Optional(Type.String()),
});

const Location = Type.Object({
  latitude: Type.Number({ format: 'double' }),
  longitude: Type.Number({ format: 'double' }),
  name: Type.Optional(Type.String()),
  address: Type.Optional(Type.String()),
});

const Media = Type.Object({
  status: Type.String({
    enum: ['pending', 'ready', 'failed'],
    description: 'pending while a file of the customer is copied.',
  }),
  fileId: Type.Optional(Type.String({ format: 'uuid', description: 'Set once the file is stored.' })),
  filename: Type.Optional(Type.String()),
  mimeType: Type.Optional(Type.String()),
  caption: Type.Optional(Type.String()),
  voice: Type.Optional(Type.Boolean()),
});

const Menu = Type.Object({
  body: Type.String(),
  options: Type.Array(Type.Object({ id: Type.String(), title: Type.String() })),
  headerImage: Type.Optional(Text('An https link.')),
  listButton: Type.Optional(Text('Set when it is shown as a list.')),
});

const Cart = Type.Object({
  items: Type.Array(
    Type.Object({
      productRetailerId: Type.String(),
      quantity: Int64(),
      currency: Type.Optional(Text('ISO 4217.')),
      itemPrice: Type.Optional(Text('As the channel reported it; orders are priced from the catalog.')),
    }),
  ),
  catalogId: Type.Optional(Type.String()),
  text: Type.Optional(Text("The customer's note.")),
});

const Products = Type.Object({
  kind: OneOf('product', 'product_list', 'carousel', 'catalog_message'),
  sections: Type.Array(Type.Object({ retailerIds: Type.Array(Type.String()), title: Type.Optional(Type.String()) })),
  header: Type.Optional(Type.String()),
});

const Reaction = Type.Object({
  by: OneOf('contact', 'member'),
  emoji: Type.String(),
  memberId: Type.Optional(Uuid),
});

export const TemplateRefBody = Named(
  'TemplateRefBody',
  Type.Object({
    templateId: Type.Optional(
      Type.String({ format: 'uuid', description: 'Absent for a template of the service itself.' }),
    ),
    name: Type.String(),
    language: Type.String(),
  }),
);

const Details = Type.Object(
  {
    edited: Type.Optional(
      Type.Boolean({ description: 'The customer edited an earlier message: this is how it reads now.' }),
    ),
    editsMessageId: Type.Optional(Type.String({ format: 'uuid', description: 'That message, where it is known.' })),
    cut: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Fields of the channel, such as `body`, that were cut when they were stored.',
      }),
    ),
    channel: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description:
          "Other data that the channel sent with the message, under the channel's own names: `referral`, `errors`, `context.referred_product`, address cards, and so on.",
      }),
    ),
    notice: Type.Optional(
      Text('The channel reported this by itself, such as `customer_identity_changed`; the customer wrote nothing.'),
    ),
  },
  { description: "Beyond the specification: parts of a customer's message beyond the fields of its type." },
);

export const MessageBody = Named(
  'MessageBody',
  Type.Object({
    id: Uuid,
    conversationId: Uuid,
    direction: MessageDirection,
    type: MessageType,
    text: Text('Text, caption or note; empty when deleted.'),
    status: MessageStatus,
    reactions: Type.Array(Reaction),
    deleted: Type.Boolean(),
    createdAt: DateTime,
    clientMsgId: Type.Optional(Type.String()),
    sentAt: Type.Optional(DateTime),
    deliveredAt: Type.Optional(DateTime),
    readAt: Type.Optional(DateTime),
    failedAt: Type.Optional(DateTime),
    errorCode: Type.Optional(Type.String()),
    errorMessage: Type.Optional(Text('Why it failed, written for the agent.')),
    forwarded: Type.Optional(Type.Boolean()),
    replyToMessageId: Type.Optional(Uuid),
    sentByMemberId: Type.Optional(
      Type.String({ format: 'uuid', description: 'Absent for messages of the customer and automatic ones.' }),
    ),
    locationRequest: Type.Optional(Type.Boolean({ description: "Requests the customer's location." })),
    call: Type.Optional(Call),
    details: Type.Optional(Addition(Details)),
    choice: Type.Optional(
      Type.Object({
        title: Type.String(),
        id: Type.Optional(Type.String()),
        description: Type.Optional(Type.String()),
      }),
    ),
    flow: Type.Optional(Type.Object({ cta: Text('The button that opens an interactive form.') })),
    flowReply: Type.Optional(FlowReply),
    location: Type.Optional(Location),
    media: Type.Optional(Media),
    menu: Type.Optional(Menu),
    order: Type.Optional(Cart),
    products: Type.Optional(Products),
    template: Type.Optional(TemplateRefBody),
  }),
);

/** Newest first; `next` is the cursor of the page of older ones. */
export const ThreadOutputBody = Named(
  'ThreadOutputBody',
  Type.Object({ messages: Type.Array(MessageBody), next: Type.Optional(Type.String()) }),
);
