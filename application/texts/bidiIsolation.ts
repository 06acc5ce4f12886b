/** Isolates a value in a sentence, so that the value has its own direction and the sentence keeps its order. (UAX #9.) */

/** Blocks of right-to-left letters, and direction controls. */
const TURNS =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const OPENS = /[\u2066-\u2068]/;
const CLOSE = '\u2069';

/** Returns the value in an isolate that it cannot leave: surplus closing controls are removed, missing ones are added. */
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

/** Isolates only values that would change the order of a left-to-right sentence. */
export const isolatedWhereNeeded = (value: string): string => (TURNS.test(value) ? isolated(value) : value);
