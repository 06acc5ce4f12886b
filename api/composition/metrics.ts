/** What operators watch beside HTTP: projections, processors, the channel, the log. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { CountChannel } from '../../application/channel/observing.js';
import type { ProcessorRuntime } from '../../application/processors/runtime.js';
import type { ProcessorMetrics } from '../../application/processors/runtimeParts.js';
import type { Instance } from './instance.js';

export interface ServiceMetrics {
  readonly channel: CountChannel;
  readonly processors: ProcessorMetrics;
  /** Adds the gauges of these processors; they are read when /metrics is asked. */
  watch(runtime: ProcessorRuntime): void;
}

const SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10];

export function serviceMetrics(registry: Registry, instance: Instance): ServiceMetrics {
  const registers = [registry];
  const channel = new Counter({
    name: 'suuq_channel_total',
    help: 'What came from and went to the channel.',
    labelNames: ['what'],
    registers,
  });
  const tasks = new Histogram({
    name: 'suuq_processor_task_seconds',
    help: 'Time of one performance of a task, by result (done, again, failed).',
    labelNames: ['processor', 'kind', 'result'],
    buckets: SECONDS,
    registers,
  });
  projectionGauges(registry, instance);
  return {
    channel: (what, by) => channel.inc({ what }, by),
    processors: {
      performed: (processor, kind, result, ms) => tasks.observe({ processor, kind, result }, ms / 1000),
      // The state is a gauge below, so that it is told again at every scrape.
      stopped: () => {},
    },
    watch: (runtime) => processorGauges(registry, runtime),
  };
}

function projectionGauges(registry: Registry, { projections, eventStore }: Instance): void {
  const labelNames = ['projection'] as const;
  const registers = [registry];
  const lag = new Gauge({
    name: 'suuq_projection_lag',
    help: 'Events it has not taken in yet.',
    labelNames,
    registers,
  });
  const stopped = new Gauge({
    name: 'suuq_projection_stopped',
    help: '1: an event or a changed shape has stopped it; `suuq projections status` says which.',
    labelNames,
    registers,
  });
  new Gauge({
    name: 'suuq_events',
    help: 'Position of the newest event.',
    registers,
    async collect() {
      this.set(await eventStore.head());
      for (const { name: projection, lag: behind, state } of await projections.status()) {
        lag.set({ projection }, behind);
        stopped.set({ projection }, state === 'stopped' ? 1 : 0);
      }
    },
  });
}

function processorGauges(registry: Registry, runtime: ProcessorRuntime): void {
  const labelNames = ['processor'] as const;
  const registers = [registry];
  const failed = new Gauge({
    name: 'suuq_processor_failed',
    help: '1: it cannot handle an event and reads no further; the log says which.',
    labelNames,
    registers,
  });
  new Gauge({
    name: 'suuq_processor_in_flight',
    help: 'Tasks that are being performed.',
    labelNames,
    registers,
    collect() {
      for (const { name: processor, inFlight, state } of runtime.status()) {
        this.set({ processor }, inFlight);
        failed.set({ processor }, state === 'failed' ? 1 : 0);
      }
    },
  });
}
