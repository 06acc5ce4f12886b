/** Addresses on this machine that an operator admits for webhooks, each for a while: a developer's listener. */
import type { LocalListeners } from '../../application/ports/localListeners.js';

/** An admission that is not renewed ends after this, in ms: a listener that crashed leaves no way open. */
const LEASE_MS = 30_000;
const MOST = 32;

/** Keys are whole URLs, compared exactly. `now`: ms of a steady clock. */
export function createLocalListeners(now = (): number => performance.now()): LocalListeners {
  const until = new Map<string, number>();
  const admits = (url: string): boolean => (until.get(url) ?? Number.NEGATIVE_INFINITY) > now();
  return {
    admits,
    admit(url) {
      for (const known of until.keys()) if (!admits(known)) until.delete(known);
      if (until.size >= MOST && !until.has(url)) return false;
      until.set(url, now() + LEASE_MS);
      return true;
    },
    withdraw: (url) => void until.delete(url),
  };
}
