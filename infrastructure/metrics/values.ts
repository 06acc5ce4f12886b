/** Counters and gauges of the metrics' registry, which count in place as its histograms do, and need no package before somebody asks. */
import { labelled, type MetricPlan, type MetricsRegistry, type MetricValue, register } from './registry.js';

/** By the labels' values, in the order of their names. */
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
  /** What was counted under these labels is not told any more. */
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

/** Tells a value under these labels. */
export type Tell = (value: number, ...labels: readonly string[]) => void;

/**
 * Registers what asks by itself when it is read: what others set would tell of the scrape before. Where `collect` throws, since an engine is
 * away, what it has not told is left out, and all other metrics are told. Without labels it keeps what it knew, at first 0.
 */
export function asked(
  registry: MetricsRegistry,
  type: 'counter' | 'gauge',
  plan: MetricPlan,
  collect: (tell: Tell) => Promise<void> | void,
): void {
  const values = new Values(plan.labelNames);
  const isOne = plan.labelNames.length === 0;
  if (isOne) values.of([]);
  register(registry, type, plan, async () => {
    // What runs elsewhere now is not told of any more.
    if (!isOne) values.clear();
    try {
      await collect((value, ...labels) => {
        values.of(labels).value = value;
      });
    } catch {
      // Told by suuq_engine_up.
    }
    return values.all();
  });
}
