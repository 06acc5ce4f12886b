/** Text that a spreadsheet would compute: an apostrophe in front makes it text again, in JavaScript and in SQL alike. */
import { quotedText } from './columns.js';

/** Also behind blanks. JavaScript and RE2 understand both patterns. */
const FORMULA = '^[\\s\\v\\p{Z}\ufeff]*[=+\\-@]|^[\\t\\r]';
const NUMBER = '^[+-]?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?$';

const formula = new RegExp(FORMULA, 'u');
const number = new RegExp(NUMBER, 'u');

export const withoutFormula = (text: string): string => (formula.test(text) && !number.test(text) ? `'${text}` : text);

/** The same of an expression of SQL whose value is text. */
export function withoutFormulaSql(text: string): string {
  const matches = (pattern: string): string => `regexp_matches(${text}, ${quotedText(pattern)})`;
  return `CASE WHEN ${matches(FORMULA)} AND NOT ${matches(NUMBER)} THEN concat('''', ${text}) ELSE ${text} END`;
}
