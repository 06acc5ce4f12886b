/** A store's list of customer numbers, to which promotions are offered. Events: numberListEvents.ts. */

import { type Aggregate, type Decision, refuse, type WithMeta } from '../decider.js';
import { defined } from '../defined.js';
import { type Hold, holdOf, STALE_CHANGE } from '../hold.js';
import type { NumberListChanges, NumberListEvent, NumberListTerms } from './numberListEvents.js';

// Events: NumberListEvent in numberListEvents.ts -----------------------------------------------------------------

// State: only what decisions need --------------------------------------------------------------------------------
export interface ExistingList {
  readonly status: 'standing';
  readonly workspaceId: string | undefined;
  readonly terms: NumberListTerms;
  /** In the order in which they were added. */
  readonly phones: Set<string>;
  /** Number of changes of its terms or numbers. */
  readonly version: number;
  /** Promotions that use it, or are about to. */
  readonly users: Map<string, Hold>;
}
export type NumberList = { readonly status: 'absent' } | { readonly status: 'deleted' } | ExistingList;

type Of<T extends NumberListEvent['type']> = WithMeta<Extract<NumberListEvent, { type: T }>>;

/** Returns the terms after a change. */
export function changed({ name, kind, minOrders }: NumberListTerms, changes: NumberListChanges): NumberListTerms {
  const after = changes.minOrders === undefined ? minOrders : (changes.minOrders ?? undefined);
  return {
    name: changes.name ?? name,
    kind: changes.kind ?? kind,
    ...defined({ minOrders: after }),
  };
}

function created({ data: { phones, ...terms }, meta }: Of<'NumberListCreated'>): ExistingList {
  const { workspaceId } = meta;
  return { status: 'standing', workspaceId, terms, phones: new Set(phones), version: 1, users: new Map() };
}

function revised(list: ExistingList, { data }: Of<'NumberListRevised'>): ExistingList {
  for (const phone of data.removed) list.phones.delete(phone);
  for (const phone of data.added) list.phones.add(phone);
  return { ...list, terms: changed(list.terms, data.changes), version: list.version + 1 };
}

function evolve(list: NumberList, event: WithMeta<NumberListEvent>): NumberList {
  if (event.type === 'NumberListCreated') return created(event);
  if (list.status !== 'standing') return list;
  switch (event.type) {
    case 'NumberListRevised':
      return revised(list, event);
    case 'NumberListDeleted':
      return { status: 'deleted' };
    case 'NumberListTaken':
      list.users.set(event.data.by, holdOf(event));
      return list;
    case 'NumberListFreed':
      list.users.delete(event.data.by);
      return list;
  }
}

const PHONE_BYTES = 100;

/** Stream `numberList-{listId}`. */
export const numberList: Aggregate<NumberList, NumberListEvent> = {
  name: 'numberList',
  initial: () => ({ status: 'absent' }),
  evolve,
  weigh: (list) => (list.status === 'standing' ? 1_000 + list.phones.size * PHONE_BYTES + list.users.size * 200 : 200),
};

/** Normalizes a name for comparing and sorting: without case, outer spaces or ways to compose a letter. */
export const nameKey = (name: string): string => name.trim().normalize('NFKC').toLowerCase();

// Decisions ------------------------------------------------------------------------------------------------------
type ListDecision = Decision<NumberList, NumberListEvent>;

/** Returns the store's list. Refuses `not_found`, also for another store's list. */
export const existingList = (list: NumberList, workspaceId: string): ExistingList =>
  list.status === 'standing' && list.workspaceId === workspaceId
    ? list
    : refuse('not_found', 'The store has no such number list.');

/** Creates the list. Repeating it changes nothing. */
export const createList =
  (terms: NumberListTerms, phones: readonly string[]): ListDecision =>
  (list) =>
    list.status === 'absent' ? [{ type: 'NumberListCreated', data: { ...terms, phones: [...new Set(phones)] } }] : [];

/** Replaces terms and numbers. Refuses `stale_change` if the list has changed since `version`, so that the caller reads it again. */
export const reviseList =
  (workspaceId: string, version: number, terms: NumberListTerms, phones: readonly string[]): ListDecision =>
  (state) => {
    const list = existingList(state, workspaceId);
    if (list.version !== version) refuse(STALE_CHANGE, 'The list was changed by another request.');
    const requested = new Set(phones);
    const added = [...requested].filter((phone) => !list.phones.has(phone));
    const removed = [...list.phones].filter((phone) => !requested.has(phone));
    const { changes, before } = difference(list.terms, terms);
    if (added.length === 0 && removed.length === 0 && Object.keys(changes).length === 0) return [];
    return [{ type: 'NumberListRevised', data: { changes, before, added, removed } }];
  };

function difference(before: NumberListTerms, after: NumberListTerms) {
  const fields = (['name', 'kind', 'minOrders'] as const).filter((field) => before[field] !== after[field]);
  const of = (terms: NumberListTerms): NumberListChanges =>
    Object.fromEntries(fields.map((field) => [field, terms[field] ?? null]));
  return { changes: of(after), before: of(before) };
}

/** Deletes the list. `unused`: attempts of promotions that turned out not to use it. Refuses `promotion_in_use` if there are others. */
export const deleteList =
  (workspaceId: string, unused: ReadonlySet<string>): ListDecision =>
  (state) => {
    const list = existingList(state, workspaceId);
    if ([...list.users.values()].some(({ attempt }) => !unused.has(attempt)))
      refuse('promotion_in_use', 'A promotion uses this number list: delete the promotion or give it another list.');
    return [{ type: 'NumberListDeleted', data: { name: list.terms.name } }];
  };

/** Reserves the list for a promotion. Refuses `not_found`. */
export const takeList =
  (workspaceId: string, by: string, attempt: string): ListDecision =>
  (state) => {
    const list = existingList(state, workspaceId);
    return list.users.get(by)?.attempt === attempt ? [] : [{ type: 'NumberListTaken', data: { by, attempt } }];
  };

/** Ends the use by a promotion. No event if a later change of the promotion has reserved it again. */
export const freeList =
  ({ by, attempt }: Pick<Hold, 'by' | 'attempt'>): ListDecision =>
  (list) =>
    list.status === 'standing' && list.users.get(by)?.attempt === attempt
      ? [{ type: 'NumberListFreed', data: { by, attempt } }]
      : [];
