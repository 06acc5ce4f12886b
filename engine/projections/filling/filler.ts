/** Thread side of filling: brings builds up to the head, and gives them back. */
import type { SteadyClock } from '../../ports/clock.js';
import type { DocumentStore } from '../../ports/documents.js';
import type { EventStore } from '../../ports/eventStore.js';
import type { Log } from '../../ports/log.js';
import { Build } from '../build.js';
import { CatchUp } from '../catchUp.js';
import type { AnyProjection } from '../projection.js';
import { WHOLE } from '../shardStates.js';
import { Turns } from '../turns.js';
import { groupsOf } from './groups.js';
import type { FillTask, FromFiller, ToFiller } from './messages.js';

interface Parts {
  readonly eventStore: Pick<EventStore, 'readAll' | 'readStream'>;
  readonly readModels: DocumentStore;
  readonly projections: readonly AnyProjection[];
  readonly clock: SteadyClock;
  readonly log: Log;
  /** Returns true if live projections wait while this thread writes. */
  readonly hasLive: () => boolean;
  post(message: FromFiller): void;
}

/**
 * Any problem gives the build back at its checkpoint. The owner of the build meets the problem there again, and reports
 * it.
 */
export class Filler {
  readonly #parts: Parts;
  readonly #catchUp: CatchUp;
  readonly #builds = new Map<string, Build>();
  /** Builds to give back as soon as they have no unwritten changes. */
  readonly #leaving = new Set<Build>();
  /** Number of folded events at the last report. */
  readonly #posted = new Map<Build, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#catchUp = new CatchUp(
      { ...parts, turns: new Turns() },
      {
        arrived: async (builds) => {
          for (const build of builds) this.#giveBack(build);
          return true;
        },
        poisoned: (build) => this.#giveBack(build),
        fenced: (build) => this.#giveBack(build),
        wrote: (build) => this.#wrote(build),
        sharesThread: () => parts.hasLive(),
      },
    );
  }

  hear(message: Exclude<ToFiller, { stop: true }>): void {
    if ('fill' in message) this.#fill(message.fill);
    else if ('share' in message) this.#share();
    else this.#forget(message.leave);
  }

  /** Stops after the slice in progress. Unwritten events are folded again by the next thread. */
  stop(): Promise<void> {
    return this.#catchUp.stop();
  }

  #fill(tasks: readonly FillTask[]): void {
    const builds = tasks.map(({ name, physical, place, empty, indexesLater, skipped }) => {
      const projection = this.#parts.projections.find((one) => one.name === name)!;
      const shards = [{ shard: WHOLE, lease: undefined, place }];
      const build = new Build(this.#parts, { projection, physical, shards, skipped: new Set(skipped), isNew: empty });
      build.indexesLater = indexesLater;
      this.#builds.set(physical, build);
      return build;
    });
    this.#catchUp.add(builds);
  }

  #share(): void {
    for (const build of this.#half()) this.#leaving.add(build);
    if (this.#leaving.size === 0) this.#parts.post({ shared: true });
  }

  /** Drops a build that is no longer needed. Its unwritten changes are discarded. */
  #forget(physical: string): void {
    const build = this.#builds.get(physical);
    if (build === undefined) return;
    this.#catchUp.remove(build);
    build.leave();
    this.#giveBack(build);
  }

  /** Returns every second group if several groups have writes, otherwise every second build. */
  #half(): Build[] {
    const writes = (builds: readonly Build[]): number => builds.reduce((sum, build) => sum + build.writes, 0);
    const groups = groupsOf([...this.#builds.values()]).sort((a, b) => writes(b) - writes(a));
    const busy = groups.filter((group) => writes(group) > 0);
    if (busy.length > 1) return busy.filter((_, i) => i % 2 === 1).flat();
    const [largest = []] = groups;
    return [...largest].sort((a, b) => b.writes - a.writes).filter((_, i) => i % 2 === 1);
  }

  #wrote(build: Build): void {
    // A build that has left was reported already.
    if (!this.#builds.has(build.physical)) return;
    const folded = build.folded - (this.#posted.get(build) ?? 0);
    this.#posted.set(build, build.folded);
    this.#parts.post({ moved: build.physical, place: build.place, folded });
    if (!this.#leaving.has(build) || build.unwritten > 0 || build.position !== build.place.position) return;
    this.#catchUp.remove(build);
    this.#giveBack(build);
  }

  #giveBack(build: Build): void {
    if (!this.#builds.delete(build.physical)) return;
    const toShare = this.#leaving.delete(build);
    this.#posted.delete(build);
    const { physical: back, place, indexesLater, poison } = build;
    this.#parts.post({ back, place, indexesLater, toShare: toShare && poison === undefined });
    if (toShare && this.#leaving.size === 0) this.#parts.post({ shared: true });
  }
}
