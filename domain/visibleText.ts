/** Texts as people see them: what is copied or typed brings characters along that nobody sees. */

/** Marks of direction, zero-width spaces and joiners, soft hyphens and the like. */
const INVISIBLE = /\p{Cf}/gu;
const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]/;
/** Arabic-Indic digits, in their two forms. */
const ARABIC_DIGIT = /[\u0660-\u0669\u06f0-\u06f9]/g;

/** The text without what nobody sees, and without outer spaces; empty where nothing is left. */
export const visibleText = (text: string): string => text.replace(INVISIBLE, '').trim();

/** Whether a text goes over several lines, which no name or code does. */
export const hasLineBreak = (text: string): boolean => LINE_BREAK.test(text);

/** The text with its digits as 0 to 9, whichever keyboard they were typed on. */
export const withPlainDigits = (text: string): string =>
  text.normalize('NFKC').replace(ARABIC_DIGIT, (digit) => String(digit.charCodeAt(0) & 0xf));
