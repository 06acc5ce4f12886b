import type { Operation } from '../../contract/operation.js';
import { compareHistoryOf } from './compareHistoryOf.js';
import { things } from './historySubjects.js';
import { listHistory } from './listHistory.js';
import { listHistoryOf } from './listHistoryOf.js';

export const historyOperations: readonly Operation[] = [
  listHistory,
  ...things.flatMap((thing) => [listHistoryOf(thing), compareHistoryOf(thing)]),
];
