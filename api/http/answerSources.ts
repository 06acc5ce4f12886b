/** Dependencies of an answer besides the request and the caller's access, recorded while the operation runs. */
import type { Moment } from '../../engine/projections/viewChanges.js';

export class AnswerSources {
  /** Taken before the first of its queries. */
  readonly moment: Moment;
  /** The projections that it has read. */
  readonly projections: string[] = [];
  /** False after a read of anything that may change and is no projection, such as the clock or another service. */
  onlyViews = true;

  constructor(moment: Moment) {
    this.moment = moment;
  }

  view(projection: string): void {
    if (!this.projections.includes(projection)) this.projections.push(projection);
  }

  other(): void {
    this.onlyViews = false;
  }
}
