import type { ConversationEvent } from '../domain/channel/conversationEvents.js';
import { ERASED_PHONE, isErased } from '../domain/erasure.js';
import type { NumberListEvent } from '../domain/numberLists/numberListEvents.js';
import type { OrderEvent } from '../domain/orders/orderEvents.js';
import { defineProjection, type Seen, type View } from '../engine/projections/projection.js';

type Nothing = Readonly<Record<string, never>>;
type Activity = View<Nothing>;
type Cause = ConversationEvent | OrderEvent | NumberListEvent;

/** Orders that nothing more is to happen to. */
const OVER: ReadonlySet<string> = new Set(['delivered', 'cancelled', 'refunded']);

/** Whose it is; undefined: nobody's, or somebody's who was forgotten. */
const personIn = (value: string | undefined): string | undefined =>
  value === undefined || value === '' || value === ERASED_PHONE || isErased(value) ? undefined : value;

const began = (event: Seen<Cause>, person: string | undefined, open: 0 | 1): Activity | undefined =>
  person === undefined
    ? undefined
    : {
        keys: { workspaceId: event.meta.workspaceId ?? null, person, lastAt: Date.parse(event.meta.at), open },
        body: {},
      };

/** Something new of theirs. `open`: whether it waits for something. */
const now = (view: Activity | undefined, { meta }: Seen<Cause>, open = view?.keys.open): Activity | undefined =>
  view && { ...view, keys: { ...view.keys, lastAt: Date.parse(meta.at), open: open ?? 0 } };

const something = (view: Activity | undefined, event: Seen<Cause>): Activity | undefined => now(view, event);

/** Documents of numbers on a list. */
const listed = (listId: string, phones: readonly string[]): string[] => phones.map((phone) => `${listId}/${phone}`);
const phoneOf = (id: string): string => id.slice(id.indexOf('/') + 1);

/**
 * Time of each customer's last activity, for retention. One document per conversation, per order, and per number of a list; the last
 * stays when the number leaves the list, because the log still has it. `person`: the customer's phone, or their user id if no phone is known.
 * `open`: 1 while an order is under way or a conversation is snoozed; the end of either is itself an activity. Messages that
 * a program or the service sends are no activity of the customer.
 */
export const customerActivity = defineProjection<Nothing, Cause>({
  name: 'customerActivity',
  version: 2,
  partitionedBy: 'store',
  perStream: true,
  categories: ['conversation', 'order', 'numberList'],
  keys: { workspaceId: 'text', person: 'text', lastAt: 'number', open: 'number' },
  indexes: [
    { keys: ['workspaceId', 'lastAt'] },
    { keys: ['workspaceId', 'person', '-lastAt'] },
    { keys: ['workspaceId', 'person', 'open'] },
  ],
  on: {
    ConversationStarted: (view, event) =>
      view ?? began(event, personIn(event.data.customer.phone) ?? personIn(event.data.customer.userId), 0),
    ConversationCustomerChanged: (view, event) => {
      const { phone, userId } = event.data.customer;
      return view && began(event, personIn(phone) ?? personIn(userId), view.keys.open === 1 ? 1 : 0);
    },
    MessageReceived: something,
    CallReceived: something,
    MessageReactionChanged: something,
    MessageQueued: (view, event) => (event.data.sentByMemberId === undefined ? view : now(view, event)),
    ConversationStatusChanged: (view, event) => {
      const open = event.data.status === 'snoozed' ? 1 : 0;
      return view?.keys.open === open ? view : now(view, event, open);
    },
    OrderPlaced: (_, event) => began(event, personIn(event.data.customerPhone), 1),
    OrderRepriced: something,
    OrderCheckedOut: something,
    OrderLocationShared: something,
    OrderPaymentRequested: something,
    OrderPaymentFailed: something,
    OrderPaid: something,
    OrderStatusChanged: (view, event) => now(view, event, OVER.has(event.data.to) ? 0 : 1),
    NumberListCreated: {
      ids: ({ streamId, data }) => listed(streamId, data.phones),
      evolve: (_, event, id) => began(event, personIn(phoneOf(id)), 0),
    },
    NumberListRevised: {
      ids: ({ streamId, data }) => listed(streamId, data.added),
      evolve: (_, event, id) => began(event, personIn(phoneOf(id)), 0),
    },
  },
});
