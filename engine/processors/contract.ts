import type { CommandHandler } from '../commandHandler/commands.js';
import type { Leases } from '../ownership/leases.js';
import type { Clock } from '../ports/clock.js';
import type { DocumentStore } from '../ports/documents.js';
import type { EventStore } from '../ports/eventStore.js';
import type { Log } from '../ports/log.js';
import type { Tracing } from '../ports/tracing.js';
import type { Reads } from '../projections/reads.js';
import type { AnyProcessor, ProcessorMetrics, ProcessorStatus } from './processor.js';

export interface ProcessorRuntimeParts {
  readonly eventStore: EventStore;
  /** Store of tasks and checkpoints: collection `tasks_{processor}`, checkpoint `processor_{processor}`. */
  readonly work: DocumentStore;
  readonly processors: readonly AnyProcessor[];
  /**
   * Leases of instances that share `work`. An instance works on the shards whose lease `shard:{number}` it owns, for
   * every processor. Absent if one instance does all the work.
   */
  readonly leases?: Pick<Leases, 'hold'>;
  /** Number of shards. It never changes once the work is partitioned. Default: 64. */
  readonly shards?: number;
  readonly commands: CommandHandler;
  readonly reads: Reads;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: ProcessorMetrics;
  /** Makes each performance a span of the trace that led to its task. Absent where no traces are written. */
  readonly tracing?: Tracing | undefined;
  /** Repeats a step of the start while an engine is unavailable. Absent: each step is tried once. */
  patient?<T>(step: () => Promise<T>): Promise<T>;
  /**
   * Resolves when the read models that processors use exist, or the signal is aborted. Until then nothing is noted or
   * performed.
   */
  readonly ready?: (signal: AbortSignal) => Promise<void>;
}

export interface ProcessorRuntime {
  /** Opens the task collections, performs pending tasks, and follows the log; with leases, once each shard is owned. */
  start(): Promise<void>;
  /**
   * Aborts the signal, waits up to 5 s for tasks in flight, and writes the outcomes. Tasks without an outcome are
   * performed again later.
   */
  stop(): Promise<void>;
  /** Returns the status of each processor that runs here. */
  status(): readonly ProcessorStatus[];
}
