import type { SteadyClock } from '../ports/clock.js';
import type { EventStore } from '../ports/eventStore.js';
import type { Log } from '../ports/log.js';
import { projectionSkips, readSkips, skippedBy } from '../skipping/skippedEvents.js';
import type { Build } from './build.js';
import type { AnyProjection } from './projection.js';
import { type ReadModel, stopsOf } from './readModel.js';
import type { Turns } from './turns.js';

interface Parts {
  readonly eventStore: Pick<EventStore, 'readStream'>;
  readonly clock: SteadyClock;
  turns(model: ReadModel): Pick<Turns, 'run'>;
  readonly log: Log;
  readonly models: ReadonlyMap<string, ReadModel>;
  /** Returns true if nobody feeds a stopped build. */
  isStopped(build: Build): boolean;
  /** In a turn: continues builds that were stopped at events which are skipped now. */
  goOn(builds: readonly Build[]): void;
}

const LOOK_MS = 1000;

/** Returns the ids of events that this version of the projection skips, according to the log. */
export const skippedNow = async (
  eventStore: Pick<EventStore, 'readStream'>,
  { name, version }: AnyProjection,
): Promise<ReadonlySet<string>> => skippedBy(await readSkips(eventStore, projectionSkips, name), version);

/**
 * While builds are stopped at events, checks every second if an operator, on any instance, has skipped these events.
 */
export class SkipWatch {
  readonly #parts: Parts;
  #cancel: (() => void) | undefined;
  #stopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Call it when a build has stopped. */
  checkSoon(): void {
    if (this.#stopped || this.#cancel !== undefined) return;
    const { clock, log } = this.#parts;
    this.#cancel = clock.at(clock.now() + LOOK_MS, () => {
      this.#cancel = undefined;
      void this.#check()
        .catch((error) => log.warn({ err: error }, 'skipped events could not be read, retrying'))
        .then(() => this.#stoppedModels().length > 0 && this.checkSoon());
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  #stoppedModels(): ReadModel[] {
    return [...this.#parts.models.values()].filter((one) => this.#stoppedParts(one).length > 0);
  }

  async #check(): Promise<void> {
    const { eventStore, turns } = this.#parts;
    for (const one of this.#stoppedModels()) {
      const skipped = await skippedNow(eventStore, one.projection);
      await turns(one).run(() => this.#takeIn(one, skipped));
    }
  }

  #takeIn(one: ReadModel, skipped: ReadonlySet<string>): void {
    const { models, log, goOn } = this.#parts;
    const { name } = one.projection;
    // The projection may have been handed over in the meantime.
    if (this.#stopped || models.get(name) !== one) return;
    for (const id of skipped) one.skipped.add(id);
    const able = this.#stoppedParts(one).filter((build) => eventsOf(build).some((id) => skipped.has(id)));
    if (able.length === 0) return;
    // Each resumes just before the events that its shards stopped at.
    for (const build of able) build.reset();
    log.info({ projection: name }, 'projection resumed after a skipped event');
    goOn(able);
  }

  #stoppedParts({ parts }: ReadModel): Build[] {
    return [...parts].filter((build) => eventsOf(build).length > 0 && this.#parts.isStopped(build));
  }
}

/** Returns the ids of the events that stopped a build. */
const eventsOf = (build: Build): string[] => stopsOf(build).flatMap(({ eventId }) => eventId ?? []);
