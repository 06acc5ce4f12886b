/** Counters and gauges of the metrics registry, which count in place like its histograms, and need no package before the first scrape. */
import { labelled, type MetricPlan, type MetricsRegistry, type MetricValue, register } from './registry.js';

/** Values by the labels' values, in the order of their names. */
class Values {
  readonly #labelNames: readonly string[];
  readonly #values = new Map<string, MetricValue>();

  constructor(labelNames: readonly string[]) {
    this.#labelNames = labelNames;
  }

  of(labels: readonly string[]): MetricValue {
    const key = labels.join('\n');
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const value = { labels: labelled(this.#labelNames, labels), value: 0 };
    this.#values.set(key, value);
    return value;
  }

  remove(labels: readonly string[]): void {
    this.#values.delete(labels.join('\n'));
  }

  clear(): void {
    this.#values.clear();
  }

  all(): MetricValue[] {
    return [...this.#values.values()];
  }
}

export interface Counter {
  /** `by`: at least 0. */
  add(by: number, ...labels: readonly string[]): void;
  /** Removes the value under these labels. */
  remove(...labels: readonly string[]): void;
}

/** Registers it. */
export function counter(registry: MetricsRegistry, plan: MetricPlan): Counter {
  const values = new Values(plan.labelNames);
  register(registry, 'counter', plan, () => values.all());
  return {
    add(by, ...labels) {
      values.of(labels).value += by;
    },
    remove: (...labels) => values.remove(labels),
  };
}

/** Reports a value under these labels. */
export type Report = (value: number, ...labels: readonly string[]) => void;

/**
 * Registers a gauge that collects its values at each scrape, so that they are current. If `collect` throws because an engine is down, the
 * values it has not reported are omitted, and all other metrics are written. Without labels it retains its last value, at first 0.
 */
export function collectedGauge(
  registry: MetricsRegistry,
  type: 'counter' | 'gauge',
  plan: MetricPlan,
  collect: (tell: Report) => Promise<void> | void,
): void {
  const values = new Values(plan.labelNames);
  const isOne = plan.labelNames.length === 0;
  if (isOne) values.of([]);
  register(registry, type, plan, async () => {
    // Labels whose source has moved to another process are dropped.
    if (!isOne) values.clear();
    try {
      await collect((value, ...labels) => {
        values.of(labels).value = value;
      });
    } catch {
      // suuq_engine_up reports the failure.
    }
    return values.all();
  });
}
