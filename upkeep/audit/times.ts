/** Plausibility of events' times: in the order of the log, and before the head that covers them. */

const SECOND = 1_000_000;
const shown = (microseconds: number): string => {
  const ms = Math.floor(microseconds / 1000);
  return Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : `${microseconds} µs`;
};

/** This many consecutive steps back mean a clock that was set back, which is reported once. */
const MOST_IN_A_ROW = 100;
/** So many events after a jump of time agree with it before it counts. */
const CONFIRMS = 3;

/** All times in microseconds since 1970. */
export class Times {
  readonly #tolerance: number;
  #newest = Number.NEGATIVE_INFINITY;
  /** The newest time before the last jump, and the number of events that have agreed with it since. */
  #before = Number.NEGATIVE_INFINITY;
  #confirmed = 0;
  #inARow = 0;

  /** `toleranceSeconds`: how far clocks may be apart, and an event may be written behind its decision. */
  constructor(toleranceSeconds: number) {
    this.#tolerance = toleranceSeconds * SECOND;
  }

  /** Fault of an event's time; `signedAt`: time of the first head that covers it. Absent: none. */
  fault(time: number, signedAt: number | undefined): string | undefined {
    if (signedAt !== undefined && time > signedAt + this.#tolerance)
      return `its time is ${shown(time)}, but the head that covers it was signed earlier, at ${shown(signedAt)}`;
    if (time >= this.#newest - this.#tolerance) return undefined;
    return `its time is ${shown(time)}, but an earlier event has the time ${shown(this.#newest)}`;
  }

  /** The same for an event that others are measured by from now on. */
  next(time: number, signedAt: number | undefined): string | undefined {
    const fault = this.fault(time, signedAt);
    if (fault === undefined) this.#accept(time);
    else if (time < this.#newest) this.#doubt(time);
    return fault;
  }

  #accept(time: number): void {
    this.#inARow = 0;
    this.#confirmed += 1;
    if (time <= this.#newest) return;
    if (time > this.#newest + this.#tolerance) {
      this.#before = this.#newest;
      this.#confirmed = 0;
    }
    this.#newest = time;
  }

  /** The previous event may have been too late: then the events behind it are not reported. */
  #doubt(time: number): void {
    this.#inARow += 1;
    const agrees = this.#confirmed < CONFIRMS && time >= this.#before - this.#tolerance;
    if (agrees || this.#inARow >= MOST_IN_A_ROW) this.#newest = Math.max(time, agrees ? this.#before : time);
  }
}
