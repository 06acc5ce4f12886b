/** Texts from outside: well-formed Unicode without NUL, of bounded length. Lengths are in characters (code points). */
const UNSTORABLE = /\p{Surrogate}|\u0000/gu;

/** At most `most` characters (code points). */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = 0;
  for (let count = 0; count < most && end < text.length; count++) end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  return text.slice(0, end);
}

/** NUL and lone surrogates become the replacement character. */
export const wellFormed = (text: string): string => text.replace(UNSTORABLE, '\ufffd');

/** At most `most` characters of well-formed text: a longer one ends in an ellipsis. */
export function fitting(text: string, most: number): string {
  const clean = wellFormed(text);
  return cut(clean, most) === clean ? clean : `${cut(clean, most - 1)}…`;
}

/** Undefined for what is no string, or an empty one. Cuts: use `InboundTexts` for what a customer sent. */
export function cleanText(value: unknown, most: number): string | undefined {
  return typeof value !== 'string' || value === '' ? undefined : wellFormed(cut(value, most));
}
