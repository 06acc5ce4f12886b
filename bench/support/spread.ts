export interface Spread {
  readonly least: number;
  readonly median: number;
  /** The 99th percentile. */
  readonly p99: number;
  readonly most: number;
}

/** Without figures each is NaN, which reaches no target. */
export function spread(figures: readonly number[]): Spread {
  const sorted = figures.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
  return { least: at(0), median: at(0.5), p99: at(0.99), most: sorted.at(-1) ?? Number.NaN };
}
