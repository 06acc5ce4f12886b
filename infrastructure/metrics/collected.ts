/** Metrics that are read from their source at each scrape. */
import { Counter, Gauge, type Registry } from 'prom-client';

export interface MetricPlan {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
}

/** Reports a value under the labels' values, in the order of their names. */
export type Report = (value: number, ...labels: readonly string[]) => void;

export type Collect = (report: Report) => Promise<void> | void;

/**
 * Registers a gauge. Where `collect` throws, since an engine is unavailable, the gauge lacks what was not reported, and all
 * other metrics are written. A gauge without labels keeps its value, at first 0.
 */
export function collectedGauge(registry: Registry, plan: MetricPlan, collect: Collect): void {
  const gauge = new Gauge({
    ...plan,
    registers: [registry],
    async collect() {
      // Labels that are not reported again run elsewhere now.
      if (plan.labelNames.length > 0) gauge.reset();
      try {
        await collect((value, ...labels) => gauge.labels(...labels).set(value));
      } catch {
        // suuq_engine_up reports engines that are unavailable.
      }
    },
  });
}

/** Registers a counter whose total is counted elsewhere. */
export function collectedCounter(registry: Registry, plan: MetricPlan, collect: (report: Report) => void): void {
  const counter = new Counter({
    ...plan,
    registers: [registry],
    collect() {
      counter.reset();
      collect((value, ...labels) => counter.labels(...labels).inc(value));
    },
  });
}
