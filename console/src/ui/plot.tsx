/** A value over the last minutes, as a line. */
import { Chart } from './chart.js';
import { clock, span } from './format.js';

export interface Sample {
  /** ms since 1970. */
  readonly at: number;
  readonly value: number;
}

/** How far back a plot goes, in ms. */
export const PLOTTED_MS = 5 * 60_000;

interface PlotProps {
  readonly title: string;
  /** Unit of the vertical axis, such as `events`. */
  readonly unit: string;
  /** In order. */
  readonly samples: readonly Sample[];
  /** Formats a value. */
  format(value: number): string;
}

export function Plot({ title, unit, samples, format }: PlotProps) {
  const last = samples.at(-1);
  if (last === undefined) return null;
  const most = Math.max(...samples.map(({ value }) => value));
  const since = last.at - samples[0]!.at;
  const lately = since === 0 ? '' : `, ${format(most)} at most in the last ${span(since)}`;
  return (
    <figure class="measure">
      <figcaption>
        <span class="soft">{title}</span> <strong>{format(last.value)}</strong>
      </figcaption>
      <Chart
        options={{
          ...{ zone: 'UTC', across: 'time, UTC', up: unit, height: 150, least: 10 },
          series: [{ name: title.toLowerCase(), colour: '--accent', drawn: 'line' }],
        }}
        data={{ at: samples.map(({ at }) => at / 1000), values: [samples.map(({ value }) => value)] }}
        words={`${title}: ${format(last.value)} now${lately}`}
        labelOf={(index) => {
          const { at, value } = samples[index]!;
          return `${clock(new Date(at).toISOString(), 'UTC')}: ${format(value)}`;
        }}
      />
    </figure>
  );
}
