/** How far behind read models and processors were in the last minutes, and how much they took in. */
import { useEffect, useState } from 'preact/hooks';
import type { ConsoleMachineBody } from '../../../api/console/contract.js';
import { count } from '../ui/format.js';
import { PLOTTED_MS, Plot, type Sample } from '../ui/plot.js';

type Measure = 'lag' | 'rate' | 'owed';
type Measured = Readonly<Record<Measure, readonly Sample[]>>;

/** Kept while the tab is open, whatever page it shows. */
let kept: Measured = { lag: [], rate: [], owed: [] };

function measured({ projections, processors }: ConsoleMachineBody): Readonly<Record<Measure, number>> {
  return {
    lag: Math.max(0, ...projections.map(({ lag }) => lag)),
    rate: projections.reduce((sum, { eventsPerSecond }) => sum + eventsPerSecond, 0),
    owed: processors.reduce((sum, { owed }) => sum + owed, 0),
  };
}

function withMore(before: Measured, machine: ConsoleMachineBody, now: number): Measured {
  const values = measured(machine);
  const more = (name: Measure): readonly Sample[] => [
    ...before[name].filter(({ at }) => at > now - PLOTTED_MS),
    { at: now, value: values[name] },
  ];
  return { lag: more('lag'), rate: more('rate'), owed: more('owed') };
}

const events = (value: number): string => `${count(Math.round(value))} ${value === 1 ? 'event' : 'events'}`;

export function Measures({ machine }: { machine: ConsoleMachineBody }) {
  const [shown, setShown] = useState(kept);
  useEffect(() => {
    kept = withMore(kept, machine, Date.now());
    setShown(kept);
  }, [machine]);
  return (
    <section class="card">
      <h2>Lately</h2>
      <div class="measures">
        <Plot title="Furthest behind" unit="events" samples={shown.lag} said={events} />
        <Plot title="Taken in" unit="events/s" samples={shown.rate} said={(value) => `${count(Math.round(value))}/s`} />
        <Plot title="Effects owed" unit="effects" samples={shown.owed} said={(value) => count(value)} />
      </div>
    </section>
  );
}
