/** Result of a history command. */
import type { Difference } from '../../application/history/differences.js';
import type { HistoryEntry } from '../../application/history/historyEntries.js';
import type { HistoryKind } from '../../application/history/historySubjects.js';

export interface HistorySubject {
  readonly kind: HistoryKind;
  readonly id: string;
  readonly workspaceId?: string;
}

/** A page of what happened; `state`: as the API would have answered it then, with the first page alone. */
export interface HistoryResult extends HistorySubject {
  readonly state?: object;
  readonly events: readonly HistoryEntry[];
  /** For `--after`; absent at the end. */
  readonly next?: string;
}

export interface HistoryDiff extends HistorySubject {
  /** RFC 3339. */
  readonly from: string;
  readonly to: string;
  readonly changes: readonly Difference[];
}
