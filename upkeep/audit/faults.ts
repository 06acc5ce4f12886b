/** What `suuq audit verify` finds, with its place. */
export type FaultKind =
  /** An event is not the one that the tree has there. */
  | 'changed'
  | 'removed'
  | 'added'
  /** It stands in another place of the order. */
  | 'reordered'
  /** Its time is not between those of its neighbours, or after the head that covers it. */
  | 'backdated'
  /** A signed head does not fit the log, or is not signed as it should be. */
  | 'head'
  /** What was signed when the log was moved and sealed does not hold. */
  | 'moved'
  /** What is kept of the tree does not follow from the log. */
  | 'tree'
  /** The log cannot be read. */
  | 'log';

export interface AuditFault {
  readonly kind: FaultKind;
  /** An event's position, stream and revision as far as they are known; a head's size. */
  readonly place: string;
  readonly what: string;
}

/** Told at most; all are counted. */
const MOST = 100;

export class AuditFaults {
  readonly list: AuditFault[] = [];
  count = 0;

  /** Whether further ones are only counted. */
  get full(): boolean {
    return this.list.length >= MOST;
  }

  add(kind: FaultKind, place: string, what: string): void {
    this.count += 1;
    if (!this.full) this.list.push({ kind, place, what });
  }
}
