/** Owner side of filling: assigns builds to threads. Threads run only while there is something to fill. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Checkpoints } from '../../ports/documents.js';
import { BEFORE_ALL, type EventStore, type LogPlace, type Position } from '../../ports/eventStore.js';
import type { Log } from '../../ports/log.js';
import type { Build } from '../build.js';
import { groupsOf } from './groups.js';
import type { FillerThread, FillerThreads, FromFiller } from './messages.js';

interface Parts {
  readonly threads: FillerThreads;
  readonly eventStore: Pick<EventStore, 'spacing'>;
  /** Minimum lag for which a thread is used, in events. */
  readonly from: number;
  readonly readModels: Pick<Checkpoints, 'checkpoint' | 'marks'>;
  readonly log: Log;
  /** A build is back in this thread, at its checkpoint. */
  back(build: Build): void;
  /** Documents of the build were written. */
  wrote(build: Build): void;
}

interface Filling {
  readonly thread: FillerThread;
  readonly builds: Map<string, Build>;
  isSharing: boolean;
}

const fewer = (one: Filling, other: Filling): Filling => (other.builds.size < one.builds.size ? other : one);

/** Time in ms for which builds are collected before they are assigned together. */
const GATHER_MS = 20;
const RETRY_MS = 1000;

export class Crew {
  readonly #parts: Parts;
  readonly #fillings = new Set<Filling>();
  readonly #away = new Map<string, Build>();
  /** Threads that gave a build back so that another thread continues it. */
  readonly #sharedBy = new WeakMap<Build, Filling>();
  #queue: Build[] = [];
  #gathering: Promise<void> | undefined;
  readonly #ending = new Set<Promise<void>>();
  /** Number of threads started so far. */
  #begun = 0;
  #head = BEFORE_ALL;
  /** Positions per event. */
  #spacing = 1;
  #stopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Call it before `take`. Reads the number of positions per event from the log, if any build could be far behind. */
  async weigh(positions: readonly Position[], head: Position): Promise<void> {
    const { eventStore, from } = this.#parts;
    if (head - Math.min(head, ...positions) < from) return;
    this.#spacing = Math.max(1, (await eventStore.spacing?.()) ?? 1);
  }

  /** Accepts builds that are far behind `head`, and returns the others. */
  take(builds: readonly Build[], head: Position): Build[] {
    this.#head = Math.max(this.#head, head);
    const far = builds.filter((build) => this.#isFar(build));
    for (const build of far) this.#away.set(build.physical, build);
    this.#queue.push(...far);
    if (far.length > 0) this.#handOutSoon();
    return builds.filter((build) => !far.includes(build));
  }

  /** Drops a build that is no longer needed, so that it does not come back. */
  forget(build: Build): void {
    if (!this.#away.delete(build.physical)) return;
    this.#queue = this.#queue.filter((one) => one !== build);
    for (const { thread, builds } of this.#fillings)
      if (builds.has(build.physical)) thread.post({ leave: build.physical });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#gathering;
    for (const one of this.#fillings) this.#end(one);
    await Promise.all(this.#ending);
  }

  #handOutSoon(): void {
    this.#gathering ??= pause(GATHER_MS).then(() => {
      this.#gathering = undefined;
      this.#handOut();
    });
  }

  #handOut(): void {
    if (this.#stopped) return;
    const queue = this.#queue;
    this.#queue = [];
    const free = [...this.#fillings].filter(({ builds }) => builds.size === 0);
    const most = Math.min(this.#parts.threads.most, this.#away.size) - this.#fillings.size;
    for (let more = Math.min(most, queue.length - free.length); more > 0; more -= 1) free.push(this.#begin());
    const takers = free.length > 0 ? free : [...this.#fillings];
    for (const group of groupsOf(queue).sort((a, b) => b.length - a.length)) {
      const others = takers.filter((one) => !group.some((build) => this.#sharedBy.get(build) === one));
      this.#give((others.length > 0 ? others : takers).reduce(fewer), group);
    }
    for (const one of free) if (one.builds.size === 0) this.#employ(one);
  }

  #begin(): Filling {
    this.#begun += 1;
    const thread = this.#parts.threads.start(this.#begun, {
      heard: (message) => this.#heard(one, message),
      ended: () => void this.#ended(one),
    });
    const one: Filling = { thread, builds: new Map(), isSharing: false };
    this.#fillings.add(one);
    return one;
  }

  #give({ thread, builds }: Filling, group: readonly Build[]): void {
    for (const build of group) builds.set(build.physical, build);
    const fill = group.map(({ name, physical, place, isNew, indexesLater, skipped }) => {
      const empty = isNew && place.position === BEFORE_ALL;
      return { name, physical, place, empty, indexesLater, skipped: [...skipped] };
    });
    thread.post({ fill });
  }

  /** Gives an idle thread half of the builds of the busiest one, or ends it. */
  #employ(idle: Filling): void {
    const far = ({ builds }: Filling): number => [...builds.values()].filter((build) => this.#isFar(build)).length;
    const others = [...this.#fillings].filter((one) => one !== idle);
    if (others.some(({ isSharing }) => isSharing)) return;
    const busiest = others.sort((a, b) => far(b) - far(a))[0];
    if (busiest === undefined || far(busiest) < 2) {
      this.#end(idle);
      return;
    }
    busiest.isSharing = true;
    busiest.thread.post({ share: true });
  }

  #end(one: Filling): void {
    this.#fillings.delete(one);
    const ended = one.thread.stop().finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  #heard(one: Filling, message: FromFiller): void {
    if ('moved' in message) {
      const build = this.#away.get(message.moved);
      if (build === undefined) return;
      build.hasMoved(message.place, message.folded);
      this.#parts.wrote(build);
      return;
    }
    if ('shared' in message) {
      one.isSharing = false;
      this.#handOutSoon();
      return;
    }
    const build = one.builds.get(message.back);
    one.builds.delete(message.back);
    // A build that was dropped in the meantime is ignored.
    if (build !== undefined && this.#away.get(build.physical) === build) {
      build.isBack(message.place, message.indexesLater);
      if (message.toShare) {
        this.#sharedBy.set(build, one);
        this.#queue.push(build);
      } else this.#giveBack(build);
    }
    if (one.builds.size === 0 || message.toShare) this.#handOutSoon();
  }

  #isFar({ position }: Build): boolean {
    return this.#head - position >= this.#parts.from * this.#spacing;
  }

  #giveBack(build: Build): void {
    this.#away.delete(build.physical);
    this.#parts.back(build);
  }

  /** Returns the builds of an ended thread to this one, at their checkpoints. */
  async #ended(one: Filling): Promise<void> {
    this.#fillings.delete(one);
    if (this.#stopped || one.builds.size === 0) return;
    const { log } = this.#parts;
    log.warn(
      { projections: [...one.builds.keys()] },
      'projection build thread ended, its builds continue on the main thread',
    );
    for (const build of one.builds.values()) {
      if (this.#away.get(build.physical) !== build) continue;
      const place = await this.#written(build);
      if (this.#stopped) return;
      // It may have been replaced while its place was read.
      if (this.#away.get(build.physical) !== build) continue;
      build.isBack(place, build.indexesLater);
      this.#parts.wrote(build);
      this.#giveBack(build);
    }
  }

  /** Returns the stored place. It is ahead of the last report if the thread could not report any more. */
  async #written({ physical, place }: Build): Promise<LogPlace> {
    const { readModels, log } = this.#parts;
    while (!this.#stopped) {
      try {
        const [position, marks] = [await readModels.checkpoint(physical), await readModels.marks([physical])];
        return { position, mark: marks.get(physical) };
      } catch (error) {
        log.warn({ err: error, collection: physical }, 'checkpoint read failed, retrying');
        await pause(RETRY_MS);
      }
    }
    return place;
  }
}
