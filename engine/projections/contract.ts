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

/** Filling in separate threads. */
export interface Filling {
  readonly threads: FillerThreads;
  /** Minimum lag for which a thread is started, in events. */
  readonly from: number;
  /** Notifies the threads whether live projections wait for their writes. */
  hasLive(live: boolean): void;
}

export interface ProjectionRuntimeOptions {
  readonly eventStore: Omit<EventStore, 'append'>;
  readonly readModels: DocumentStore;
  readonly projections: readonly AnyProjection[];
  readonly clock?: SteadyClock;
  readonly log?: Log;
  /** Time for which a replaced build stays available to running queries, in ms. Default: 5,000. */
  readonly graceMs?: number;
  /**
   * Fingerprints of the handlers (handlerFingerprints.ts). Documents by other handlers of the same version are
   * reported.
   */
  readonly fingerprints?: () => Promise<ReadonlyMap<string, HandlerFingerprint>>;
  /**
   * Nobody waits for live projections, as in a command on a data folder that is not in use. Builds run at full speed.
   */
  readonly unattended?: boolean;
  /**
   * Threads that fill builds far behind, if only this process writes the read models. Default: this thread fills them.
   */
  readonly fillers?: Filling;
  /**
   * Present if several instances share the read models. A projection runs here while this instance owns
   * `projection:{name}`.
   */
  readonly leases?: Pick<Leases, 'hold' | 'ownerOf'>;
  /** With leases: number of shards of read models that can be partitioned (`Projection.partitionedBy`). Default: none. */
  readonly shards?: number;
}

/** Operations on the projections for the rest of the service, wherever the projections run. */
export interface ProjectionHost {
  /**
   * Resolves to true when queries on all `names` show everything up to `position`. Resolves to false after `timeoutMs`,
   * or when one has stopped before. A name may be the key of one shard of a read model (`shardKey`).
   */
  waitFor(names: readonly string[], position: Position, timeoutMs: number): Promise<boolean>;
  /**
   * Synchronous form of `waitFor`. Absent if other instances may own some projections, since they are not queried for
   * each read.
   */
  readonly passed?: (names: readonly string[], position: Position) => boolean;
  /** Tracks when query results may last have changed. Absent if others may write the read models too. */
  readonly changes?: ViewChanges | undefined;
  status(): Promise<ProjectionStatus[]>;
  /**
   * Begins a new build while the current one serves; status() shows its progress. Does nothing if a build is filling.
   * `restart`: replaces a filling build by a newer one, if it has one owner and that is this instance. A build that other
   * instances requested, or that is filled by shards, continues. Rejects for an unknown name, and if another instance
   * owns the projection (`isElsewhere`).
   */
  rebuild(name: string, restart?: boolean): Promise<void>;
  /** Finishes the write in progress. */
  stop(): Promise<void>;
}

export type Positions = Readonly<Record<string, Position>>;

export interface ProjectionRuntime extends ProjectionHost {
  /**
   * Resolves when existing builds follow the log. Builds that are new or far behind are filled in the background. With
   * leases it resolves at once, and each projection begins when it is owned. To stop: the leases first, then this.
   */
  start(): Promise<void>;
  /**
   * Calls back with the positions (inclusive) that queries have newly reached, and with the changes. Returns a function
   * that ends it.
   */
  onProgress(callback: (positions: Positions, changed: Changed) => void): () => void;
  /** Calls back with the names of all stopped projections when they have changed. */
  onStopped(callback: (names: readonly string[]) => void): () => void;
}
