/** Meaning of the provider's error codes for the caller. (shared reference: 'Outbound', table of codes; 'Rate'.) */
const RATE = new Set([4, 17, 32, 613, 80004, 80007, 80008, 80009, 80014, 130429]);
const PAIR_RATE = 131056;
const TRANSIENT = new Set([1, 2, 131000, 131016, 131057]);
const KNOWN_TERMINAL = new Set([
  0, 3, 10, 100, 190, 130403, 130472, 131005, 131008, 131009, 131026, 131047, 131048, 131049, 131050, 131062, 131064,
  132000, 132001, 132012, 132015, 132016,
]);

/** True if the same call may succeed later. Codes that the table does not list are judged by the HTTP status. */
export function mayRetry(code: number | undefined, httpStatus: number): boolean {
  if (code !== undefined) {
    if (RATE.has(code) || TRANSIENT.has(code) || code === PAIR_RATE) return true;
    if (KNOWN_TERMINAL.has(code) || (code >= 200 && code <= 299)) return false;
  }
  return httpStatus === 429 || httpStatus >= 500;
}
