/** How the demo meets a service that is unavailable for a while: its client repeats calls, as every client of the API may. */
import type { TransportOptions } from '../../client/src/index.js';

/** Longest time that any step may take, in ms: a store that the service needs may be unavailable for a minute of it. */
export const STEP_MS = 120_000;

/** Requests that were answered 503, all of which were repeated. */
let unavailable = 0;

/** Sends a request. Throws for a 503 that does not name the time of the next try. */
async function watched(url: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(url, init);
  if (answer.status !== 503) return answer;
  if (!/^\d+$/.test(answer.headers.get('retry-after') ?? ''))
    throw new TypeError(`${init.method} ${url} was answered 503 without a Retry-After.`);
  unavailable += 1;
  return answer;
}

/** Options of the demo's clients: a call is repeated as long as a step may take. */
export const PATIENT = {
  fetch: watched,
  retries: STEP_MS / 1000,
  longestWaitMs: 5_000,
} as const satisfies Partial<TransportOptions>;

/** Describes the requests that were repeated; undefined if there were none. */
export const repeated = (): string | undefined =>
  unavailable === 0 ? undefined : `${unavailable} requests were answered 503 with Retry-After, and repeated.`;

/** True if a command failed because a store was unavailable: it is retried too. */
export const isPassing = (stderr: string): boolean => /(?:^|"code":\s*")(?:unavailable|service_silent)\b/m.test(stderr);
