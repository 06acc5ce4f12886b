/** Contents of messages, stored with their events for ever. Add fields as optional, never change a meaning. */
import { Named, OneOf, Type } from '../schema.js';
import {
  AnyFields,
  Code,
  Decimal,
  Either,
  Id,
  Label,
  List,
  Mark,
  Maybe,
  Personal,
  Shape,
  type Stored,
  Text,
  Whole,
} from '../storedEvents.js';
import { TemplateComponent } from './templateComponents.js';

export const ChannelCustomer = Shape('ChannelCustomer', {
  phone: Maybe(Personal('phone', Text("E.164 with '+'."))),
  userId: Maybe(Personal('userId', Text('Business-scoped user id, such as US.1349….'))),
  name: Maybe(Personal('name', Text())),
});
/** A customer on the channel, with phone or userId or both. The userId (business-scoped) takes precedence. */
export type ChannelCustomer = Stored<typeof ChannelCustomer>;

const CartItem = Shape('CartItem', {
  productRetailerId: Id(),
  quantity: Whole(),
  itemPrice: Maybe(Code('As the channel reported it, a decimal string; never used for pricing.')),
  currency: Maybe(Code()),
});
export type CartItem = Stored<typeof CartItem>;

export const MediaKind = OneOf('image', 'video', 'audio', 'document', 'sticker');
export type MediaKind = Stored<typeof MediaKind>;

const InboundMedia = Type.Object({
  type: MediaKind,
  channelMediaId: Id("The channel's id of the file."),
  mimeType: Maybe(Code('As declared by the channel; the actual type is determined when the file is copied.')),
  sha256: Maybe(Code('Hex or base64, as the channel declares it.')),
  filename: Maybe(Personal('file', Text())),
  caption: Maybe(Personal('text', Text())),
  voice: Mark('A voice note.'),
});
/** A file from a customer. The channel deletes it after 7 days, so it is copied into the service's own file store. */
export type InboundMedia = Stored<typeof InboundMedia>;

const SharedContact = Shape('SharedContact', {
  name: Personal('name', Text()),
  phones: List(Personal('phone', Text())),
});
/** A contact card. */
export type SharedContact = Stored<typeof SharedContact>;

export const InboundContent = Named(
  'InboundContent',
  Either(
    Type.Object({ type: Type.Literal('text'), text: Personal('text', Text()) }),
    Type.Object({
      type: Type.Literal('order'),
      catalogId: Maybe(Id()),
      text: Maybe(Personal('text', Text())),
      items: List(CartItem, 'Empty if no item could be read.'),
      remark: Maybe(Personal('text', Text('Parts of the cart that could not be stored, as text for the store.'))),
    }),
    Type.Object({ type: Type.Literal('flow_reply'), name: Maybe(Label()), fields: Personal('text', AnyFields()) }),
    Type.Object({
      type: Type.Literal('choice'),
      id: Personal('text', Text()),
      title: Personal('text', Text()),
      description: Maybe(Personal('text', Text())),
    }),
    Type.Object({
      type: Type.Literal('location'),
      latitude: Personal('place', Decimal()),
      longitude: Personal('place', Decimal()),
      name: Maybe(Personal('place', Text())),
      address: Maybe(Personal('address', Text())),
    }),
    InboundMedia,
    Type.Object({ type: Type.Literal('contacts'), contacts: List(SharedContact) }),
    Type.Object({
      type: Type.Literal('reaction'),
      emoji: Personal('text', Text()),
      channelMessageId: Personal('derivedId', Text()),
    }),
    Type.Object({ type: Type.Literal('unsupported'), channelType: Code() }),
  ),
);
/**
 * Content of a customer's message. It includes a reaction only if the conversation does not know its message (yet). A reaction to a known
 * message is MessageReactionChanged. When the message arrives, that event follows, and the reaction's own message is deleted.
 */
export type InboundContent = Stored<typeof InboundContent>;

export const MessageDetails = Shape('MessageDetails', {
  edits: Maybe(Personal('derivedId', Text("The channel's id of the message that this one replaces the words of."))),
  editsMessageId: Maybe(Id('That message, where the conversation knows it.')),
  cut: Maybe(List(Code(), 'Names of channel fields that were truncated.')),
  channel: Maybe(Personal('text', AnyFields('What else the channel sent with the message, in its own names.'))),
});
/** Everything in a received message that its content has no field for. */
export type MessageDetails = Stored<typeof MessageDetails>;

export const OutboundContent = Named(
  'OutboundContent',
  Either(
    Type.Object({ type: Type.Literal('text'), text: Personal('text', Text()) }),
    Type.Object({
      type: MediaKind,
      fileId: Id("A file of the service's own file store."),
      mimeType: Code(),
      text: Personal('text', Text('The caption; empty without one.')),
      filename: Maybe(Personal('file', Text())),
      voice: Mark(),
    }),
    Type.Object({
      type: Type.Literal('menu'),
      text: Personal('text', Text()),
      options: List(
        Type.Object({ id: Id(), title: Personal('text', Text()) }),
        "The tap comes back as a choice with the option's id.",
      ),
      listButton: Maybe(Label('A list; buttons when absent.')),
    }),
    Type.Object({
      type: Type.Literal('flow'),
      text: Personal('text', Text()),
      flowName: Label(),
      cta: Label(),
      token: Code("Comes back with the customer's answers."),
      screen: Code(),
      data: Personal('text', AnyFields('Fills its first screen.')),
    }),
    Type.Object({ type: Type.Literal('location_request'), text: Personal('text', Text()) }),
    Type.Object({
      type: Type.Literal('template'),
      name: Label(),
      language: Code(),
      body: List(Personal('text', Text()), "The body's variables in order, where `components` is absent."),
      text: Personal('text', Text('As it is read.')),
      templateId: Maybe(Id("The store's template; absent: one that the service was configured with.")),
      components: Maybe(List(TemplateComponent)),
    }),
  ),
);
/**
 * Content of the store's message, independent of the channel's format. A menu has buttons, or a list if `listButton` is set. A flow is a
 * button that opens an interactive form. Outside the 24-hour window only an approved template is allowed.
 */
export type OutboundContent = Stored<typeof OutboundContent>;

export const MessagePurpose = Named(
  'MessagePurpose',
  Either(
    Type.Object({ kind: Type.Literal('order_summary'), orderId: Id() }),
    Type.Object({
      kind: Type.Literal('order_status'),
      orderId: Id(),
      status: Code(),
      template: Mark('Sent as one, since a text would not arrive.'),
      textOnly: Mark('Never sent as a template.'),
    }),
    Type.Object({ kind: Type.Literal('order_location'), orderId: Id() }),
    Type.Object({ kind: Type.Literal('order_help'), orderId: Maybe(Id()) }),
    Type.Object({ kind: Type.Literal('routing_menu') }),
  ),
);
/** Reason why a message was sent, so that its outcome can be recorded there. `routing_menu`: the automatic menu of teams. */
export type MessagePurpose = Stored<typeof MessagePurpose>;
