/** What an answer was made of, beside the request's own words and who asks: noted while its operation runs. */
import type { Moment } from '../../engine/projections/viewChanges.js';

export class MadeOf {
  /** Taken before the first of its queries. */
  readonly moment: Moment;
  /** The projections that it has read. */
  readonly projections: string[] = [];
  /** False once it has looked at anything that may change and is no projection: the clock, say, or another service. */
  ofViewsAlone = true;

  constructor(moment: Moment) {
    this.moment = moment;
  }

  view(projection: string): void {
    if (!this.projections.includes(projection)) this.projections.push(projection);
  }

  other(): void {
    this.ofViewsAlone = false;
  }
}
