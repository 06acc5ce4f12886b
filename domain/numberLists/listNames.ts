/** Uniqueness of the names of a store's number lists, see domain/names.ts. */
import type { NameKind } from '../names.js';

export const listNames = {
  name: 'numberList',
  most: 500,
  full: {
    code: 'number_list_limit_reached',
    detail: 'The store has reached the limit of 500 number lists. Delete an unused list.',
  },
  taken: {
    code: 'name_taken',
    detail: 'Another number list of the store has this name. Names are not case-sensitive.',
  },
} as const satisfies NameKind;
