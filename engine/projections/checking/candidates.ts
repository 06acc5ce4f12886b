/** Finds ids of streams to compare, spread over the history, with few short reads. */
import type { SteadyClock } from '../../ports/clock.js';
import type { Documents } from '../../ports/documents.js';
import { BEFORE_ALL, categoryOf, type EventStore, measureOf, type Position } from '../../ports/eventStore.js';
import type { AnyProjection } from '../projection.js';
import type { Landmarks } from './landmarks.js';

export interface CandidateParts {
  readonly eventStore: Pick<EventStore, 'readAll' | 'head' | 'measure'>;
  readonly readModels: Pick<Documents, 'find'>;
  readonly clock: SteadyClock;
  /** Positions at which builds have read events. */
  readonly landmarks?: Pick<Landmarks, 'positions'>;
}

/** Number of places of the history to read. */
const PLACES = 128;
/** Number coprime with PLACES. It scatters the places, so that any first part of them is spread out too. */
const STRIDE = 79;
/** Events read per place. */
const AT_ONCE = 4;
/**
 * Values for logs whose positions do not count events. A read there subscribes, and the server sends thousands of
 * events, so fewer places are read, with more events each.
 */
const KNOWN_PLACES = 16;
const AT_KNOWN = 32;
const CONCURRENT = 8;
/** Documents of each read model that supply further places and streams. */
const DOCUMENTS = 8;
/** Number of streams from rare categories to look for. */
const RARE = 64;
const RARE_PAGES = 200;
const HEX = 16 ** 8;

interface Subject {
  readonly projection: AnyProjection;
  readonly physical: string;
}

/**
 * `turn`: 0 for the first comparison, then 1, 2 and so on; each reads other places. `end`: time after which no read
 * begins.
 */
export async function candidates(
  parts: CandidateParts,
  subjects: readonly Subject[],
  turn: number,
  end: number,
): Promise<(projection: AnyProjection) => readonly string[]> {
  // Steps of the golden ratio come near every place within a few turns.
  const search = new Search(parts, subjects, (turn * 0.618_033_988_749_895) % 1, end);
  await search.documents();
  await search.places();
  await search.rare();
  return (projection) => search.found(projection);
}

class Search {
  readonly #parts: CandidateParts;
  readonly #subjects: readonly Subject[];
  /** From 0 to 1. */
  readonly #offset: number;
  readonly #end: number;
  readonly #byCategory = new Map<string, Set<string>>();
  readonly #byProjection = new Map<string, Set<string>>();
  readonly #stores = new Set<string>();
  readonly #revisions = new Set<Position>();

  constructor(parts: CandidateParts, subjects: readonly Subject[], offset: number, end: number) {
    this.#parts = parts;
    this.#subjects = subjects;
    this.#offset = offset;
    this.#end = end;
  }

  found(projection: AnyProjection): readonly string[] {
    const ids = [...this.#ofEvents(projection), ...(this.#byProjection.get(projection.name) ?? [])];
    // Streams of settings have the id of their store, and may be too rare to be found by position.
    return [...new Set(ids.length < RARE ? [...ids, ...this.#stores] : ids)];
  }

  /** Collects the streams and stores that stored documents name. */
  async documents(): Promise<void> {
    const { readModels } = this.#parts;
    const from = Math.floor(this.#offset * HEX)
      .toString(16)
      .padStart(8, '0');
    for (const { projection, physical } of this.#subjects) {
      if (this.#isOver()) return;
      const first = await readModels.find(physical, { limit: DOCUMENTS });
      const more = first.length < DOCUMENTS ? [] : await readModels.find(physical, { limit: DOCUMENTS, after: [from] });
      const all = [...first, ...more];
      this.#byProjection.set(projection.name, new Set(all.map(({ id }) => id.split('/')[0]!)));
      for (const { revision, keys } of all) {
        this.#revisions.add(revision);
        if (typeof keys.workspaceId === 'string') this.#stores.add(keys.workspaceId);
      }
    }
  }

  /** Reads events at places that are spread over the history. */
  async places(): Promise<void> {
    const { eventStore, landmarks } = this.#parts;
    const isDense = measureOf(eventStore).unit === 'events';
    if (!isDense) await this.#read(BEFORE_ALL, { limit: PLACES * AT_ONCE });
    const limit = isDense ? AT_ONCE : AT_KNOWN;
    const places = isDense
      ? spread(await eventStore.head(), this.#offset)
      : scattered([...(landmarks?.positions() ?? []), ...this.#revisions], this.#offset);
    for (let i = 0; i < places.length && !this.#isOver(); i += CONCURRENT)
      await Promise.all(places.slice(i, i + CONCURRENT).map((after) => this.#read(after, { limit })));
  }

  /** Reads the first events of categories that were not found elsewhere. */
  async rare(): Promise<void> {
    const unseen = this.#subjects.filter(({ projection }) => this.#ofEvents(projection).length === 0);
    const categories = [...new Set(unseen.flatMap(({ projection }) => projection.categories))];
    if (categories.length === 0) return;
    let found = 0;
    let at = BEFORE_ALL;
    for (let page = 0; page < RARE_PAGES && found < RARE && !this.#isOver(); page += 1) {
      const { events, through, end } = await this.#read(at, { filter: { categories }, limit: RARE });
      if (end) return;
      found += events.length;
      at = through;
    }
  }

  async #read(after: Position, options: Parameters<EventStore['readAll']>[1]): ReturnType<EventStore['readAll']> {
    const page = await this.#parts.eventStore.readAll(after, options);
    for (const { stream, meta } of page.events) {
      const category = categoryOf(stream);
      const ids = this.#byCategory.get(category) ?? new Set();
      this.#byCategory.set(category, ids.add(stream.slice(category.length + 1)));
      if (meta?.workspaceId !== undefined) this.#stores.add(meta.workspaceId);
    }
    return page;
  }

  #ofEvents({ categories }: AnyProjection): string[] {
    return categories.flatMap((category) => [...(this.#byCategory.get(category) ?? [])]);
  }

  #isOver(): boolean {
    return this.#parts.clock.now() > this.#end;
  }
}

/** Returns evenly spread places. Positions must count events, so that each is a place to read from. */
function spread(head: Position, offset: number): Position[] {
  const step = Math.max(AT_ONCE, (head + 1) / PLACES);
  const shift = step === AT_ONCE ? 0 : offset * (step - AT_ONCE);
  const places = Array.from({ length: PLACES }, (_, i) => ((i * STRIDE) % PLACES) * step);
  return places.map((place) => Math.floor(place + shift) - 1).filter((place) => place < head);
}

/** Picks some of the known places, in scattered order. */
function scattered(known: readonly Position[], offset: number): Position[] {
  const sorted = [...known].sort((a, b) => a - b);
  const step = Math.max(1, sorted.length / KNOWN_PLACES);
  const shift = Math.floor(offset * (step - 1));
  const picks = Array.from(
    { length: KNOWN_PLACES },
    (_, i) => Math.floor(((i * STRIDE) % KNOWN_PLACES) * step) + shift,
  );
  return picks.flatMap((pick) => sorted[pick] ?? []);
}
