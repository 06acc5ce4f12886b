/** Texts as users see them, without the invisible characters that copying and typing add. */

/** Direction marks, zero-width spaces and joiners, soft hyphens and similar characters. */
const INVISIBLE = /\p{Cf}/gu;
const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]/;
/** Arabic-Indic digits, in their two forms. */
const ARABIC_DIGIT = /[\u0660-\u0669\u06f0-\u06f9]/g;

/** Returns the text without invisible characters and outer spaces. May be empty. */
export const visibleText = (text: string): string => text.replace(INVISIBLE, '').trim();

/** Returns true if the text contains a line break, which no name or code may have. */
export const hasLineBreak = (text: string): boolean => LINE_BREAK.test(text);

/** Returns the text with its digits as 0 to 9, whichever keyboard they were typed on. */
export const withPlainDigits = (text: string): string =>
  text.normalize('NFKC').replace(ARABIC_DIGIT, (digit) => String(digit.charCodeAt(0) & 0xf));
