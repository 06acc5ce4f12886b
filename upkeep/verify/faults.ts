/** Faults with their places. */
export interface Fault {
  readonly part: 'files' | 'log' | 'events' | 'keys' | 'projections' | 'checkpoints' | 'snapshots';
  /** An event's position, a document, a name. */
  readonly place: string;
  readonly what: string;
}

/** Maximum number of listed faults; all are counted. */
const MOST = 100;

/** Gathers faults, however many there are. */
export class Faults {
  readonly list: Fault[] = [];
  count = 0;

  add(part: Fault['part'], place: string, what: string): void {
    this.count += 1;
    if (this.list.length < MOST) this.list.push({ part, place, what });
  }

  /** Number of further faults that can be listed. */
  get room(): number {
    return Math.max(1, MOST - this.list.length);
  }
}
