import type { SteadyClock } from '../ports/clock.js';

const WINDOW_MS = 5000;
const SLICE_MS = 250;

/** Events, and distance in positions, per second over the last five seconds. */
export class RateMeter {
  readonly #clock: SteadyClock;
  #slices: { at: number; events: number; positions: number }[] = [];

  constructor(clock: SteadyClock) {
    this.#clock = clock;
  }

  add(events: number, positions: number): void {
    const now = this.#clock.now();
    const last = this.#slices.at(-1);
    if (last !== undefined && now - last.at < SLICE_MS) {
      last.events += events;
      last.positions += positions;
    } else {
      this.#slices.push({ at: now, events, positions });
      this.#forget(now);
    }
  }

  perSecond(): { events: number; positions: number } {
    const now = this.#clock.now();
    this.#forget(now);
    const first = this.#slices[0];
    if (first === undefined) return { events: 0, positions: 0 };
    const seconds = Math.max(SLICE_MS, now - first.at) / 1000;
    const sum = (of: 'events' | 'positions') => this.#slices.reduce((total, slice) => total + slice[of], 0);
    return { events: sum('events') / seconds, positions: sum('positions') / seconds };
  }

  #forget(now: number): void {
    if ((this.#slices[0]?.at ?? now) < now - WINDOW_MS)
      this.#slices = this.#slices.filter((slice) => slice.at >= now - WINDOW_MS);
  }
}
