/** Creates, changes and deletes promotions, which involves several streams. (Specification 1, 'Promotions'.) */
import { DomainError, refuse } from '../../domain/decider.js';
import { freeList, numberList, takeList } from '../../domain/numberLists/numberList.js';
import {
  createPromotion as create,
  promotion,
  promotionOf,
  deletePromotion as remove,
  revisePromotion,
} from '../../domain/promotions/promotion.js';
import {
  changedFields,
  checkDefinition,
  definitionOf,
  type PromotionFields,
} from '../../domain/promotions/promotionDefinition.js';
import type { PromotionDefinition } from '../../domain/promotions/promotionEvents.js';
import { couponKey, reservedCode } from '../../domain/promotions/promotionNames.js';
import { untilCurrent } from '../holds.js';
import type { NamesContext } from '../nameHolders.js';
import { createNamed, currentName, freeHolderOf, takeName } from '../names.js';
import { promotionHolders } from './promotionNames.js';

export interface PromotionContext extends NamesContext {
  /** Returns the same id for the same name when the request is repeated, see `Request`. */
  newId(name: string): string;
}

/** `attempt`: id of this attempt to change the promotion, see application/names.ts. */
interface Change {
  readonly id: string;
  readonly attempt: string;
  readonly definition: PromotionDefinition;
}

const holdersOf = ({ workspaceId, now }: PromotionContext) => promotionHolders(workspaceId, now);

/** Reserves the coupon's code. Refuses `coupon_code_taken`. A coupon that has ended needs none. */
async function takeCode(context: PromotionContext, { id: by, attempt, definition }: Change): Promise<void> {
  const value = reservedCode(definition, context.now);
  if (value !== undefined) await takeName(context, holdersOf(context), { by, attempt, value });
}

/** Reserves the list. Refuses `validation_failed` if the store has no such list. */
async function useList(
  { commands, workspaceId }: PromotionContext,
  { id, attempt, definition }: Change,
): Promise<void> {
  const listId = definition.numberListId;
  if (listId === undefined) return;
  try {
    await commands.decide(numberList, listId, takeList(workspaceId, id, attempt));
  } catch (error) {
    // Deleted since it was checked.
    if (error instanceof DomainError && error.code === 'not_found') noSuchList(listId);
    throw error;
  }
}

/** Refuses `validation_failed` with every problem of the definition, whatever the promotion was before. */
async function check({ commands, workspaceId }: PromotionContext, definition: PromotionDefinition): Promise<void> {
  checkDefinition(definition);
  const listId = definition.numberListId;
  if (listId === undefined) return;
  if (!(await commands.query(numberList, listId, (list) => isOf(list, workspaceId)))) noSuchList(listId);
}

const isOf = (list: { status: string; workspaceId?: string | undefined }, workspaceId: string): boolean =>
  list.status === 'standing' && list.workspaceId === workspaceId;

function noSuchList(listId: string): never {
  const message = 'The store has no number list with this id.';
  return refuse('validation_failed', message, [{ message, location: 'body.numberListId', value: listId }]);
}

/** Creates a promotion. Refuses `validation_failed`, `promotion_limit_reached` and `coupon_code_taken`. */
export async function createPromotion(context: PromotionContext, id: string, fields: PromotionFields): Promise<void> {
  const definition = definitionOf(fields);
  await check(context, definition);
  const change = { id, attempt: context.newId('promotion attempt'), definition };
  const requested = { by: id, attempt: change.attempt, value: reservedCode(definition, context.now) };
  await createNamed(context, holdersOf(context), requested, async () => {
    await useList(context, change);
    await context.commands.decide(promotion, id, create(definition));
  });
}

type Free = (() => Promise<void>) | undefined;

async function listUse({ commands }: PromotionContext, id: string, listId: string): Promise<Free> {
  const hold = await commands.query(numberList, listId, (list) =>
    list.status === 'standing' ? list.users.get(id) : undefined,
  );
  if (hold === undefined) return undefined;
  return async () => {
    await commands.decide(numberList, listId, freeList(hold));
  };
}

/** Returns a function that frees what the promotion has before a change and not after it. */
async function released(
  context: PromotionContext,
  id: string,
  before: PromotionDefinition,
  after: PromotionDefinition,
): Promise<() => Promise<void>> {
  const code = couponKey(before);
  const dropsCode = code !== undefined && reservedCode(after, context.now) !== code;
  const list = before.numberListId;
  const dropsList = list !== undefined && after.numberListId !== list;
  const freeCode = dropsCode ? await currentName(context, holdersOf(context), code, id) : undefined;
  const freeUse = dropsList ? await listUse(context, id, list) : undefined;
  return async () => {
    await freeCode?.();
    await freeUse?.();
  };
}

/** Replaces the whole promotion. Refuses `not_found`, `validation_failed` and `coupon_code_taken`. */
export async function updatePromotion(context: PromotionContext, id: string, fields: PromotionFields): Promise<void> {
  const { commands, workspaceId, newId } = context;
  const after = definitionOf(fields);
  await check(context, after);
  await untilCurrent(async (attempt) => {
    const { definition: before, version } = await commands.query(promotion, id, (state) => {
      const { definition, version } = promotionOf(state, workspaceId);
      return { definition, version };
    });
    const changes = changedFields(before, after);
    const change = { id, attempt: newId(`promotion attempt ${attempt}`), definition: after };
    // A promotion that had ended may have lost its code. A later end needs it again.
    if ('code' in changes || 'kind' in changes || 'endsAt' in changes) await takeCode(context, change);
    if (after.numberListId !== before.numberListId) await useList(context, change);
    const free = await released(context, id, before, after);
    await commands.decide(promotion, id, revisePromotion(workspaceId, version, after));
    await free();
  });
}

/** Deletes a promotion. Refuses `not_found`. Orders that used it keep their discount. Its place, its code and its list become free. */
export async function deletePromotion(context: PromotionContext, id: string): Promise<void> {
  const { commands, workspaceId } = context;
  const { numberListId: list } = await commands.query(
    promotion,
    id,
    (state) => promotionOf(state, workspaceId).definition,
  );
  const freeUse = list === undefined ? undefined : await listUse(context, id, list);
  await commands.decide(promotion, id, remove(workspaceId));
  await freeHolderOf(context, holdersOf(context), id);
  await freeUse?.();
}
