/** How far behind read models and processors were in the last minutes, and how much they took in: of all, and of each. */
import { useEffect, useState } from 'preact/hooks';
import type { ConsoleMachineBody } from '../../../api/console/contract.js';
import { bytes, count } from '../ui/format.js';
import { PLOTTED_MS, Plot, type Sample } from '../ui/plot.js';
import { refine } from '../ui/router.js';

type Measure = 'lag' | 'rate' | 'owed';
type Values = Readonly<Partial<Record<Measure, number>>>;
export type Measured = Readonly<Partial<Record<Measure, readonly Sample[]>>>;

/** Kind of the item whose plots are open, as the query names it. */
export type Kind = 'model' | 'processor';
/** Measurements by kind and name; sums are under ALL. */
export type Lately = ReadonlyMap<string, Measured>;
const ALL = '';
const keyOf = (kind: Kind, name: string): string => `${kind} ${name}`;
export const ofOne = (lately: Lately, kind: Kind, name: string): Measured => lately.get(keyOf(kind, name)) ?? {};

/** Retained while the tab is open, on every page. */
let recent: Lately = new Map();

function measured({ projections, processors }: ConsoleMachineBody): ReadonlyMap<string, Values> {
  const all: Values = {
    lag: Math.max(0, ...projections.map(({ lag }) => lag)),
    rate: projections.reduce((sum, { eventsPerSecond }) => sum + eventsPerSecond, 0),
    owed: processors.reduce((sum, { owed }) => sum + owed, 0),
  };
  return new Map([
    [ALL, all],
    ...projections.map(
      ({ name, lag, eventsPerSecond: rate }) => [keyOf('model', name), { lag, rate }] satisfies [string, Values],
    ),
    ...processors.map(
      ({ name, lag, owed, effectsPerSecond: rate = 0 }) =>
        [keyOf('processor', name), { lag, rate, owed }] satisfies [string, Values],
    ),
  ]);
}

/** Adds the current values, and drops items that no longer exist. */
function withMore(before: Lately, machine: ConsoleMachineBody, now: number): Lately {
  const more = ([key, values]: readonly [string, Values]): [string, Measured] => {
    const samples = Object.entries(values).map(([measure, value]) => [
      measure,
      [...(before.get(key)?.[measure as Measure] ?? []).filter(({ at }) => at > now - PLOTTED_MS), { at: now, value }],
    ]);
    return [key, Object.fromEntries(samples) as Measured];
  };
  return new Map([...measured(machine)].map(more));
}

/** The last minutes, as far as this tab has seen them. */
export function useLately(machine: ConsoleMachineBody | undefined): Lately {
  const [shown, setShown] = useState(recent);
  useEffect(() => {
    if (machine === undefined) return;
    recent = withMore(recent, machine, Date.now());
    setShown(recent);
  }, [machine]);
  return shown;
}

type Unit = 'bytes' | undefined;

/** How far behind, in what the log counts. */
export const behind = (lag: number, unit?: Unit): string => (unit === 'bytes' ? bytes(lag) : count(Math.round(lag)));
const lagWords =
  (unit: Unit) =>
  (value: number): string =>
    unit === 'bytes' ? bytes(value) : `${count(Math.round(value))} ${value === 1 ? 'event' : 'events'}`;
const perSecond = (value: number): string => `${rateOf(value)}/s`;

/** Formats a rate, with one decimal for small values. */
export const rateOf = (value: number): string => count(value < 10 ? Math.round(value * 10) / 10 : Math.round(value));

export function Measures({ machine, lately }: { machine: ConsoleMachineBody; lately: Lately }) {
  const { lag = [], rate = [], owed = [] } = lately.get(ALL) ?? {};
  const unit = machine.projections[0]?.unit;
  return (
    <section class="card">
      <h2>Recent activity</h2>
      <div class="measures">
        <Plot title="Lag" unit={unit ?? 'events'} samples={lag} format={lagWords(unit)} />
        <Plot title="Events handled" unit="events/s" samples={rate} format={perSecond} />
        <Plot title="Pending effects" unit="effects" samples={owed} format={(value) => count(value)} />
      </div>
    </section>
  );
}

interface OneProps {
  readonly kind: Kind;
  readonly name: string;
  readonly measured: Measured;
  readonly unit: Unit;
}

/** With axes, of one. */
export const PlotsOf = ({ kind, name, measured: { lag = [], rate = [], owed }, unit }: OneProps) => (
  <section class="measures" aria-label={`${name}, lately`}>
    <Plot title={`${name}, behind`} unit={unit ?? 'events'} samples={lag} format={lagWords(unit)} />
    <Plot
      title={kind === 'model' ? 'Events handled' : 'Performed'}
      unit={kind === 'model' ? 'events/s' : 'effects/s'}
      samples={rate}
      format={perSecond}
    />
    {owed !== undefined && <Plot title="Pending" unit="effects" samples={owed} format={(value) => count(value)} />}
  </section>
);

const WIDE = 44;
const HIGH = 18;

/** The same as a small line without axes, from nothing up. */
function Spark({ samples, colour }: { samples: readonly Sample[]; colour: string }) {
  const [begin = 0, end = 0] = [samples[0]?.at, samples.at(-1)?.at];
  const most = Math.max(1, ...samples.map(({ value }) => value));
  const points = samples.map(({ at, value }) => {
    const x = end === begin ? WIDE : (WIDE * (at - begin)) / (end - begin);
    return `${x.toFixed(1)},${(HIGH - 1 - (HIGH - 2) * (value / most)).toFixed(1)}`;
  });
  return (
    <svg class="spark" viewBox={`0 0 ${WIDE} ${HIGH}`} aria-hidden="true" style={{ color: `var(${colour})` }}>
      <polyline points={points.join(' ')} />
    </svg>
  );
}

/** Lag and rate of one, small; opens its plots. */
export function Lines({ kind, name, measured: { lag = [], rate = [] }, unit, open }: OneProps & { open: boolean }) {
  const now = `${lagWords(unit)(lag.at(-1)?.value ?? 0)} behind, ${perSecond(rate.at(-1)?.value ?? 0)}`;
  return (
    <button
      type="button"
      class="lines"
      aria-expanded={open}
      aria-label={`Plots of ${name}: ${now}`}
      title={now}
      onClick={() => refine({ model: undefined, processor: undefined, ...(open ? {} : { [kind]: name }) })}
    >
      <Spark samples={lag} colour="--accent" />
      <Spark samples={rate} colour="--green" />
    </button>
  );
}
