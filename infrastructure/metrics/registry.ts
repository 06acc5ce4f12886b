/** Metrics of the service's parts, usable before the package that formats them for Prometheus is loaded: no start needs that package. */
import type { Metric, MetricObjectWithValues, MetricValueWithName, Registry } from 'prom-client';

/** Target to which metrics are added. */
export type MetricsRegistry = Pick<Registry, 'registerMetric'>;

export type Labels = Readonly<Record<string, string | number>>;
export type MetricValue = MetricValueWithName<string>;

export interface MetricPlan {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
}

/** Each label's name with its value, in the order of the names. */
export const labelled = (labelNames: readonly string[], values: readonly (string | number)[]): Labels =>
  Object.fromEntries(labelNames.map((label, at) => [label, values[at]!]));

/** Registers a metric. `values` is called for each scrape. */
export function register(
  registry: MetricsRegistry,
  type: 'counter' | 'gauge' | 'histogram',
  { name, help }: MetricPlan,
  values: () => MetricValue[] | Promise<MetricValue[]>,
): void {
  const metric = {
    name,
    get: async () => ({
      ...{ name, help, aggregator: 'sum' },
      values: await values(),
      // As the library writes it; its declaration requires a number.
      type: type as unknown as MetricObjectWithValues<MetricValue>['type'],
    }),
  };
  // The registry only needs the name and the values of a metric.
  registry.registerMetric(metric as unknown as Metric);
}
