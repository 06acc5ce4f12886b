import { cpus, release, totalmem } from 'node:os';
import type { Cost, Load } from './load.js';
import { spread } from './spread.js';

export interface Figure {
  readonly name: string;
  readonly figure: number;
  readonly unit: string;
  /** The same work on a bare server, in the same run and unit; absent where there is none. */
  readonly reference?: number;
  /** Name of the reference: 'bare Express'. */
  readonly beside?: string;
  readonly ratio?: number;
  /** The same on `node:http` alone, and the cost of a request on each. */
  readonly plain?: { readonly figure: number; readonly ratio: number };
  readonly cost?: { readonly ours: Cost; readonly reference: Cost; readonly plain: Cost };
  readonly target: string;
  readonly reached: boolean;
}

/** Results of the bare servers in the same run. */
export interface Bare {
  readonly express: Load;
  readonly plain: Load;
}

/** Reference of a figure: the same work done by something else, in the same run and unit. */
export interface Reference {
  /** 'bare Express'. */
  readonly of: string;
  readonly figure: number;
  /** How many times its figure shall be reached. */
  readonly factor: number;
}

/** A figure that shall be at least `factor` times another's. */
export function comparedWith(name: string, figure: number, unit: string, other: Reference): Figure {
  const { of: baseline, figure: reference, factor } = other;
  const ratio = figure / reference;
  const target = `${factor} × ${baseline}`;
  return { name, figure, unit, reference, beside: baseline, ratio, target, reached: ratio >= factor };
}

/** Requests a second that shall be at least `factor` times those of a bare Express. */
export const comparedWithBare = (name: string, ours: Load, { express, plain }: Bare, factor: number): Figure => ({
  ...comparedWith(name, ours.perSecond, 'requests/s', { of: 'bare Express', figure: express.perSecond, factor }),
  plain: { figure: plain.perSecond, ratio: ours.perSecond / plain.perSecond },
  cost: { ours: ours.cost, reference: express.cost, plain: plain.cost },
});

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

/** A lower bound of a figure, since some of its results did not arrive within the time limit. */
export const unlessLate = (figure: Figure, isInTime: boolean): Figure => ({
  ...figure,
  reached: figure.reached && isInTime,
});

/** The p99 of waits that end after `boundMs`: such a wait counts as that long, and then the figure is not reached. */
export function p99Within(name: string, waits: readonly number[], boundMs: number, target: number): Figure {
  const bounded = waits.map((ms) => Math.min(ms, boundMs));
  const figure = atMost(name, spread(bounded).p99, 'ms', target);
  return unlessLate(
    figure,
    waits.every((ms) => ms < boundMs),
  );
}

const number = (value: number | undefined): string =>
  value === undefined ? '' : value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : 0 });

export function machine(): string {
  const processor = cpus()[0]?.model ?? 'unknown processor';
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} cores (${processor}), ${memory} GiB, ${process.platform} ${release()}, Node ${process.version}`;
}

/** Title of the third column: a part of the cases may have another reference. */
const heading = (figures: readonly Figure[]): string =>
  [...new Set(figures.flatMap(({ beside }) => beside ?? []))].join(' or ') || 'reference';

/** Selects for each figure the run with the median, among several runs of a case: of its ratio, if it has one. */
export function medians(runs: readonly (readonly Figure[])[]): Figure[] {
  const [first = []] = runs;
  return first.map((_, at) => {
    const ofAll = runs.map((run) => run[at]!).sort((a, b) => (a.ratio ?? a.figure) - (b.ratio ?? b.figure));
    return ofAll[Math.floor(ofAll.length / 2)]!;
  });
}

const costs = ({ server, generator }: Cost): string => `${number(server)} + ${number(generator)}`;

/** Cost of a request, for figures with bare servers as reference; empty if there are none. */
export function costTable(figures: readonly Figure[]): string {
  const rows = figures.flatMap(({ name, plain, cost }) =>
    plain === undefined || cost === undefined
      ? []
      : [
          [
            name,
            costs(cost.ours),
            costs(cost.reference),
            (cost.ours.server / cost.reference.server).toFixed(2),
            costs(cost.plain),
            `${number(plain.figure)} requests/s`,
            plain.ratio.toFixed(2),
          ].join(' | '),
        ],
  );
  if (rows.length === 0) return '';
  return [
    'Processor time of a request in µs, of the server (all its threads) + of who asks:',
    '',
    '| work | Suuq | bare Express | ratio of the servers | node:http | its figure | ratio to it |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

/** The table of docs/operating/performance.md. */
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
