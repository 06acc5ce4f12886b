import type { Leases } from '../ownership/leases.js';
import type { SteadyClock } from '../ports/clock.js';
import type { DocumentStore } from '../ports/documents.js';
import type { EventStore, Position } from '../ports/eventStore.js';
import type { Log } from '../ports/log.js';
import type { FillerThreads } from './filling/messages.js';
import type { HandlerFingerprint } from './handlerFingerprints.js';
import type { AnyProjection } from './projection.js';
import type { ProjectionStatus } from './status.js';
import type { Changed, ViewChanges } from './viewChanges.js';

/** Filling by threads of its own. */
export interface Filling {
  readonly threads: FillerThreads;
  /** From so many events behind the head on; fewer are not worth a thread. */
  readonly from: number;
  /** Told whether live projections wait while others write. */
  hasLive(live: boolean): void;
}

export interface ProjectionRuntimeOptions {
  readonly eventStore: Omit<EventStore, 'append'>;
  readonly readModels: DocumentStore;
  readonly projections: readonly AnyProjection[];
  readonly clock?: SteadyClock;
  readonly log?: Log;
  /** How long a build that was replaced is kept for queries that are under way, in ms; 5,000 when absent. */
  readonly graceMs?: number;
  /** What the handlers are made of (handlerFingerprints.ts): documents of others of the same version are then named. */
  readonly fingerprints?: () => Promise<ReadonlyMap<string, HandlerFingerprint>>;
  /** Nobody waits for live projections (a command on a resting data folder): what is built is built at full speed. */
  readonly unattended?: boolean;
  /** Threads that fill what is far behind, where nobody but this process writes the read models; absent: it is filled in this one. */
  readonly fillers?: Filling;
  /** Where several instances share the read models: a projection runs here while this one owns `projection:{name}`. */
  readonly leases?: Pick<Leases, 'hold' | 'ownerOf'>;
  /** With leases: into how many shards the documents of read models are parted that can be (`Projection.parted`); absent: none. */
  readonly shards?: number;
}

/** What the rest of the service may ask of the projections, wherever they run. */
export interface ProjectionHost {
  /**
   * True when queries on all `names` show everything up to `position`; false after `timeoutMs`, or when one has stopped before. A
   * name may be that of one shard of a read model (`shardKey`).
   */
  waitFor(names: readonly string[], position: Position, timeoutMs: number): Promise<boolean>;
  /** The same, asked now. Absent where other instances may own some: they are not asked for each read. */
  readonly passed?: (names: readonly string[], position: Position) => boolean;
  /** When what queries show may last have changed; absent where others may write it too. */
  readonly changes?: ViewChanges | undefined;
  status(): Promise<ProjectionStatus[]>;
  /**
   * Begins a new build beside the one that serves; status() shows its progress. One that fills already is what was asked for. `anew`: it is
   * given up for a newer one, where it has one owner and that is here; one that others ask for, or fill by shards, goes on. Rejects for an
   * unknown name, and where another instance has it (`isElsewhere`).
   */
  rebuild(name: string, anew?: boolean): Promise<void>;
  /** Finishes the write that is under way. */
  stop(): Promise<void>;
}

export type Positions = Readonly<Record<string, Position>>;

export interface ProjectionRuntime extends ProjectionHost {
  /**
   * Resolves when what was built before is followed; what is far behind or new is filled meanwhile. With leases it
   * resolves at once, and each projection begins when it is owned. To stop: the leases first, then this.
   */
  start(): Promise<void>;
  /** Calls back with the positions (inclusive) that queries have newly reached, and with what was written; the answer ends it. */
  onProgress(callback: (positions: Positions, changed: Changed) => void): () => void;
  /** Calls back with the names of all projections that have stopped, when that has changed. */
  onStopped(callback: (names: readonly string[]) => void): () => void;
}
