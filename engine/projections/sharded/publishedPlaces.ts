import type { SteadyClock } from '../../ports/clock.js';
import type { Checkpoint, Checkpoints } from '../../ports/documents.js';
import { BEFORE_ALL, type Position } from '../../ports/eventStore.js';
import type { Log } from '../../ports/log.js';
import type { Build } from '../build.js';
import type { ReadModel } from '../readModel.js';
import type { Turns } from '../turns.js';
import { shardProgress } from './names.js';

interface Owned {
  /** Shards of this instance. */
  mine(): Iterable<number>;
  models(): Iterable<ReadModel>;
  /** Returns true if new events are fed to the part. */
  isFed(part: Build): boolean;
}

interface Source {
  readonly readModels: Pick<Checkpoints, 'write'>;
  readonly turns: Turns;
  readonly clock: SteadyClock;
  readonly log: Log;
}

/** Delay in ms until waiters for all shards learn of events that belong to other shards. */
const SOON_MS = 200;

/**
 * Publishes the progress of shards, with one place per shard for all read models. It covers shards of which every
 * document is fed here, in serving builds and in their successors. A published place stays true under any owner of the
 * shard, so it has no fence.
 */
export class PublishedPlaces {
  readonly #source: Source;
  readonly #owned: Owned;
  #complete: ReadonlySet<number> | undefined;
  #cancel: (() => void) | undefined;
  #published: Position = BEFORE_ALL;
  #stopped = false;

  constructor(source: Source, owned: Owned) {
    this.#source = source;
    this.#owned = owned;
  }

  /** Call it when shards, builds or fed parts may have changed. */
  changed(): void {
    this.#complete = undefined;
  }

  /** Returns true if the progress of the shard is published here. */
  isPublished(shard: number): boolean {
    return this.#completeShards().has(shard);
  }

  /** Returns the places of the shards that a write touches, to be written with it. Runs in a turn. */
  touchedPlaces(): Checkpoint[] {
    const fed = this.#completeShards().size === 0 ? undefined : this.#fed();
    if (fed === undefined) return [];
    const touched = new Set(fed.flatMap((part) => [...part.shards.touched]));
    return this.#placesOf(fed, [...touched]);
  }

  /** Schedules publishing the progress of all shards, with or without events. */
  soon(): void {
    const { clock, turns, log } = this.#source;
    if (this.#stopped) return;
    this.#cancel ??= clock.at(clock.now() + SOON_MS, () => {
      this.#cancel = undefined;
      void turns
        .run(() => this.#publish())
        .catch((error: unknown) => log.warn({ err: error }, 'shard progress could not be published, retrying'));
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  async #publish(): Promise<void> {
    const fed = this.#fed();
    if (this.#stopped || fed === undefined || fed.length === 0) return;
    const places = this.#placesOf(fed, [...this.#owned.mine()]);
    if (places.length === 0 || places[0]!.position < this.#published) return;
    await this.#source.readModels.write({}, ...places);
    this.#published = places[0]!.position;
  }

  #completeShards(): ReadonlySet<number> {
    if (this.#complete !== undefined) return this.#complete;
    const fed = this.#fed();
    const complete = fed === undefined ? [] : [...this.#owned.mine()].filter((shard) => fed.every(has(shard)));
    this.#complete = new Set(complete);
    return this.#complete;
  }

  /** Returns undefined if a build is not fed here. */
  #fed(): Build[] | undefined {
    const found: Build[] = [];
    for (const { served, filling, frozen, parts } of this.#owned.models()) {
      if (served === undefined || frozen) return undefined;
      for (const physical of filling === undefined ? [served] : [served, filling]) {
        const live = [...parts].find((part) => part.physical === physical && this.#owned.isFed(part));
        if (live === undefined) return undefined;
        found.push(live);
      }
    }
    return found;
  }

  #placesOf(fed: readonly Build[], shards: readonly number[]): Checkpoint[] {
    const complete = this.#completeShards();
    const { passed } = fed.reduce((least, part) => (part.position < least.position ? part : least));
    const able = shards.filter((shard) => complete.has(shard) && fed.every(has(shard)));
    return able.map((shard) => ({ name: shardProgress(shard), ...passed }));
  }
}

/** Returns true if a part has the shard, and the shard is not stopped at an event. */
const has =
  (shard: number) =>
  (part: Build): boolean => {
    const state = part.shards.get(shard);
    return state !== undefined && state.stopped === undefined;
  };
