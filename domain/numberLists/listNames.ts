/** Uniqueness of the names of a store's number lists, see domain/names.ts. */
import type { NameKind } from '../names.js';

export const listNames = {
  name: 'numberList',
  most: 500,
  full: { code: 'number_list_limit_reached', detail: 'The store has 500 number lists; delete one that is not needed.' },
  taken: {
    code: 'name_taken',
    detail: 'Another number list of the store has this name; names are compared without case.',
  },
} as const satisfies NameKind;
