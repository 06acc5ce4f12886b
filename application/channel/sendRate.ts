/** 80 messages a second and business number. (shared reference: 'Throughput'.) */
const PER_SECOND = 80;
const NUMBERS = 10_000;

export interface SendRate {
  /** Takes the next free place of a number and answers its time, ms since 1970: now, or later. */
  reserve(phoneNumberId: string, now: number): number;
}

/** The newest places of one number, as a ring: `places[next]` is the oldest. */
interface Places {
  readonly places: Float64Array;
  next: number;
  newest: number;
}

/**
 * At most `perSecond` messages of a number in any second, in memory. Places are given out in advance, so that a message
 * over the rate waits once, for its own place, instead of asking again and again.
 */
export function createSendRate(perSecond = PER_SECOND): SendRate {
  const numbers = new Map<string, Places>();
  const forgetIdle = (now: number): void => {
    for (const [number, { newest }] of numbers) if (newest <= now - 1_000) numbers.delete(number);
  };
  return {
    reserve(phoneNumberId, now) {
      let number = numbers.get(phoneNumberId);
      if (number === undefined) {
        if (numbers.size >= NUMBERS) forgetIdle(now);
        number = { places: new Float64Array(perSecond).fill(Number.NEGATIVE_INFINITY), next: 0, newest: 0 };
        numbers.set(phoneNumberId, number);
      }
      const place = Math.max(now, number.newest, number.places[number.next]! + 1_000);
      number.places[number.next] = place;
      number.next = (number.next + 1) % perSecond;
      number.newest = place;
      return place;
    },
  };
}
