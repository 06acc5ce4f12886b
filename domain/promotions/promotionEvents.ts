/** Stored for ever: a store's promotion and its redemptions, stream `promotion-{promotionId}`. Add fields as optional. */
import { OneOf } from '../schema.js';
import {
  Changes,
  Code,
  defineEvents,
  type EventsOf,
  event,
  Flag,
  Id,
  Label,
  List,
  Maybe,
  Personal,
  Shape,
  type Stored,
  Text,
  Time,
  Whole,
} from '../storedEvents.js';

const PromotionKind = OneOf('flash_sale', 'number_list', 'coupon');
export type PromotionKind = Stored<typeof PromotionKind>;
const PromotionScope = OneOf('all', 'products', 'categories');
export type PromotionScope = Stored<typeof PromotionScope>;

const PromotionDefinition = Shape('PromotionDefinition', {
  name: Label(),
  kind: PromotionKind,
  scope: PromotionScope,
  productExternalIds: List(Id()),
  categoryExternalIds: List(Id()),
  percentOff: Maybe(Whole('Exactly one of percentOff and amountOffCents.')),
  amountOffCents: Maybe(Whole('Per unit for a flash sale, off the products in scope otherwise.')),
  code: Maybe(Code('As the store wrote it; compared without case.')),
  numberListId: Maybe(Id()),
  minSubtotalCents: Maybe(Whole()),
  maxPerCustomer: Maybe(Whole()),
  maxRedemptions: Maybe(Whole()),
  combinable: Maybe(Flag()),
  active: Flag(),
  startsAt: Maybe(Time('Start, inclusive. If absent, without start.')),
  endsAt: Maybe(Time('End, exclusive. If absent, without end.')),
});
/** Definition of a promotion, with defaults applied. (Specification 1, 'Promotion'.) */
export type PromotionDefinition = Stored<typeof PromotionDefinition>;

const DefinitionBefore = Changes(PromotionDefinition);
/** Previous values of changed fields. null: the field had no value. */
export type DefinitionBefore = Stored<typeof DefinitionBefore>;

const use = { orderId: Id(), customer: Personal('phone', Text('Customer who used it, such as their number.')) };

export const promotionEvents = defineEvents({
  PromotionCreated: event('The store creates a promotion.', { definition: PromotionDefinition }),
  PromotionRevised: event('The store changes the promotion.', {
    definition: PromotionDefinition,
    before: DefinitionBefore,
  }),
  PromotionDeleted: event('The store deletes the promotion. The event has its last definition.', {
    definition: PromotionDefinition,
  }),
  PromotionRedeemed: event('An order uses the promotion.', use, { subject: 'each' }),
  RedemptionGivenBack: event('An order no longer uses the promotion, or is cancelled.', use, {
    subject: 'each',
  }),
});
export type PromotionEvent = EventsOf<typeof promotionEvents>;
