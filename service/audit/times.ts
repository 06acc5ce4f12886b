/** Whether the times of events can be right: in the order of the log, and before the head that covers them. */

const SECOND = 1_000_000;
const shown = (microseconds: number): string => {
  const ms = Math.floor(microseconds / 1000);
  return Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : `${microseconds} µs`;
};

/** So many in a row that go back are a clock that was set back, and told once. */
const MOST_IN_A_ROW = 100;

/** All times in microseconds since 1970. */
export class Times {
  readonly #tolerance: number;
  #newest = Number.NEGATIVE_INFINITY;
  #inARow = 0;

  /** `toleranceSeconds`: how far clocks may be apart, and an event may be written behind its decision. */
  constructor(toleranceSeconds: number) {
    this.#tolerance = toleranceSeconds * SECOND;
  }

  /** What is wrong with the time of the next event; `signedAt`: of the first head that covers it. */
  next(time: number, signedAt: number | undefined): string | undefined {
    if (signedAt !== undefined && time > signedAt + this.#tolerance)
      return `its time is ${shown(time)}, and the head that covers it was signed before, at ${shown(signedAt)}`;
    if (time >= this.#newest - this.#tolerance) {
      if (time > this.#newest) this.#newest = time;
      this.#inARow = 0;
      return undefined;
    }
    const said = `its time is ${shown(time)}, and an event before it is of ${shown(this.#newest)}`;
    this.#inARow += 1;
    if (this.#inARow >= MOST_IN_A_ROW) this.#newest = time;
    return said;
  }
}
