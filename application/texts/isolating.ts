/** How a value that is put into a sentence keeps its own direction, and the sentence keeps its order. (UAX #9.) */

/** Blocks whose letters run from right to left, and the controls of direction. */
const TURNS =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const OPENS = /[\u2066-\u2068]/;
const CLOSE = '\u2069';

/** The value in an isolate that it cannot leave: what it closes too often is taken out, what it leaves open is closed. */
export function isolated(value: string): string {
  let open = 0;
  const own = value.replace(/[\u2066-\u2069]/g, (control) => {
    if (OPENS.test(control)) open += 1;
    else if (open === 0) return '';
    else open -= 1;
    return control;
  });
  return `\u2068${own}${CLOSE.repeat(open)}${CLOSE}`;
}

/** For sentences that run from left to right: isolates only what would turn them round. */
export const isolatedWhereNeeded = (value: string): string => (TURNS.test(value) ? isolated(value) : value);
