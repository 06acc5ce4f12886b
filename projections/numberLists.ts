import { defined } from '../domain/defined.js';
import { changed, nameKey } from '../domain/numberLists/numberList.js';
import type { NumberListEvent, NumberListTerms } from '../domain/numberLists/numberListEvents.js';
import type { PromotionEvent } from '../domain/promotions/promotionEvents.js';
import { defineProjection, type View } from '../engine/projections/projection.js';

/** The API's `NumberListBody` without its numbers. (Specification 1, 'Number list'.) */
export interface NumberListBody extends NumberListTerms {
  readonly id: string;
  /** Numbers in an uploaded list. */
  readonly size: number;
  /** Promotions that use the list. */
  readonly usedBy: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

type ListView = View<NumberListBody>;

type Counted = Omit<NumberListBody, keyof NumberListTerms>;

function bodyOf({ name, kind, minOrders }: NumberListTerms, counted: Counted): NumberListBody {
  const { id, size, usedBy, createdAt, updatedAt } = counted;
  return { id, name, kind, ...defined({ minOrders }), size, usedBy, createdAt, updatedAt };
}

function used(view: ListView | undefined, by: number): ListView | undefined {
  return view && { keys: view.keys, body: { ...view.body, usedBy: view.body.usedBy + by } };
}

const listIn = (listId: string | null | undefined): readonly string[] =>
  listId === undefined || listId === null ? [] : [listId];

/** One document a list, for lists by name; what uses it comes from the promotions themselves. */
export const numberLists = defineProjection<NumberListBody, NumberListEvent | PromotionEvent>({
  name: 'numberLists',
  version: 1,
  partitionedBy: 'store',
  categories: ['numberList', 'promotion'],
  keys: { workspaceId: 'text', nameKey: 'text' },
  indexes: [{ keys: ['workspaceId', 'nameKey'] }],
  on: {
    NumberListCreated: (_, { data, meta, streamId }) => ({
      keys: { workspaceId: meta.workspaceId ?? null, nameKey: nameKey(data.name) },
      body: bodyOf(data, {
        id: streamId,
        size: data.phones.length,
        usedBy: 0,
        createdAt: meta.at,
        updatedAt: meta.at,
      }),
    }),
    NumberListRevised(view, { data, meta }) {
      if (view === undefined) return undefined;
      const { added, removed, changes } = data;
      const before = view.body;
      const terms = changed(before, changes);
      const size = before.size + added.length - removed.length;
      return {
        keys: { ...view.keys, nameKey: nameKey(terms.name) },
        body: bodyOf(terms, { ...before, size, updatedAt: meta.at }),
      };
    },
    NumberListDeleted: () => undefined,
    PromotionCreated: {
      ids: ({ data }) => listIn(data.definition.numberListId),
      evolve: (view) => used(view, 1),
    },
    PromotionRevised: {
      ids: ({ data: { definition, before } }) =>
        before.numberListId === undefined ? [] : [...listIn(definition.numberListId), ...listIn(before.numberListId)],
      evolve: (view, { data }, id) => used(view, data.definition.numberListId === id ? 1 : -1),
    },
    PromotionDeleted: {
      ids: ({ data }) => listIn(data.definition.numberListId),
      evolve: (view) => used(view, -1),
    },
  },
});

/** The numbers of one list, apart from the list of lists: 10,000 of them are 160 kB. */
export const numberListPhones = defineProjection<readonly string[], NumberListEvent>({
  name: 'numberListPhones',
  version: 1,
  partitionedBy: 'store',
  categories: ['numberList'],
  keys: {},
  indexes: [],
  on: {
    NumberListCreated: (_, { data }) => ({ keys: {}, body: data.phones }),
    NumberListRevised(view, { data: { added, removed } }) {
      if (view === undefined || added.length + removed.length === 0) return view;
      const gone = new Set(removed);
      return { keys: {}, body: [...view.body.filter((phone) => !gone.has(phone)), ...added] };
    },
    NumberListDeleted: () => undefined,
  },
});
