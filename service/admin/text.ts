/** How results are written for people. */

/** What came from outside shall not steer the terminal. */
const plain = (cell: Cell): string => (cell === undefined ? '' : String(cell).replace(/[\p{Cc}\p{Cf}]/gu, ' '));

type Cell = string | number | boolean | undefined;

/** Columns as wide as their longest cell, with a head; `none` when there are no rows. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[], none: string): string {
  if (rows.length === 0) return none;
  const lines = [head, ...rows.map((row) => row.map(plain))];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** `name: value` lines, the values in one column; without those that are absent. */
export function facts(values: Readonly<Record<string, Cell>>): string {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${`${name}:`.padEnd(width + 1)} ${plain(value)}`).join('\n');
}

/** A list's text, and whether it was cut. */
export const listText = (text: string, more: boolean): string =>
  more ? `${text}\n… and more: the list was cut here.` : text;

/** `[#####-----]  50 %`; `share` from 0 to 1. */
export function bar(share: number, width = 24): string {
  const bounded = Math.min(1, Math.max(0, share));
  const filled = Math.floor(bounded * width);
  return `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}] ${String(Math.floor(bounded * 100)).padStart(3)} %`;
}

const UNITS = ['', 'k', 'M', 'G'] as const;

/** 1,234,567 → `1.2M`. */
export function short(count: number): string {
  let rest = count;
  let unit = 0;
  while (rest >= 1000 && unit < UNITS.length - 1) {
    rest /= 1000;
    unit += 1;
  }
  return unit === 0 ? String(rest) : `${rest.toFixed(1)}${UNITS[unit]}`;
}
