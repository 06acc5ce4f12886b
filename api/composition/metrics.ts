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
  watch(runtime: Pick<ProcessorRuntime, 'status'>): void;
}

/** What is asked when /metrics is. */
export interface Watched {
  readonly projections: Pick<Instance['projections'], 'status'>;
  readonly eventStore: Pick<Instance['eventStore'], 'head'>;
}

const SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10];

export function serviceMetrics(registry: Registry, instance: Watched): ServiceMetrics {
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
    watch: (runtime) => processorGauges(registry, runtime, instance),
  };
}

/** Of those that run in this process: what others run, they tell. */
async function here(projections: Watched['projections']) {
  return (await projections.status()).filter(({ owner, state }) => owner === undefined && state !== 'elsewhere');
}

/** Each gauge asks by itself when it is read: one that others set would tell of the scrape before. */
function projectionGauges(registry: Registry, { projections, eventStore }: Watched): void {
  const shared = { labelNames: ['projection'] as const, registers: [registry] };
  new Gauge({
    ...shared,
    name: 'suuq_projection_lag',
    help: 'Events it has not taken in yet.',
    async collect() {
      for (const { name: projection, lag } of await here(projections)) this.set({ projection }, lag);
    },
  });
  new Gauge({
    ...shared,
    name: 'suuq_projection_stopped',
    help: '1: an event or a changed shape has stopped it; `suuq projections status` says which.',
    async collect() {
      for (const { name: projection, state } of await here(projections))
        this.set({ projection }, state === 'stopped' ? 1 : 0);
    },
  });
  new Gauge({
    name: 'suuq_events',
    help: 'Position of the newest event, from 0.',
    registers: [registry],
    async collect() {
      this.set(await eventStore.head());
    },
  });
}

function processorGauges(
  registry: Registry,
  runtime: Pick<ProcessorRuntime, 'status'>,
  { eventStore }: Pick<Watched, 'eventStore'>,
): void {
  const shared = { labelNames: ['processor'] as const, registers: [registry] };
  new Gauge({
    ...shared,
    name: 'suuq_processor_lag',
    help: 'Events it has not made into tasks yet.',
    async collect() {
      const head = await eventStore.head();
      for (const { name: processor, position } of runtime.status())
        this.set({ processor }, Math.max(0, head - position));
    },
  });
  new Gauge({
    ...shared,
    name: 'suuq_processor_failed',
    help: '1: it cannot handle an event and reads no further; the log says which.',
    collect() {
      for (const { name: processor, state } of runtime.status()) this.set({ processor }, state === 'failed' ? 1 : 0);
    },
  });
  new Gauge({
    ...shared,
    name: 'suuq_processor_in_flight',
    help: 'Tasks that are being performed.',
    collect() {
      for (const { name: processor, inFlight } of runtime.status()) this.set({ processor }, inFlight);
    },
  });
}
