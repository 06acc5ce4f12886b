/** A chart with axes on a canvas, by uPlot; loaded when a page first shows one. */
import 'uplot/dist/uPlot.min.css';
import uPlot from 'uplot';
import type { ChartData, ChartOptions } from './chartData.js';

const FONT = '12px Inter, system-ui, sans-serif';
/** Minimum width of a range of time, in s: the first value is at its end. */
const LEAST_S = 10;
/** Room for the numbers of the vertical axis, in px. */
const LEFT = 58;
/** The same of the axis of time. */
const BOTTOM = 30;

/** As the stylesheet has it now: a canvas knows no variables. */
function colourOf(host: HTMLElement, name: string): string {
  host.style.color = `var(${name})`;
  const { color } = getComputedStyle(host);
  host.style.color = '';
  return color;
}

const HOUR_MS = 3_600_000;

/** Formats a time of the axis, with the precision of a range of `rangeMs`. */
function timeOf(ms: number, rangeMs: number, zone: string): string {
  const time: Intl.DateTimeFormatOptions = rangeMs > 7 * 24 * HOUR_MS ? {} : { hour: '2-digit', minute: '2-digit' };
  const more: Intl.DateTimeFormatOptions =
    rangeMs > 24 * HOUR_MS
      ? { day: 'numeric', month: 'short' }
      : rangeMs > HOUR_MS / 4
        ? {}
        : { second: '2-digit', ...(rangeMs < LEAST_S * 1000 && { fractionalSecondDigits: 1 }) };
  return new Intl.DateTimeFormat('en-GB', { ...more, ...time, timeZone: zone }).format(ms);
}

const spread = ({ data: [at] }: uPlot, least: number | null, most: number | null): [number, number] => {
  const end = at[0] ?? Date.now() / 1000;
  return at.length < 2 || least === null || most === null ? [end - LEAST_S, end] : [least, most];
};

/** Failed attempts are crosses, so that colour is not needed to see them. */
function crosses(u: uPlot, seriesIndex: number): null {
  const [x, y] = [u.data[0], u.data[seriesIndex]!];
  const size = 4 * devicePixelRatio;
  u.ctx.save();
  u.ctx.strokeStyle = (u.series[seriesIndex]!.stroke as (u: uPlot, i: number) => string)(u, seriesIndex);
  u.ctx.lineWidth = 2 * devicePixelRatio;
  u.ctx.beginPath();
  for (const [i, value] of y.entries()) {
    if (value === null || value === undefined) continue;
    const left = u.valToPos(x[i]!, 'x', true);
    const top = u.valToPos(value, 'y', true);
    u.ctx.moveTo(left - size, top - size);
    u.ctx.lineTo(left + size, top + size);
    u.ctx.moveTo(left + size, top - size);
    u.ctx.lineTo(left - size, top + size);
  }
  u.ctx.stroke();
  u.ctx.restore();
  return null;
}

function seriesOf(host: HTMLElement, { name, colour, drawn }: ChartOptions['series'][number]): uPlot.Series {
  const stroke = (): string => colourOf(host, colour);
  if (drawn === 'line') return { label: name, stroke, width: 1.5, points: { show: false } };
  if (drawn === 'crosses') return { label: name, stroke, paths: crosses, points: { show: false } };
  return { label: name, stroke, paths: () => null, points: { show: true, size: 6, fill: stroke } };
}

export interface DrawnChart {
  update(data: ChartData): void;
  end(): void;
}

/**
 * Draws the chart in the full width of the element. `pointed` receives the index of the value nearest to the pointer.
 */
export function drawChart(
  host: HTMLElement,
  read: ChartOptions,
  data: ChartData,
  pointed: (index: number | undefined) => void,
): DrawnChart {
  const { tens = false } = read;
  const axis = (): uPlot.Axis => ({
    stroke: () => colourOf(host, '--soft'),
    grid: { stroke: () => colourOf(host, '--line'), width: 1 },
    ticks: { stroke: () => colourOf(host, '--line'), width: 1 },
    font: FONT,
    labelFont: FONT,
    labelSize: 18,
  });
  const drawn = (value: number | null): number | null => (value !== null && tens ? Math.max(1, value) : value);
  const aligned = ({ at, values }: ChartData): uPlot.AlignedData => [
    [...at],
    ...values.map((series) => series.map(drawn)),
  ];
  const upTo = (most: number): number => Math.max(read.least, tens ? 10 ** Math.ceil(Math.log10(most)) : most * 1.1);
  const chart = new uPlot(
    {
      width: Math.max(1, host.clientWidth),
      height: read.height,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), read.zone),
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, points: { show: false } },
      // From nothing up, so that twice as high is twice as much; by tens where a few are a thousand times the others.
      scales: {
        x: { range: spread },
        y: { distr: tens ? 3 : 1, range: (_, __, most) => [tens ? 1 : 0, upTo(most ?? 0)] },
      },
      axes: [
        {
          ...axis(),
          ...{ label: read.across, size: BOTTOM, space: 90 },
          values: ({ scales }, splits) => {
            const { min = 0, max = 0 } = scales.x!;
            return splits.map((split) => timeOf(split * 1000, (max! - min!) * 1000, read.zone));
          },
        },
        {
          ...axis(),
          label: read.up,
          size: LEFT,
          values: (_, splits) => splits.map((split) => (split === null ? '' : split.toLocaleString('en'))),
        },
      ],
      series: [{}, ...read.series.map((one) => seriesOf(host, one))],
      hooks: { setCursor: [({ cursor: { idx } }) => pointed(idx ?? undefined)] },
    },
    aligned(data),
    host,
  );
  const redraw = (): void => chart.redraw(false, true);
  const sized = new ResizeObserver(() => {
    const width = Math.max(1, host.clientWidth);
    if (width !== chart.width) chart.setSize({ width, height: read.height });
  });
  sized.observe(host);
  const switched = new MutationObserver(redraw);
  switched.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  scheme.addEventListener('change', redraw);
  return {
    update: (newer) => chart.setData(aligned(newer)),
    end() {
      sized.disconnect();
      switched.disconnect();
      scheme.removeEventListener('change', redraw);
      chart.destroy();
    },
  };
}
