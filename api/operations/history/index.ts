import type { Operation } from '../../contract/operation.js';
import { compareHistoryOf } from './compareHistoryOf.js';
import { listHistory } from './listHistory.js';
import { listHistoryOf } from './listHistoryOf.js';
import { things } from './things.js';

export const historyOperations: readonly Operation[] = [
  listHistory,
  ...things.flatMap((thing) => [listHistoryOf(thing), compareHistoryOf(thing)]),
];
