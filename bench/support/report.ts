import { cpus, release, totalmem } from 'node:os';

export interface Figure {
  readonly name: string;
  readonly figure: number;
  readonly unit: string;
  /** The same work on a bare server, in the same run and unit; absent where there is none. */
  readonly reference?: number;
  readonly ratio?: number;
  readonly target: string;
  readonly reached: boolean;
}

/** A figure that shall be at least `factor` times a bare server's. */
export function besideBare(name: string, figure: number, unit: string, reference: number, factor: number): Figure {
  const ratio = figure / reference;
  return { name, figure, unit, reference, ratio, target: `${factor} × bare Express`, reached: ratio >= factor };
}

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
    '| work | figure | bare Express | ratio | reach | reached |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}
