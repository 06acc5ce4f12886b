/** Maximum messages per second and business number. (shared reference: 'Throughput'.) */
const PER_SECOND = 80;
const NUMBERS = 10_000;

export interface SendRate {
  /** Reserves the next free place of a number and returns its time, by the steady clock: now, or later. */
  reserve(phoneNumberId: string, now: number): number;
  /**
   * Pauses the number because the channel requests a lower rate: no message is sent before `until`, even with a reserved place. No effect
   * on a number without places.
   */
  pause(phoneNumberId: string, until: number): void;
  /** Returns the end of the pause. A time in the past if the number is not paused. */
  pausedUntil(phoneNumberId: string): number;
}

/** The newest places of one number, as a ring: `places[next]` is the oldest. */
interface Places {
  readonly places: Float64Array;
  next: number;
  newest: number;
  pausedUntil: number;
}

/**
 * Limits a number to `perSecond` messages in any second, in memory. Places are reserved in advance, so that a message over the rate waits
 * once, for its own place, instead of polling.
 */
export function createSendRate(perSecond = PER_SECOND): SendRate {
  const numbers = new Map<string, Places>();
  const forgetIdle = (now: number): void => {
    for (const [number, { newest, pausedUntil }] of numbers)
      if (newest <= now - 1_000 && pausedUntil <= now) numbers.delete(number);
  };
  return {
    reserve(phoneNumberId, now) {
      let number = numbers.get(phoneNumberId);
      if (number === undefined) {
        if (numbers.size >= NUMBERS) forgetIdle(now);
        const places = new Float64Array(perSecond).fill(Number.NEGATIVE_INFINITY);
        number = { places, next: 0, newest: Number.NEGATIVE_INFINITY, pausedUntil: 0 };
        numbers.set(phoneNumberId, number);
      }
      const place = Math.max(now, number.newest, number.pausedUntil, number.places[number.next]! + 1_000);
      number.places[number.next] = place;
      number.next = (number.next + 1) % perSecond;
      number.newest = place;
      return place;
    },
    pause(phoneNumberId, until) {
      const number = numbers.get(phoneNumberId);
      if (number !== undefined) number.pausedUntil = Math.max(number.pausedUntil, until);
    },
    pausedUntil: (phoneNumberId) => numbers.get(phoneNumberId)?.pausedUntil ?? 0,
  };
}
