/**
 * A store's promotion and the orders that have used it. Both share one stream, so that `maxRedemptions` and `maxPerCustomer` are exact
 * under concurrency. Events: promotionEvents.ts. Rules of the definition: definition.ts.
 */
import { type Aggregate, type Decision, refuse, type SnapshotCodec, type WithMeta } from '../decider.js';
import { STALE_CHANGE } from '../hold.js';
import { inChunks } from '../inChunks.js';
import { changedFields, checkDefinition } from './promotionDefinition.js';
import type { PromotionDefinition, PromotionEvent } from './promotionEvents.js';

// Events: PromotionEvent in promotionEvents.ts -------------------------------------------------------------------

// State: only what decisions need --------------------------------------------------------------------------------
export interface ExistingPromotion {
  readonly status: 'standing';
  readonly workspaceId: string | undefined;
  readonly definition: PromotionDefinition;
  /** Number of times its definition was set. */
  readonly version: number;
  /** Customer of each order that uses it, by order id. */
  readonly uses: Map<string, string>;
  /** Number of uses by customer. */
  readonly usesOf: Map<string, number>;
}
export type Promotion = { readonly status: 'absent' } | { readonly status: 'deleted' } | ExistingPromotion;

export const exists = (state: Promotion): state is ExistingPromotion => state.status === 'standing';

function use({ uses, usesOf }: ExistingPromotion, orderId: string, customer: string): void {
  uses.set(orderId, customer);
  usesOf.set(customer, (usesOf.get(customer) ?? 0) + 1);
}

function giveUp({ uses, usesOf }: ExistingPromotion, orderId: string, customer: string): void {
  uses.delete(orderId);
  const left = (usesOf.get(customer) ?? 0) - 1;
  if (left > 0) usesOf.set(customer, left);
  else usesOf.delete(customer);
}

function evolve(state: Promotion, event: WithMeta<PromotionEvent>): Promotion {
  if (event.type === 'PromotionCreated') {
    const { definition } = event.data;
    const { workspaceId } = event.meta;
    return { status: 'standing', workspaceId, definition, version: 1, uses: new Map(), usesOf: new Map() };
  }
  if (!exists(state)) return state;
  switch (event.type) {
    case 'PromotionRevised':
      return { ...state, definition: event.data.definition, version: state.version + 1 };
    case 'PromotionDeleted':
      return { status: 'deleted' };
    case 'PromotionRedeemed':
      use(state, event.data.orderId, event.data.customer);
      return state;
    case 'RedemptionGivenBack':
      giveUp(state, event.data.orderId, event.data.customer);
      return state;
  }
}

interface Head extends Pick<ExistingPromotion, 'workspaceId' | 'definition' | 'version'> {
  readonly head: true;
}
const snapshot: SnapshotCodec<Promotion> = {
  version: 1,
  every: 5_000,
  *write(state): Generator<object> {
    if (!exists(state)) {
      yield { status: state.status };
      return;
    }
    const { workspaceId, definition, version } = state;
    yield { head: true, workspaceId, definition, version } satisfies Head;
    for (const part of inChunks([...state.uses])) yield { uses: part };
  },
  read() {
    let state: Promotion = { status: 'absent' };
    return {
      add(chunk) {
        if ('head' in chunk) {
          const { head: _, ...stored } = chunk as Head;
          state = { status: 'standing', ...stored, uses: new Map(), usesOf: new Map() };
        } else if ('uses' in chunk && exists(state))
          for (const [orderId, customer] of chunk.uses as [string, string][]) use(state, orderId, customer);
        else if ('status' in chunk) state = chunk as Promotion;
      },
      done: () => state,
    };
  },
};

const USE_BYTES = 280;

/** Stream `promotion-{promotionId}`. */
export const promotion: Aggregate<Promotion, PromotionEvent> = {
  name: 'promotion',
  initial: () => ({ status: 'absent' }),
  evolve,
  snapshot,
  weigh: (state) => (exists(state) ? 2_000 + weightOf(state.definition) + state.uses.size * USE_BYTES : 200),
};

const weightOf = ({ productExternalIds, categoryExternalIds }: PromotionDefinition): number =>
  (productExternalIds.length + categoryExternalIds.length) * 120;

// Decisions ------------------------------------------------------------------------------------------------------
type PromotionDecision = Decision<Promotion, PromotionEvent>;

/** Returns the store's promotion. Refuses `not_found`, also for another store's promotion. */
export const promotionOf = (state: Promotion, workspaceId: string): ExistingPromotion =>
  exists(state) && state.workspaceId === workspaceId ? state : refuse('not_found', 'The store has no such promotion.');

/** Creates the promotion. Repeating it changes nothing. */
export const createPromotion =
  (definition: PromotionDefinition): PromotionDecision =>
  (state) => {
    checkDefinition(definition);
    return state.status === 'absent' ? [{ type: 'PromotionCreated', data: { definition } }] : [];
  };

/** Replaces the definition. Refuses `stale_change` if it has changed since `version`, so that the caller reads it again. */
export const revisePromotion =
  (workspaceId: string, version: number, definition: PromotionDefinition): PromotionDecision =>
  (state) => {
    const existing = promotionOf(state, workspaceId);
    checkDefinition(definition);
    if (existing.version !== version) refuse(STALE_CHANGE, 'The promotion was changed by another request.');
    const before = changedFields(existing.definition, definition);
    return Object.keys(before).length === 0 ? [] : [{ type: 'PromotionRevised', data: { definition, before } }];
  };

/** Deletes the promotion. Orders that used it keep their discount. */
export const deletePromotion =
  (workspaceId: string): PromotionDecision =>
  (state) => {
    const definition = promotionOf(state, workspaceId).definition;
    return [{ type: 'PromotionDeleted', data: { definition } }];
  };

/** Limit that was reached: `limit` for `maxRedemptions`, `customer_limit` for `maxPerCustomer`. */
export type UseLimit = 'limit' | 'customer_limit';

/**
 * Returns why an order may not use the promotion (any more). Undefined: it may, or does already. `customer` undefined: the customer is
 * unknown, so a limit per customer counts as reached. `others`: other names of the customer.
 */
export function limitFor(
  state: ExistingPromotion,
  orderId: string,
  customer: string | undefined,
  others: readonly string[] = [],
): UseLimit | undefined {
  const { maxRedemptions, maxPerCustomer } = state.definition;
  if (state.uses.has(orderId)) return undefined;
  if (maxRedemptions !== undefined && state.uses.size >= maxRedemptions) return 'limit';
  if (maxPerCustomer === undefined) return undefined;
  if (customer === undefined) return 'customer_limit';
  let uses = 0;
  for (const name of new Set([customer, ...others])) uses += state.usesOf.get(name) ?? 0;
  return uses >= maxPerCustomer ? 'customer_limit' : undefined;
}

export interface Redeem {
  readonly orderId: string;
  /** As in `limitFor`. */
  readonly customer: string | undefined;
  readonly others?: readonly string[];
}

/** Customer of a use whose customer is unknown. */
const NOBODY = '';

/**
 * Counts one use by the order. Repeating it changes nothing. Refuses `limit` and `customer_limit`. A deleted promotion has no limits. It
 * need not be open: the customer may use it as it was when the order was priced.
 */
export const redeem =
  (command: Redeem): PromotionDecision =>
  (state) => {
    if (!exists(state) || state.uses.has(command.orderId)) return [];
    const limit = limitFor(state, command.orderId, command.customer, command.others);
    if (limit !== undefined) refuse(limit, 'The promotion has reached its limit of uses.');
    const { orderId, customer = NOBODY } = command;
    return [{ type: 'PromotionRedeemed', data: { orderId, customer } }];
  };

/** Releases the order's use, once. The order may use the promotion later. */
export const releaseUse =
  (orderId: string): PromotionDecision =>
  (state) => {
    const customer = exists(state) ? state.uses.get(orderId) : undefined;
    return customer === undefined ? [] : [{ type: 'RedemptionGivenBack', data: { orderId, customer } }];
  };
