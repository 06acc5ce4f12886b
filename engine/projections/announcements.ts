import type { Position } from '../ports/eventStore.js';
import type { Build } from './build.js';
import { Listeners } from './listeners.js';
import type { ReadModel } from './readModel.js';
import { shardKey } from './sharded/names.js';
import type { Changed } from './viewChanges.js';

/** Shards of a build whose documents are written up to `position`. */
export interface Progress {
  readonly build: Build;
  readonly shards: Iterable<number>;
  readonly position: Position;
}

/** Returns the progress of builds with all their shards. */
export const progressOf = (builds: readonly Build[]): Progress[] =>
  builds.map((build) => ({ build, shards: build.shards.keys(), position: build.position }));

/** Notifies waiters and listeners of the progress of builds that queries read, and of stopped builds. */
export class Announcements extends Listeners {
  readonly #models: ReadonlyMap<string, ReadModel>;
  readonly #count: number;

  /** `count`: number of shards of a partitioned read model. */
  constructor(models: ReadonlyMap<string, ReadModel>, count: number) {
    super();
    this.#models = models;
    this.#count = count;
  }

  /**
   * Publishes builds that moved, except those that queries do not read yet. `changed`: default: all they show. That
   * applies to all tenants: writes of other instances are unknown here, so nobody caches responses by it.
   */
  moved(progress: readonly Progress[], changed?: Changed): void {
    const read = progress.filter(({ build }) => this.#isRead(build));
    const moved = read.flatMap((one) => this.#keysOf(one));
    if (moved.length === 0 && changed === undefined) return;
    const projections = [...new Set(read.map(({ build }) => build.name))];
    this.publish(Object.fromEntries(moved), changed ?? { projections });
  }

  /** Publishes a write of a build that has not arrived. */
  wrote(build: Build): void {
    if (this.#isRead(build)) this.publish({}, { projections: [build.name] });
  }

  /** Call it when a build may have stopped or resumed. */
  stopped(): void {
    const names = new Set<string>();
    for (const { inWork } of this.#models.values())
      for (const { name, poison, shards } of inWork) {
        const stopped = poison === undefined ? shards.stopped() : [...shards.keys()];
        if (!shards.isWhole) for (const shard of stopped) names.add(shardKey(name, shard));
        if (stopped.length > 0) names.add(name);
      }
    this.publishStopped([...names]);
  }

  /** Returns the keys that waiters use: the name of the read model, and those of its shards. */
  #keysOf({ build, shards, position }: Progress): [string, Position][] {
    if (build.shards.isWhole) return [[build.name, position]];
    const keys = [...shards].map((shard): [string, Position] => [shardKey(build.name, shard), position]);
    return build.shards.size === this.#count ? [...keys, [build.name, build.position]] : keys;
  }

  #isRead(build: Build): boolean {
    return this.#models.get(build.name)?.isRead(build) === true;
  }
}
