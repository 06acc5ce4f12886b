import type { Operation } from '../../contract/operation.js';
import { createNumberList } from './createNumberList.js';
import { deleteNumberList } from './deleteNumberList.js';
import { getNumberList } from './getNumberList.js';
import { listNumberLists } from './listNumberLists.js';
import { updateNumberList } from './updateNumberList.js';

export const numberListOperations: readonly Operation[] = [
  listNumberLists,
  createNumberList,
  getNumberList,
  updateNumberList,
  deleteNumberList,
];
