/** Stored for ever: a store's list of customer numbers, stream `numberList-{listId}`. Add fields as optional. */
import { OneOf } from '../schema.js';
import {
  Changes,
  defineEvents,
  type EventsOf,
  event,
  Id,
  Label,
  List,
  Maybe,
  Personal,
  Shape,
  type Stored,
  Text,
  Whole,
} from '../storedEvents.js';

/** uploaded: numbers from the store. past_orders: every customer with at least `minOrders` paid orders. */
const NumberListKind = OneOf('uploaded', 'past_orders');
export type NumberListKind = Stored<typeof NumberListKind>;

/** Properties of a list, without its numbers. */
const NumberListTerms = Shape('NumberListTerms', {
  name: Label(),
  kind: NumberListKind,
  minOrders: Maybe(Whole('Of past orders: the least number of paid orders of a customer.')),
});
export type NumberListTerms = Stored<typeof NumberListTerms>;

const NumberListChanges = Changes(NumberListTerms);
/** Changed fields only. null: the field has no value. */
export type NumberListChanges = Stored<typeof NumberListChanges>;

const use = {
  by: Id('The promotion.'),
  attempt: Id('Names the change of the promotion.'),
};

export const numberListEvents = defineEvents({
  NumberListCreated: event(
    'The store creates a list of customer numbers.',
    {
      ...NumberListTerms.properties,
      phones: List(Personal('phone', Text()), 'E.164, each once.'),
    },
    { subject: 'each' },
  ),
  NumberListRevised: event(
    'The store changes a list or its numbers.',
    {
      changes: NumberListChanges,
      before: NumberListChanges,
      added: List(Personal('phone', Text()), 'Numbers appended to the list.'),
      removed: List(Personal('phone', Text()), 'Numbers removed from the list.'),
    },
    { subject: 'each' },
  ),
  NumberListDeleted: event('The store deletes the list.', { name: Label() }),
  NumberListTaken: event('A promotion uses the list from now on, or is about to.', use),
  NumberListFreed: event('A promotion no longer uses the list, or its change was abandoned.', use),
});
export type NumberListEvent = EventsOf<typeof numberListEvents>;
