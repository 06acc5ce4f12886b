/** What operators watch beside HTTP: projections, processors, the channel, the log. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { CountChannel } from '../../../application/channel/observing.js';
import { distance, type EventStore, measureOf } from '../../../engine/ports/eventStore.js';
import type { ProcessorMetrics } from '../../../engine/processors/processor.js';
import type { ProcessorRuntime } from '../../../engine/processors/runtime.js';
import { spaceOf } from '../../../infrastructure/files/freeSpace.js';
import { histogram } from '../../../infrastructure/metrics/histogram.js';
import type { Instance } from '../instance.js';

export interface ServiceMetrics {
  readonly channel: CountChannel;
  readonly processors: ProcessorMetrics;
  /** Adds the gauges of these processors; they are read when /metrics is asked. */
  watch(runtime: Pick<ProcessorRuntime, 'status'>): void;
}

/** What is asked when /metrics is. */
export interface Watched {
  readonly projections: Pick<Instance['projections'], 'status'>;
  readonly eventStore: Pick<EventStore, 'head' | 'measure'>;
  /** Whether the engines answer. */
  engines(): Promise<readonly { readonly name: string; readonly ok: boolean }[]>;
  /** Folders of this machine that the service writes to, by what is in them. */
  readonly folders: Readonly<Record<string, string>>;
  /** Bytes of files and recordings of all stores. */
  storedBytes(): Promise<number>;
}

/** What distances in the log count on this engine: a number of bytes must not be taken for one of events. */
const WORDS = {
  events: { of: 'Events', suffix: '_events' },
  bytes: { of: 'Bytes of the log', suffix: '_bytes' },
} as const;

const SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10];

export function serviceMetrics(registry: Registry, instance: Watched): ServiceMetrics {
  const registers = [registry];
  const channel = new Counter({
    name: 'suuq_channel_total',
    help: 'What came from and went to the channel.',
    labelNames: ['what'],
    registers,
  });
  const tasks = histogram(registry, {
    name: 'suuq_processor_task_seconds',
    help: 'Time of one performance of a task, by result (done, again, failed).',
    labelNames: ['processor', 'kind', 'result'],
    buckets: SECONDS,
  });
  projectionGauges(registry, instance);
  storageGauges(registry, instance);
  return {
    channel: (what, by) => channel.inc({ what }, by),
    processors: {
      performed: (processor, kind, result, ms) => tasks(processor, kind, result).observe(ms / 1000),
      // The state is a gauge below, so that it is told again at every scrape.
      stopped: () => {},
    },
    watch: (runtime) => processorGauges(registry, runtime, instance),
  };
}

/** Of those that run in this process: what others run, they tell. */
async function here(projections: Watched['projections']) {
  return (await projections.status()).filter(
    ({ owner, state, here }) => (owner === undefined || here !== undefined) && state !== 'elsewhere',
  );
}

type Collect = (gauge: Gauge<string>) => Promise<void> | void;

/**
 * A gauge that asks by itself when it is read: one that others set would tell of the scrape before. Where it cannot know,
 * since an engine is away, it is left out, and all others are told. Without labels it keeps what it knew.
 */
export function gauge(
  registry: Registry,
  name: string,
  help: string,
  label: string | undefined,
  collect: Collect,
): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    labelNames: label === undefined ? [] : [label],
    async collect() {
      // What runs elsewhere now is not told of any more.
      if (label !== undefined) this.reset();
      try {
        await collect(this);
      } catch {
        // Told by suuq_engine_up.
      }
    },
  });
}

function projectionGauges(registry: Registry, { projections, eventStore, engines }: Watched): void {
  const measure = measureOf(eventStore);
  const { of, suffix } = WORDS[measure.unit];
  gauge(registry, `suuq_projection_lag${suffix}`, `${of} it has not taken in yet.`, 'projection', async (lags) => {
    for (const { name: projection, lag } of await here(projections))
      lags.set({ projection }, distance(measure, 0, lag));
  });
  const stopped = '1: an event or a changed shape has stopped it; `suuq projections status` says which.';
  gauge(registry, 'suuq_projection_stopped', stopped, 'projection', async (states) => {
    for (const { name: projection, state } of await here(projections))
      states.set({ projection }, state === 'stopped' ? 1 : 0);
  });
  const [name, help] =
    measure.unit === 'bytes'
      ? ['suuq_log_bytes', 'Place of the newest event in the log, in bytes.']
      : ['suuq_events', 'Position of the newest event, from 0.'];
  gauge(registry, name, help, undefined, async (events) => {
    const head = await eventStore.head();
    events.set(measure.unit === 'bytes' ? distance(measure, 0, head) : head);
  });
  gauge(registry, 'suuq_engine_up', '1: the engine answers, 0: it does not.', 'engine', async (up) => {
    for (const { name: engine, ok } of await engines()) up.set({ engine }, ok ? 1 : 0);
  });
}

function storageGauges(registry: Registry, { folders, storedBytes }: Watched): void {
  const of = 'Bytes of files and recordings of all stores, the same ones of a store once.';
  gauge(registry, 'suuq_stored_bytes', of, undefined, async (bytes) => bytes.set(await storedBytes()));
  const help = 'Bytes that are free on the disk of the data folder, and of the folder of files where there is one.';
  gauge(registry, 'suuq_free_bytes', help, 'place', async (free) => {
    for (const [place, folder] of Object.entries(folders)) free.set({ place }, (await spaceOf(folder)).free);
  });
}

function processorGauges(
  registry: Registry,
  runtime: Pick<ProcessorRuntime, 'status'>,
  { eventStore }: Pick<Watched, 'eventStore'>,
): void {
  const measure = measureOf(eventStore);
  const { of, suffix } = WORDS[measure.unit];
  gauge(registry, `suuq_processor_lag${suffix}`, `${of} it has not made into tasks yet.`, 'processor', async (lags) => {
    const head = await eventStore.head();
    for (const { name: processor, position } of runtime.status())
      lags.set({ processor }, distance(measure, position, head));
  });
  const failed = '1: it cannot handle an event and reads no further; the log says which.';
  gauge(registry, 'suuq_processor_failed', failed, 'processor', (states) => {
    for (const { name: processor, state } of runtime.status()) states.set({ processor }, state === 'failed' ? 1 : 0);
  });
  gauge(registry, 'suuq_processor_shards', 'Shards of it that are worked on here.', 'processor', (shards) => {
    for (const { name: processor, shards: count } of runtime.status())
      if (count !== undefined) shards.set({ processor }, count);
  });
  gauge(registry, 'suuq_processor_in_flight', 'Tasks that are being performed.', 'processor', (tasks) => {
    for (const { name: processor, inFlight } of runtime.status()) tasks.set({ processor }, inFlight);
  });
}
