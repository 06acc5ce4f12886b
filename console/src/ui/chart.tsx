/** Values over time with their axes, what each mark means, and the same said in words for who does not see it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { DrawnChart } from './uplotChart.js';

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

interface ChartProps {
  readonly look: ChartLook;
  readonly data: ChartData;
  /** All of it in a sentence. */
  readonly words: string;
  /** One of the values, in words. */
  saidOf(index: number): string;
}

export function Chart({ look, data, words, saidOf }: ChartProps) {
  const host = useRef<HTMLDivElement>(null);
  const drawn = useRef<DrawnChart | undefined>(undefined);
  const newest = useRef(data);
  newest.current = data;
  const [pointed, setPointed] = useState<number>();
  const [failed, setFailed] = useState(false);
  const key = JSON.stringify(look);
  useEffect(() => {
    let isGone = false;
    import('./uplotChart.js').then(
      ({ drawChart }) => {
        if (!isGone && host.current !== null) drawn.current = drawChart(host.current, look, newest.current, setPointed);
      },
      () => !isGone && setFailed(true),
    );
    return () => {
      isGone = true;
      drawn.current?.end();
      drawn.current = undefined;
    };
  }, [key]);
  useEffect(() => drawn.current?.update(data), [data]);
  const isKnown = pointed !== undefined && pointed < data.at.length;
  return (
    <div class="chart">
      <ul class="chart-legend" aria-label="What is drawn">
        {look.series.map(({ name, colour, drawn: how }) => (
          <li key={name}>
            <span class={`swatch ${how}`} style={{ color: `var(${colour})` }} aria-hidden="true" /> {name}
          </li>
        ))}
      </ul>
      <div ref={host} class="chart-canvas" style={{ height: `${look.height}px` }} role="img" aria-label={words} />
      <p class="fine chart-said">
        {failed ? 'The drawing could not be loaded. ' : ''}
        {isKnown ? saidOf(pointed) : words}
      </p>
    </div>
  );
}
