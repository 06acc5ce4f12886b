import { cpus, release, totalmem } from 'node:os';

export interface Figure {
  readonly name: string;
  readonly figure: number;
  readonly unit: string;
  /** The same work on a bare server, in the same run and unit; absent where there is none. */
  readonly reference?: number;
  /** What the reference is: 'bare Express'. */
  readonly beside?: string;
  readonly ratio?: number;
  readonly target: string;
  readonly reached: boolean;
}

/** What a figure stands beside: the same work done by something else, in the same run and unit. */
export interface Reference {
  /** 'bare Express'. */
  readonly of: string;
  readonly figure: number;
  /** How many times its figure shall be reached. */
  readonly factor: number;
}

/** A figure that shall be at least `factor` times another's. */
export function besideOther(name: string, figure: number, unit: string, other: Reference): Figure {
  const { of: beside, figure: reference, factor } = other;
  const ratio = figure / reference;
  const target = `${factor} × ${beside}`;
  return { name, figure, unit, reference, beside, ratio, target, reached: ratio >= factor };
}

/** A figure that shall be at least `factor` times a bare server's. */
export const besideBare = (name: string, figure: number, unit: string, reference: number, factor: number): Figure =>
  besideOther(name, figure, unit, { of: 'bare Express', figure: reference, factor });

export const atLeast = (name: string, figure: number, unit: string, target: number): Figure => ({
  name,
  figure,
  unit,
  target: `≥ ${target.toLocaleString('en')} ${unit}`,
  reached: figure >= target,
});

export const atMost = (name: string, figure: number, unit: string, target: number): Figure => ({
  name,
  figure,
  unit,
  target: `≤ ${target.toLocaleString('en')} ${unit}`,
  reached: figure <= target,
});

const number = (value: number | undefined): string =>
  value === undefined ? '' : value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : 0 });

export function machine(): string {
  const processor = cpus()[0]?.model ?? 'unknown processor';
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} cores (${processor}), ${memory} GiB, ${process.platform} ${release()}, Node ${process.version}`;
}

/** What the third column holds: of a part of the cases it may be one thing. */
const heading = (figures: readonly Figure[]): string =>
  [...new Set(figures.flatMap(({ beside }) => beside ?? []))].join(' or ') || 'reference';

/** The table of docs/performance.md. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map((f) =>
    [
      f.name,
      `${number(f.figure)} ${f.unit}`,
      f.reference === undefined ? '' : `${number(f.reference)} ${f.unit}`,
      f.ratio === undefined ? '' : f.ratio.toFixed(2),
      f.target,
      f.reached ? 'yes' : '**no**',
    ].join(' | '),
  );
  return [
    `| work | figure | ${heading(figures)} | ratio | reach | reached |`,
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}
