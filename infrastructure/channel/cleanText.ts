/** Texts from outside: well-formed Unicode without NUL, of bounded length. */
const UNSTORABLE = /\p{Surrogate}|\u0000/gu;

/** At most `most` UTF-16 units, never half a character. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const high = text.charCodeAt(most - 1);
  return text.slice(0, high >= 0xd800 && high <= 0xdbff ? most - 1 : most);
}

/** At most `most` characters (code points). */
function cutCharacters(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = 0;
  for (let count = 0; count < most && end < text.length; count++) end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  return text.slice(0, end);
}

/** NUL and lone surrogates become the replacement character. */
export const wellFormed = (text: string): string => text.replace(UNSTORABLE, '\ufffd');

/** At most `most` characters (code points) of well-formed text: a longer one ends in an ellipsis. */
export function fitting(text: string, most: number): string {
  const clean = wellFormed(text);
  return cutCharacters(clean, most) === clean ? clean : `${cutCharacters(clean, most - 1)}…`;
}

/** Undefined for what is no string, or an empty one. */
export function cleanText(value: unknown, most: number): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  return cut(wellFormed(cut(value, most + 1)), most);
}
