import type { Position } from '../../ports/eventStore.js';
import type { Build } from '../build.js';
import type { Positions } from '../contract.js';
import { Listeners } from '../listeners.js';
import { shardKey } from './names.js';
import type { SharedReadModel } from './sharedReadModel.js';

/** Notifies waiters and listeners of the progress of shards that are owned here, and of those stopped at an event. */
export class ShardAnnouncements extends Listeners {
  readonly #sharings: ReadonlyMap<string, SharedReadModel>;
  readonly #count: number;

  /** `count`: number of shards. */
  constructor(sharings: ReadonlyMap<string, SharedReadModel>, count: number) {
    super();
    this.#sharings = sharings;
    this.#count = count;
  }

  /**
   * Publishes written documents of these shards up to `position`. Builds that queries do not read yet are not
   * published.
   */
  moved(part: Build, shards: Iterable<number>, position: Position): void {
    if (this.#sharings.get(part.name)?.served !== part.physical) return;
    const moved: [string, Position][] = [];
    for (const shard of shards) moved.push([shardKey(part.name, shard), position]);
    if (part.shards.size === this.#count) moved.push([part.name, part.position]);
    if (moved.length === 0) return;
    this.#notify(Object.fromEntries(moved), part);
  }

  /** Publishes a write of a part that has not arrived. */
  wrote(part: Build): void {
    if (this.#sharings.get(part.name)?.served === part.physical) this.#notify({}, part);
  }

  #notify(positions: Positions, { name }: Build): void {
    // Applies to all tenants: writes of other instances are unknown here, so nobody caches responses by it.
    this.publish(positions, { projections: [name] });
  }

  /** Call it when a part may have stopped or resumed. */
  stopped(): void {
    const names = new Set<string>();
    for (const { projection, served, parts } of this.#sharings.values())
      for (const part of parts) {
        if (part.physical !== served) continue;
        const shards = part.poison === undefined ? part.shards.stopped() : [...part.shards.keys()];
        for (const shard of shards) names.add(shardKey(projection.name, shard));
        if (shards.length > 0) names.add(projection.name);
      }
    this.publishStopped([...names]);
  }
}
