/** Metrics of the service other than HTTP: projections, processors, the channel, the log. */
import { Counter, Histogram, type Registry } from 'prom-client';
import type { CountChannel } from '../../../application/channel/channelMetrics.js';
import { distance, type EventStore, measureOf } from '../../../engine/ports/eventStore.js';
import type { ProcessorMetrics } from '../../../engine/processors/processor.js';
import type { ProcessorRuntime } from '../../../engine/processors/runtime.js';
import { spaceOf } from '../../../infrastructure/files/freeSpace.js';
import { type Collect, collectedGauge } from '../../../infrastructure/metrics/collected.js';
import type { Instance } from '../instance.js';

export interface ServiceMetrics {
  readonly channel: CountChannel;
  readonly processors: ProcessorMetrics;
  /** Adds the gauges of these processors; they are read at each scrape. */
  watch(runtime: Pick<ProcessorRuntime, 'status'>): void;
}

/** Sources of the metrics. */
export interface Watched {
  readonly projections: Pick<Instance['projections'], 'status'>;
  readonly eventStore: Pick<EventStore, 'head' | 'measure'>;
  /** True for each engine that answers. */
  engines(): Promise<readonly { readonly name: string; readonly ok: boolean }[]>;
  /** Folders of this machine that the service writes to, by what is in them. */
  readonly folders: Readonly<Record<string, string>>;
  /** Bytes of files and recordings of all stores. */
  storedBytes(): Promise<number>;
}

/** Units of distances in the log on this engine: bytes must not be mistaken for events. */
const WORDS = {
  events: { of: 'Events', suffix: '_events' },
  bytes: { of: 'Bytes of the log', suffix: '_bytes' },
} as const;

const SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10];

export function serviceMetrics(registry: Registry, instance: Watched): ServiceMetrics {
  const channel = new Counter({
    name: 'suuq_channel_total',
    help: 'Messages received from and sent to the channel, by outcome.',
    labelNames: ['what'],
    registers: [registry],
  });
  const tasks = new Histogram({
    name: 'suuq_processor_task_seconds',
    help: 'Duration of one task run, by result (done, again, failed).',
    labelNames: ['processor', 'kind', 'result'],
    buckets: SECONDS,
    registers: [registry],
  });
  projectionGauges(registry, instance);
  storageGauges(registry, instance);
  return {
    channel: (what, by) => channel.inc({ what }, by),
    processors: {
      performed: (processor, kind, result, ms) => tasks.observe({ processor, kind, result }, ms / 1000),
      // The state is a gauge below, so that each scrape reports it.
      stopped: () => {},
    },
    watch: (runtime) => processorGauges(registry, runtime, instance),
  };
}

/** Projections that run in this process: other instances report their own. */
async function here(projections: Watched['projections']) {
  return (await projections.status()).filter(
    ({ owner, state, here }) => (owner === undefined || here !== undefined) && state !== 'elsewhere',
  );
}

/** A gauge that collects its values at each scrape, with one label at most. */
export function gauge(
  registry: Registry,
  name: string,
  help: string,
  label: string | undefined,
  collect: Collect,
): void {
  collectedGauge(registry, { name, help, labelNames: label === undefined ? [] : [label] }, collect);
}

function projectionGauges(registry: Registry, { projections, eventStore, engines }: Watched): void {
  const measure = measureOf(eventStore);
  const { of, suffix } = WORDS[measure.unit];
  gauge(
    registry,
    `suuq_projection_lag${suffix}`,
    `${of} that the projection has not applied yet.`,
    'projection',
    async (set) => {
      for (const { name: projection, lag } of await here(projections)) set(distance(measure, 0, lag), projection);
    },
  );
  const stopped =
    '1: the projection is stopped by an event or a changed shape, shown by `suuq projections status`. 0: it runs.';
  gauge(registry, 'suuq_projection_stopped', stopped, 'projection', async (set) => {
    for (const { name: projection, state } of await here(projections)) set(state === 'stopped' ? 1 : 0, projection);
  });
  const waiting = '1: the projection waits for an unavailable store and retries until it works. 0: it does not wait.';
  gauge(registry, 'suuq_projection_waiting', waiting, 'projection', async (set) => {
    for (const { name: projection, trouble } of await here(projections)) set(trouble === undefined ? 0 : 1, projection);
  });
  const differing = 'Documents that differ from the log in the spot checks. `suuq verify` lists them.';
  gauge(registry, 'suuq_projection_differing_documents', differing, 'projection', async (set) => {
    for (const { name: projection, differing: count = 0 } of await here(projections)) set(count, projection);
  });
  const [name, help] =
    measure.unit === 'bytes'
      ? ['suuq_log_bytes', 'Position of the newest event in the log, in bytes.']
      : ['suuq_events', 'Position of the newest event, from 0.'];
  gauge(registry, name, help, undefined, async (set) => {
    const head = await eventStore.head();
    set(measure.unit === 'bytes' ? distance(measure, 0, head) : head);
  });
  gauge(registry, 'suuq_engine_up', '1: the engine is available. 0: it is unavailable.', 'engine', async (set) => {
    for (const { name: engine, ok } of await engines()) set(ok ? 1 : 0, engine);
  });
}

function storageGauges(registry: Registry, { folders, storedBytes }: Watched): void {
  const of = 'Bytes of the files and recordings of all stores. Duplicates within a store count once.';
  gauge(registry, 'suuq_stored_bytes', of, undefined, async (set) => set(await storedBytes()));
  const help = 'Free bytes on the disk of the data folder, and of the files folder if one is configured.';
  gauge(registry, 'suuq_free_bytes', help, 'place', async (set) => {
    for (const [place, folder] of Object.entries(folders)) set((await spaceOf(folder)).free, place);
  });
}

function processorGauges(
  registry: Registry,
  runtime: Pick<ProcessorRuntime, 'status'>,
  { eventStore }: Pick<Watched, 'eventStore'>,
): void {
  const measure = measureOf(eventStore);
  const { of, suffix } = WORDS[measure.unit];
  gauge(
    registry,
    `suuq_processor_lag${suffix}`,
    `${of} that the processor has not turned into tasks yet.`,
    'processor',
    async (set) => {
      const head = await eventStore.head();
      for (const { name: processor, position } of runtime.status()) set(distance(measure, position, head), processor);
    },
  );
  const failed = '1: the processor is stopped at an event that it cannot handle, which is in the log. 0: it runs.';
  gauge(registry, 'suuq_processor_failed', failed, 'processor', (set) => {
    for (const { name: processor, state } of runtime.status()) set(state === 'failed' ? 1 : 0, processor);
  });
  const waiting = '1: the processor waits for an unavailable store and retries until it works. 0: it does not wait.';
  gauge(registry, 'suuq_processor_waiting', waiting, 'processor', (set) => {
    for (const { name: processor, waitingSince } of runtime.status())
      set(waitingSince === undefined ? 0 : 1, processor);
  });
  gauge(registry, 'suuq_processor_shards', 'Shards of the processor that this instance owns.', 'processor', (set) => {
    for (const { name: processor, shards: count } of runtime.status()) if (count !== undefined) set(count, processor);
  });
  gauge(registry, 'suuq_processor_in_flight', 'Tasks in progress.', 'processor', (set) => {
    for (const { name: processor, inFlight } of runtime.status()) set(inFlight, processor);
  });
}
