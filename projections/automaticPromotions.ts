import type { PromotionDefinition, PromotionEvent } from '../domain/promotions/promotionEvents.js';
import { defineProjection, type Seen, type View } from '../engine/projections/projection.js';

/** Stream revision of each promotion's current definition, by promotion id. */
export type AutomaticPromotions = Readonly<Record<string, number>>;

type Promotions = View<AutomaticPromotions>;

const storeOf = ({ meta }: Seen<PromotionEvent>): readonly string[] =>
  meta.workspaceId === undefined ? [] : [meta.workspaceId];

const without = (view: Promotions | undefined, { streamId }: Seen<PromotionEvent>): AutomaticPromotions => {
  const { [streamId]: _, ...others } = view?.body ?? {};
  return others;
};

const having = (view: Promotions | undefined, event: Seen<PromotionEvent>, { active, kind }: PromotionDefinition) => {
  const others = without(view, event);
  const body = active && kind !== 'coupon' ? { ...others, [event.streamId]: event.revision } : others;
  return { keys: {}, body };
};

/**
 * The promotions of a store that apply by themselves, in one small document: what each cart looks at. It changes with their
 * definitions, not with their uses.
 */
export const automaticPromotions = defineProjection<AutomaticPromotions, PromotionEvent>({
  name: 'automaticPromotions',
  version: 1,
  partitionedBy: 'store',
  categories: ['promotion'],
  keys: {},
  indexes: [],
  on: {
    PromotionCreated: { ids: storeOf, evolve: (view, event) => having(view, event, event.data.definition) },
    PromotionRevised: { ids: storeOf, evolve: (view, event) => having(view, event, event.data.definition) },
    PromotionDeleted: { ids: storeOf, evolve: (view, event) => ({ keys: {}, body: without(view, event) }) },
  },
});
