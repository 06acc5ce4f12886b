/** What a chart is made of: its series, its axes and its values. */

export interface ChartSeries {
  readonly name: string;
  /** A variable of the stylesheet, such as `--green`. */
  readonly colour: string;
  readonly drawn: 'line' | 'dots' | 'crosses';
}

/** What does not change while a chart is shown. */
export interface ChartLook {
  readonly series: readonly ChartSeries[];
  /** What the axes say, such as `time, UTC` and `ms`. */
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
  /** Of each series, one a time; null: it has none. */
  readonly values: readonly (readonly (number | null)[])[];
}
