/** Findings of `suuq audit verify`, with their places. */
export type FaultKind =
  /** An event is not the one that the tree has there. */
  | 'changed'
  | 'removed'
  | 'added'
  /** Its position in the order differs. */
  | 'reordered'
  /** Its time is not between those of its neighbours, or after the head that covers it. */
  | 'backdated'
  /** A signed head does not fit the log, or is not signed as it should be. */
  | 'head'
  /** The signed statement of a sealing move is wrong. */
  | 'moved'
  /** The stored tree does not follow from the log. */
  | 'tree'
  /** The log cannot be read. */
  | 'log';

export interface AuditFault {
  readonly kind: FaultKind;
  /** An event's position, stream and revision as far as they are known; a head's size. */
  readonly place: string;
  readonly what: string;
}

/** Maximum number of listed faults; all are counted. */
const MOST = 100;

export class AuditFaults {
  readonly list: AuditFault[] = [];
  count = 0;

  /** True if further faults are only counted. */
  get full(): boolean {
    return this.list.length >= MOST;
  }

  add(kind: FaultKind, place: string, what: string): void {
    this.count += 1;
    if (!this.full) this.list.push({ kind, place, what });
  }
}
