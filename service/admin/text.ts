/** How results are written for people: as blocks, which the terminal's width then lays out (layout.ts). */

export type Cell = string | number | boolean | undefined;

/** Rows below a head; `none` when there are no rows. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly none: string;
}

/** A sentence behind a lead; its further lines align with the first. */
export interface Note {
  readonly lead: string;
  readonly note: string;
}

/** Lines of text, or blocks below each other. */
export type Shown = string | Table | Note | readonly Shown[];

/** Foreign text must not control the terminal. */
export const plain = (cell: Cell): string => (cell === undefined ? '' : String(cell).replace(/[\p{Cc}\p{Cf}]/gu, ' '));

export const table = (head: readonly string[], rows: readonly (readonly Cell[])[], none: string): Table => ({
  head,
  rows,
  none,
});

/** A whole number as people read it: 12,345. By hand: the first that a process writes by its locale takes a fiftieth of a start. */
export const count = (number: number): string => String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** `name: value` lines, the values in one column; without those that are absent. */
export function facts(values: Readonly<Record<string, Cell>>): readonly Note[] {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => ({ lead: `${`${name}:`.padEnd(width + 1)} `, note: plain(value) }));
}

/** A list, and whether it was cut. */
export const listText = (list: Table, more: boolean): Shown =>
  more ? [list, '… and more. The list is truncated here.'] : list;

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
