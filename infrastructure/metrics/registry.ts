/** What the parts of the service tell an operator, before and after the package that writes it for Prometheus is loaded: no start needs that. */
import type { Metric, MetricObjectWithValues, MetricValueWithName, Registry } from 'prom-client';

/** Where metrics are added. */
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
      // As the library writes it; its declaration says a number.
      type: type as unknown as MetricObjectWithValues<MetricValue>['type'],
    }),
  };
  // What the registry asks of a metric is its name and its values.
  registry.registerMetric(metric as unknown as Metric);
}
