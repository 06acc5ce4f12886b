/** Tables as files that spreadsheets open. */

/** Text that a spreadsheet would compute, also behind blanks; as in downloads of the command line. */
const FORMULA = /^[\s\v\p{Z}\ufeff]*[=+\-@]|^[\t\r]/u;
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/u;

/** Quotes a cell by RFC 4180. A text that a spreadsheet would run as a formula gets an apostrophe in front. */
function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csvOf = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');

/** Returns an address of the file, for a link that downloads it. The mark at its beginning names UTF-8. */
export const csvUrl = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  `data:text/csv;charset=utf-8,${encodeURIComponent(`\uFEFF${csvOf(head, rows)}`)}`;
