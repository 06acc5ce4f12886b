/** A value over the last minutes, as a line. */
import { span } from './format.js';

export interface Sample {
  /** ms since 1970. */
  readonly at: number;
  readonly value: number;
}

/** How far back a plot goes, in ms. */
export const PLOTTED_MS = 5 * 60_000;
const WIDTH = 300;
const HEIGHT = 72;

interface PlotProps {
  readonly title: string;
  /** In order. */
  readonly samples: readonly Sample[];
  /** Of a value, in words. */
  said(value: number): string;
}

export function Plot({ title, samples, said }: PlotProps) {
  const last = samples.at(-1);
  if (last === undefined) return null;
  const most = Math.max(...samples.map(({ value }) => value));
  const since = last.at - samples[0]!.at;
  const point = ({ at, value }: Sample): string =>
    `${(WIDTH - ((last.at - at) / Math.max(1, since)) * WIDTH).toFixed(1)} ${(HEIGHT - 2 - (value / Math.max(1, most)) * (HEIGHT - 6)).toFixed(1)}`;
  const line = samples.map(point).join(' L ');
  const first = point(samples[0]!).split(' ')[0];
  return (
    <figure class="measure">
      <figcaption>
        <span class="soft">{title}</span> <strong>{said(last.value)}</strong>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${said(last.value)} now, ${said(most)} at most in the last ${span(since)}`}
      >
        <path class="under" d={`M ${first} ${HEIGHT} L ${line} L ${WIDTH} ${HEIGHT} Z`} />
        <path class="line" d={`M ${line} ${samples.length === 1 ? `L ${point(last)}` : ''}`} />
      </svg>
      <p class="fine">
        at most {said(most)} · last {span(since)}
      </p>
    </figure>
  );
}
