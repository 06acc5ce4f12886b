import type { CommandHandler } from '../commandHandler/commands.js';
import type { Leases } from '../ownership/leases.js';
import type { Clock } from '../ports/clock.js';
import type { DocumentStore } from '../ports/documents.js';
import type { EventStore, Position } from '../ports/eventStore.js';
import type { Log } from '../ports/log.js';
import type { Reads } from '../projections/reads.js';
import type { AnyProcessor } from './processor.js';

export interface ProcessorMetrics {
  /** After each performance; `ms` is what it took. */
  performed(processor: string, kind: string, result: 'done' | 'again' | 'failed', ms: number): void;
  /** A processor has stopped at an event that it cannot handle. */
  stopped(processor: string): void;
}

export interface ProcessorStatus {
  readonly name: string;
  /** failed: reading stopped at `failure.event`, until that is skipped; tasks that are owed are still performed. */
  readonly state: 'running' | 'failed' | 'stopped';
  /** What every event up to here led to is done or written. */
  readonly position: Position;
  readonly inFlight: number;
  /** Lanes with something due, and tasks in memory. */
  readonly lanes: number;
  readonly held: number;
  /** The earliest timer, ms since 1970. */
  readonly nextDueAt?: number;
  readonly failure?: {
    readonly message: string;
    readonly event: { id: string; type: string; stream: string; revision: number; position: Position };
  };
  /** What went wrong last and is tried again. */
  readonly lastTrouble?: string;
}

export interface ProcessorRuntimeParts {
  readonly eventStore: EventStore;
  /** Where tasks and checkpoints are kept: collection `tasks_{processor}`, checkpoint `processor_{processor}`. */
  readonly work: DocumentStore;
  readonly processors: readonly AnyProcessor[];
  /** Where several instances share `work`: a processor runs here while this one owns `processor:{name}`. */
  readonly leases?: Pick<Leases, 'hold'>;
  readonly commands: CommandHandler;
  readonly reads: Reads;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: ProcessorMetrics;
}
