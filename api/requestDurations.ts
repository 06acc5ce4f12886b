/**
 * How long requests took, by operation and status, as a histogram of the metrics' registry. Counted here, since its own histograms put the
 * labels' text together anew for each request, which takes a thirtieth of the smallest one.
 */
import type { Metric, MetricObjectWithValues, MetricValueWithName, Registry } from 'prom-client';

export const REQUEST_DURATIONS = 'suuq_http_request_duration_seconds';
const HELP = 'Time from the request line to the end of the answer, by operation and status.';
/** In seconds: a read answers in well under one ms, a view that is late in 5 s. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Of one operation and status: how many requests took at most each bound and more than the one before, and what all took. */
interface Observed {
  readonly within: number[];
  count: number;
  seconds: number;
}

type Value = MetricValueWithName<string>;

function valuesOf(operation: string, status: number, { within, count, seconds }: Observed): Value[] {
  const labels = { operation, status };
  let sum = 0;
  const buckets = BOUNDS.map((le, at): Value => {
    sum += within[at]!;
    return { metricName: `${REQUEST_DURATIONS}_bucket`, labels: { le, ...labels }, value: sum };
  });
  return [
    ...buckets,
    { metricName: `${REQUEST_DURATIONS}_bucket`, labels: { le: '+Inf', ...labels }, value: count },
    { metricName: `${REQUEST_DURATIONS}_sum`, labels, value: seconds },
    { metricName: `${REQUEST_DURATIONS}_count`, labels, value: count },
  ];
}

/** Registers the histogram; what is answered counts a request that took so many seconds. */
export function requestDurations(registry: Registry): (operation: string, status: number, seconds: number) => void {
  const operations = new Map<string, Map<number, Observed>>();

  function begun(operation: string, status: number): Observed {
    const statuses = operations.get(operation) ?? new Map<number, Observed>();
    operations.set(operation, statuses);
    const observed = { within: BOUNDS.map(() => 0), count: 0, seconds: 0 };
    statuses.set(status, observed);
    return observed;
  }

  const values = (): Value[] =>
    [...operations].flatMap(([operation, statuses]) =>
      [...statuses].flatMap(([status, observed]) => valuesOf(operation, status, observed)),
    );
  const metric = {
    name: REQUEST_DURATIONS,
    get: async () => ({
      ...{ name: REQUEST_DURATIONS, help: HELP, aggregator: 'sum', values: values() },
      // As the library writes it; its declaration says a number.
      type: 'histogram' as unknown as MetricObjectWithValues<Value>['type'],
    }),
  };
  // What the registry asks of a metric is its name and its values.
  registry.registerMetric(metric as unknown as Metric);

  return (operation, status, seconds) => {
    const observed = operations.get(operation)?.get(status) ?? begun(operation, status);
    observed.count += 1;
    observed.seconds += seconds;
    for (let at = 0; at < BOUNDS.length; at += 1)
      if (seconds <= BOUNDS[at]!) {
        observed.within[at]! += 1;
        return;
      }
  };
}
