import type { Lease } from '../ownership/lease.js';
import type { Position } from '../ports/eventStore.js';
import type { Build } from './build.js';
import type { AnyProjection } from './projection.js';

/** Read model on an instance: its builds, as far as they run here. */
export class ReadModel {
  readonly projection: AnyProjection;
  /** Present if another instance may take the whole read model over. */
  readonly lease: Lease | undefined;
  /** Known ids of the events that all its builds skip. */
  readonly skipped = new Set<string>();
  /** Builds that run here. A partitioned build may be in several parts, each with some of its shards. */
  readonly parts = new Set<Build>();
  /** Collection that queries read; undefined before the first build. */
  served: string | undefined;
  /** Collection of the build that will replace it. */
  filling: string | undefined;
  /** True if queries read a build of another version, which folds no events; undefined before its builds were read. */
  frozen: boolean | undefined;
  /** Value of `buildsCount` at which the builds of a partitioned read model were last read. */
  changes: Position | undefined;
  /** True if these builds, or the shards that are owned here, have changed since. */
  stale = true;
  /** True if a partitioned build has documents by other handlers of the same version. */
  handlersChanged = false;

  constructor(projection: AnyProjection, lease?: Lease) {
    this.projection = projection;
    this.lease = lease;
  }

  /** Parts of the build that queries read. */
  get current(): Build[] {
    return this.#of(this.served);
  }

  /** Parts of the build that will replace it. */
  get next(): Build[] {
    return this.#of(this.filling);
  }

  /** Parts of interest to operators: the new build, unless it is stopped and the previous one continues. */
  get inWork(): Build[] {
    const { current, next } = this;
    const goesOn = current.length > 0 && !this.frozen;
    return this.filling === undefined || (goesOn && next.some(isStopped)) ? current : next;
  }

  /** Returns true if queries read the build. */
  isRead(build: Build): boolean {
    return build.physical === this.served && this.parts.has(build);
  }

  /** Returns the shards of a build that some part here has. */
  shardsOf(physical: string): Set<number> {
    return new Set(this.#of(physical).flatMap((part) => [...part.shards.keys()]));
  }

  #of(physical: string | undefined): Build[] {
    return [...this.parts].filter((part) => part.physical === physical);
  }
}

/** Returns true if the build, or one of its shards, is stopped at an event or by its collection. */
export const isStopped = (build: Build): boolean => build.poison !== undefined || build.shards.stopped().length > 0;

/** Returns the reasons for which a build and its shards are stopped. */
export const stopsOf = (build: Build): NonNullable<Build['poison']>[] =>
  [build.poison, ...[...build.shards.values()].map(({ stopped }) => stopped?.poison)].filter(
    (poison) => poison !== undefined,
  );
