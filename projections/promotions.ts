import { codeKey } from '../domain/promotions/promotionDefinition.js';
import type { PromotionDefinition, PromotionEvent } from '../domain/promotions/promotionEvents.js';
import { defineProjection, type Seen, type View } from '../engine/projections/projection.js';

/** The API's `PromotionBody` without `open`, which depends on the time: put in when read. (Specification 1, 'Promotion'.) */
export interface PromotionBody extends PromotionDefinition {
  readonly id: string;
  /** Orders that use it. */
  readonly redemptions: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

type PromotionView = View<PromotionBody>;

/** Before and after all times that a promotion can name, in ms: what an absent bound counts as. */
export const BEGINNING = -8.64e15;
export const FOREVER = 8.64e15;

const msOf = (time: string | undefined, absent: number): number => (time === undefined ? absent : Date.parse(time));

function viewOf(body: PromotionBody, createdAt: number, { revision, meta }: Seen<PromotionEvent>): PromotionView {
  const { kind, code, active, startsAt, endsAt } = body;
  return {
    keys: {
      workspaceId: meta.workspaceId ?? null,
      createdAt,
      code: kind === 'coupon' && code !== undefined ? codeKey(code) : null,
      active: active ? 1 : 0,
      startsAt: msOf(startsAt, BEGINNING),
      endsAt: msOf(endsAt, FOREVER),
      definitionRevision: revision,
    },
    body,
  };
}

const counted = (view: PromotionView | undefined, by: number): PromotionView | undefined =>
  view && { keys: view.keys, body: { ...view.body, redemptions: view.body.redemptions + by } };

/** One document a promotion: a store's newest first; coupons by code, that with the latest end first. */
export const promotions = defineProjection<PromotionBody, PromotionEvent>({
  name: 'promotions',
  version: 2,
  partitionedBy: 'store',
  categories: ['promotion'],
  keys: {
    workspaceId: 'text',
    createdAt: 'number',
    /** Coupon code in the form in which codes are compared. Coupons only. */
    code: 'text',
    active: 'number',
    startsAt: 'number',
    endsAt: 'number',
    /** Revision of its stream at which its definition was set: redemptions leave it as it is. */
    definitionRevision: 'number',
  },
  indexes: [{ keys: ['workspaceId', '-createdAt'] }, { keys: ['workspaceId', 'code', '-endsAt'] }],
  on: {
    PromotionCreated(_, event) {
      const { data, meta, streamId } = event;
      const body = { id: streamId, ...data.definition, redemptions: 0, createdAt: meta.at, updatedAt: meta.at };
      return viewOf(body, Date.parse(meta.at), event);
    },
    PromotionRevised(view, event) {
      if (view === undefined) return undefined;
      const { id, redemptions, createdAt } = view.body;
      const body = { id, ...event.data.definition, redemptions, createdAt, updatedAt: event.meta.at };
      return viewOf(body, Number(view.keys.createdAt), event);
    },
    PromotionDeleted: () => undefined,
    PromotionRedeemed: (view) => counted(view, 1),
    RedemptionGivenBack: (view) => counted(view, -1),
  },
});
