/** Values over time with axes and legend, and the same as text for screen readers. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChartData, ChartOptions } from './chartData.js';
import type { DrawnChart } from './uplotChart.js';

interface ChartProps {
  readonly options: ChartOptions;
  readonly data: ChartData;
  /** All of it in a sentence. */
  readonly words: string;
  /** One of the values, in words. */
  labelOf(index: number): string;
}

export function Chart({ options, data, words, labelOf }: ChartProps) {
  const host = useRef<HTMLDivElement>(null);
  const drawn = useRef<DrawnChart | undefined>(undefined);
  const newest = useRef(data);
  newest.current = data;
  const [pointed, setPointed] = useState<number>();
  const [failed, setFailed] = useState(false);
  const key = JSON.stringify(options);
  useEffect(() => {
    let isGone = false;
    import('./uplotChart.js').then(
      ({ drawChart }) => {
        if (!isGone && host.current !== null)
          drawn.current = drawChart(host.current, options, newest.current, setPointed);
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
      <ul class="chart-legend" aria-label="Legend">
        {options.series.map(({ name, colour, drawn: how }) => (
          <li key={name}>
            <span class={`swatch ${how}`} style={{ color: `var(${colour})` }} aria-hidden="true" /> {name}
          </li>
        ))}
      </ul>
      <div ref={host} class="chart-canvas" style={{ height: `${options.height}px` }} role="img" aria-label={words} />
      <p class="fine chart-said">
        {failed ? 'The chart could not be loaded. ' : ''}
        {isKnown ? labelOf(pointed) : words}
      </p>
    </div>
  );
}
