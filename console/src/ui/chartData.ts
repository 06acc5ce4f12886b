/** Series, axes and values of a chart. */

export interface ChartSeries {
  readonly name: string;
  /** A variable of the stylesheet, such as `--green`. */
  readonly colour: string;
  readonly drawn: 'line' | 'dots' | 'crosses';
}

/** Properties that do not change while a chart is shown. */
export interface ChartOptions {
  readonly series: readonly ChartSeries[];
  /** Titles of the axes, such as `time, UTC` and `ms`. */
  readonly across: string;
  readonly up: string;
  readonly zone: string;
  /** In px. */
  readonly height: number;
  /** Up to where the vertical axis goes at least. */
  readonly least: number;
  /** The vertical axis goes by tens, from 1 up: a value below is drawn as 1. */
  readonly tens?: true;
}

export interface ChartData {
  /** Seconds since 1970, rising. */
  readonly at: readonly number[];
  /** Values of each series, one per time; null for none. */
  readonly values: readonly (readonly (number | null)[])[];
}
