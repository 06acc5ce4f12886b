import type { DomainEvent } from '../../domain/decider.js';
import { messageOf } from '../messageOf.js';
import type { Tenure } from '../ownership/tenure.js';
import type { Clock } from '../ports/clock.js';
import {
  type Checkpoint,
  type CollectionDefinition,
  type DocumentStore,
  Fenced,
  type WriteBatch,
} from '../ports/documents.js';
import type { EventStore, Position } from '../ports/eventStore.js';
import { OwnDocuments } from './ownDocuments.js';
import type { Incoming, Page } from './page.js';
import { type AnyProjection, type Handler, handlersOf, type View } from './projection.js';
import { RateMeter } from './rateMeter.js';
import { type Entry, ViewCache } from './viewCache.js';

/** Where and why a projection stopped; `eventId`, `type` and `stream` are absent when it was no event's doing. */
export interface Poison {
  readonly position: Position;
  readonly eventId?: string;
  readonly type?: string;
  readonly stream?: string;
  readonly error: string;
}

const NONE: readonly Incoming[] = [];

/** What every build works with. */
export interface BuildParts {
  readonly readModels: DocumentStore;
  readonly eventStore: Pick<EventStore, 'readStream'>;
  readonly clock: Clock;
}

interface Step {
  readonly incoming: Incoming;
  readonly handler: Handler<unknown, DomainEvent>;
  readonly ids: readonly string[];
  readonly own: View<unknown> | undefined;
}

/** Views kept in memory when live, per projection. */
const LIVE_VIEWS = 6_000;
/** The same while it fills, when a view is often touched again soon. */
const FILL_VIEWS = 8000;

type Turn = (work: () => Promise<void>) => Promise<void>;

export const definitionOf = (projection: AnyProjection, physical: string): CollectionDefinition => ({
  name: physical,
  keys: projection.keys,
  indexes: projection.indexes,
});

const eventOf = ({ event }: Incoming) => ({ eventId: event.id, type: event.type, stream: event.stream });

/** The position of the event before this one: what lies between two events need not be a place to go on from. */
const lastBefore = ({ all }: Page, position: Position): Position | undefined =>
  all.findLast((one) => one.position < position)?.position;

/**
 * One build of a projection: a collection, how far it has come, and the views in memory. `fold` takes events in, `flush`
 * writes the changed documents with the checkpoint in one write, so the checkpoint is never ahead of the documents.
 */
export class Build {
  readonly projection: AnyProjection;
  readonly physical: string;
  /** Made by another version: it is read until its successor is there, but takes no events in. */
  readonly frozen: boolean;
  readonly rate: RateMeter;
  /** Where other instances may take the projection over. */
  readonly tenure: Tenure | undefined;
  /** Everything up to here is folded. */
  position: Position;
  poison: Poison | undefined;
  /** Indexes are still to be built before it can serve. */
  indexesLater = false;
  readonly #readModels: DocumentStore;
  readonly #categories: ReadonlySet<string>;
  readonly #handlers: ReturnType<typeof handlersOf>;
  /** Where a handler looks at its stream's own document. */
  readonly #own: OwnDocuments | undefined;
  /** Ids of the events that it passes over. */
  readonly #skipped: ReadonlySet<string>;
  readonly #views: ViewCache;
  #written: Position;
  #writes = 0;
  #last: Incoming | undefined;
  #seen: Position;
  #looked = 0;
  #hasLeft = false;

  constructor(
    { readModels, eventStore, clock }: BuildParts,
    projection: AnyProjection,
    at: {
      physical: string;
      position: Position;
      empty: boolean;
      frozen: boolean;
      tenure: Tenure | undefined;
      /** May grow while it runs. */
      skipped?: ReadonlySet<string>;
    },
  ) {
    this.#readModels = readModels;
    this.projection = projection;
    this.physical = at.physical;
    this.frozen = at.frozen;
    this.position = at.position;
    this.#written = at.position;
    this.#seen = at.position;
    this.tenure = at.tenure;
    this.rate = new RateMeter(clock);
    this.#categories = new Set(projection.categories);
    this.#handlers = handlersOf(projection);
    this.#skipped = at.skipped ?? new Set();
    this.#own = [...this.#handlers.values()].some(({ own }) => own)
      ? new OwnDocuments(eventStore, this.#handlers, this.#skipped)
      : undefined;
    this.#views = new ViewCache(at.empty, at.tenure !== undefined);
  }

  get name(): string {
    return this.projection.name;
  }
  /** Changed views that are not written yet. */
  get unwritten(): number {
    return this.#views.dirty;
  }
  get views(): number {
    return this.#views.size;
  }
  get written(): Position {
    return this.#written;
  }
  /** Position of the last event of its categories. */
  get seen(): Position {
    return this.#seen;
  }
  /** Events passed since the checkpoint that is written: what a crash makes it look at again. */
  get looked(): number {
    return this.#looked;
  }
  /** It is run here no more: another instance owns the projection. */
  get hasLeft(): boolean {
    return this.#hasLeft;
  }
  /** Whether it is still this instance's to write. */
  get mayWrite(): boolean {
    return !this.#hasLeft && (this.tenure?.valid() ?? true);
  }
  /** Documents written in this process. */
  get writes(): number {
    return this.#writes;
  }

  /** Stops this build; what was folded before stays good. */
  stop(poison: Poison): void {
    this.poison = poison;
  }

  /** The event that it stopped at is skipped now: it may go on, just before that event. */
  goOn(): void {
    this.poison = undefined;
  }

  /** Ends it here, with what is in memory. */
  leave(): void {
    this.#hasLeft = true;
    this.#views.clear();
  }

  /** Stops this build because the engine never takes what its last event led to. */
  refuse(error: unknown): void {
    const last = this.#last;
    this.poison = {
      position: last?.position ?? this.#written,
      ...(last !== undefined && eventOf(last)),
      error: messageOf(error),
    };
  }

  /** Takes in the events after `position`; a handler that throws stops the build just before its event. */
  async fold(page: Page, through: Position): Promise<void> {
    if (this.poison !== undefined || this.#hasLeft) return;
    const from = this.position;
    const handled = this.#handled(page);
    await this.#loadOwn(handled);
    const steps = this.#steps(handled);
    this.#looked += page.all.length;
    await this.#load(steps);
    for (const step of steps) if (!this.#apply(step)) break;
    this.#last = steps.at(-1)?.incoming ?? this.#last;
    // Set by one of the two above.
    const { poison } = this as { poison?: Poison };
    this.position =
      poison === undefined ? Math.max(from, through) : Math.max(from, lastBefore(page, poison.position) ?? from);
    this.rate.add(steps.length, this.position - from);
  }

  /**
   * Writes what was folded, with the checkpoint. `slices`: at most so many documents at once, each write in a `turn` of
   * its own; the checkpoint and removals come with the last, and until then a repeated event finds itself in the
   * document. Rejects when the engine refuses, and with Fenced when there is a newer owner; the build is then as after
   * reset().
   */
  async flush(
    keep: 'live' | 'filling',
    slices = Number.POSITIVE_INFINITY,
    turn: Turn = (work) => work(),
  ): Promise<void> {
    if (this.#written === this.position && this.#views.dirty === 0) return;
    const { physical } = this;
    const owed = this.owed();
    const { put, remove } = owed.batch;
    try {
      let done = 0;
      for (; put.length - done > slices; done += slices) {
        const part = put.slice(done, done + slices);
        await turn(() => this.#write({ [physical]: { put: part } }));
      }
      const rest = done === 0 ? put : put.slice(done);
      const batches = rest.length + remove.length === 0 ? {} : { [physical]: { put: rest, remove } };
      await turn(() => this.#write(batches, owed.checkpoint));
    } catch (error) {
      this.reset();
      throw error;
    }
    this.wrote(owed, keep);
  }

  /** What was folded and is not stored, with its checkpoint, for a write together with others; then call `wrote`. */
  owed(): { readonly batch: Required<WriteBatch>; readonly checkpoint: Checkpoint } {
    const { physical: name, position, tenure } = this;
    return {
      batch: this.#views.changes(),
      checkpoint: { name, position, ...(tenure !== undefined && { fence: tenure.fence }) },
    };
  }

  /** All that `owed` named is stored. */
  wrote({ batch, checkpoint }: ReturnType<Build['owed']>, keep: 'live' | 'filling'): void {
    this.#views.written(keep === 'live' ? LIVE_VIEWS : FILL_VIEWS);
    this.#written = checkpoint.position;
    this.#looked = 0;
    this.#writes += batch.put.length;
  }

  /** Makes it fit to serve after a fill without indexes. */
  async buildIndexes(): Promise<void> {
    await this.#readModels.buildIndexes(this.physical);
    this.indexesLater = false;
  }

  /** Forgets what is not written: folding goes on from the checkpoint. */
  reset(): void {
    this.#views.clear();
    this.position = this.#written;
    this.#seen = this.#written;
    this.#looked = 0;
    this.poison = undefined;
  }

  #write(batches: Readonly<Record<string, WriteBatch>>, checkpoint?: Checkpoint): Promise<void> {
    const { physical: name, tenure } = this;
    if (!this.mayWrite) throw new Fenced(`'${name}' is no longer this instance's`);
    if (checkpoint !== undefined) return this.#readModels.write(batches, checkpoint);
    return this.#readModels.write(batches, ...(tenure === undefined ? [] : [{ name, fence: tenure.fence }]));
  }

  /** The events that are this build's to take in, each with its handler. */
  #handled({ all, byCategory }: Page): Pick<Step, 'incoming' | 'handler'>[] {
    const handled: Pick<Step, 'incoming' | 'handler'>[] = [];
    const { categories } = this.projection;
    const own = categories.length === 1 ? (byCategory.get(categories[0]!) ?? NONE) : all;
    for (const one of own) {
      if (one.position <= this.position || !this.#categories.has(one.category)) continue;
      this.#seen = one.position;
      const handler = this.#handlers.get(one.event.type);
      if (handler !== undefined && !this.#skipped.has(one.event.id)) handled.push({ incoming: one, handler });
    }
    return handled;
  }

  async #loadOwn(handled: readonly Pick<Step, 'incoming' | 'handler'>[]): Promise<void> {
    if (this.#own === undefined || handled.length === 0) return;
    const events = handled.map(({ incoming }) => incoming);
    await this.#loadMissing(events.map(({ event }) => event.streamId));
    await this.#own.begin(events, (streamId) => this.#views.get(streamId));
  }

  #steps(handled: readonly Pick<Step, 'incoming' | 'handler'>[]): Step[] {
    const steps: Step[] = [];
    for (const { incoming, handler } of handled)
      try {
        const own = handler.own ? this.#own?.before(incoming) : undefined;
        const ids = handler.ids?.(incoming.event, own) ?? [incoming.event.streamId];
        this.#own?.passed(incoming, ids);
        steps.push({ incoming, handler, ids, own });
      } catch (error) {
        this.#poisoned(incoming, error);
        break;
      }
    return steps;
  }

  async #load(steps: readonly Step[]): Promise<void> {
    const needed: string[] = [];
    for (const { ids, handler, incoming } of steps) {
      // A stream's own document does not stand before its first event; a repeated one is told by its revision.
      if (incoming.event.revision === 0 && handler.ids === undefined) this.#views.begin(incoming.event.streamId);
      else needed.push(...ids);
    }
    await this.#loadMissing(needed);
  }

  async #loadMissing(ids: readonly string[]): Promise<void> {
    const missing = new Set<string>();
    for (const id of ids) if (this.#views.use(id) === undefined) missing.add(id);
    if (missing.size === 0) return;
    const found = await this.#readModels.getMany(this.physical, [...missing], { removed: true });
    for (const id of missing) this.#views.loaded(id, found.get(id));
  }

  /** Folds one event into all views that it touches, or into none. */
  #apply({ incoming: one, handler, ids, own }: Step): boolean {
    const before: [Entry, Entry][] = [];
    try {
      for (const id of ids) {
        const entry = this.#views.get(id);
        // Already in it: documents were written, and then the checkpoint was not.
        if (entry.revision >= one.position && !before.some(([changed]) => changed === entry)) continue;
        const view = handler.evolve(entry.view, one.event, id, own);
        if (view === entry.view) continue;
        if (ids.length > 1) before.push([entry, { ...entry }]);
        this.#views.change(entry, view, one.position);
      }
      return true;
    } catch (error) {
      for (const [entry, was] of before.reverse()) this.#views.restore(entry, was);
      this.#poisoned(one, error);
      return false;
    }
  }

  #poisoned(one: Incoming, error: unknown): void {
    this.poison = { position: one.position, ...eventOf(one), error: messageOf(error) };
  }
}
