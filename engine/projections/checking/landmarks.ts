import type { Position } from '../../ports/eventStore.js';

const MOST = 256;

/** Evenly spread positions of events that were read. If positions do not count events, reads can begin only there. */
export class Landmarks {
  #byBucket = new Map<number, Position>();
  #width = 1;

  add(position: Position): void {
    this.#byBucket.set(Math.floor(position / this.#width), position);
    while (this.#byBucket.size > MOST) this.#widen();
  }

  positions(): Position[] {
    return [...this.#byBucket.values()];
  }

  #widen(): void {
    this.#width *= 2;
    this.#byBucket = new Map([...this.#byBucket.values()].map((one) => [Math.floor(one / this.#width), one]));
  }
}
