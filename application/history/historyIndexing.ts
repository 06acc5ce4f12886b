/** Builds the history index in the background. */
import { setTimeout as pause } from 'node:timers/promises';
import { BEFORE_ALL, type Position } from '../../engine/ports/eventStore.js';
import type { StoredEvent, StoredLog, StoredPage } from '../../engine/ports/storedLog.js';
import type { HistoryIndexMaker, TimeSpan } from '../ports/historyIndex.js';
import { customerFacetsOf, nameOfSecret } from './customerFacets.js';
import { facetsOf, requestFacet } from './historyFacets.js';

/** Events per page, in memory at once. More events lead to fewer rows per index key. */
const PAGE = 4_000;
/** Maximum pause between two pages, in ms. Pausing as long as a page took leaves the core to others. */
const LONGEST_REST_MS = 1_000;

type Meta = Parameters<typeof facetsOf>[0]['meta'] & { readonly at?: unknown };

function objectIn(bytes: Uint8Array): object {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    // Metadata of another program: nothing to index.
    return {};
  }
}

/** Positions of each index key in a page. */
class Places {
  readonly all = new Map<string, Position[]>();
  least = Number.MAX_SAFE_INTEGER;
  greatest = Number.MIN_SAFE_INTEGER;
  /** Lists that always grow together: events with the same store, type and actor have the same index keys. */
  readonly #alike = new Map<string, readonly Position[][]>();
  /** Metadata of the last event, in bytes. Events of one append have equal metadata. */
  #bytes: Uint8Array = new Uint8Array();
  #meta: Meta = {};
  #likeness = '';
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  take({ type, meta: bytes, data, position }: StoredEvent): void {
    if (Buffer.compare(bytes, this.#bytes) !== 0) this.#read(bytes);
    const { correlationId } = this.#meta;
    if (typeof correlationId === 'string') this.#list(requestFacet(correlationId)).push(position);
    for (const facet of customerFacetsOf(this.#meta, () => objectIn(data), this.#secret))
      this.#list(facet).push(position);
    const likeness = `${type} ${this.#likeness}`;
    let lists = this.#alike.get(likeness);
    if (lists === undefined) {
      lists = facetsOf({ type, meta: this.#meta }).map((facet) => this.#list(facet));
      this.#alike.set(likeness, lists);
    }
    for (const list of lists) list.push(position);
  }

  #read(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#meta = objectIn(bytes);
    const { workspaceId, operator, actor, at } = this.#meta;
    this.#spread(at);
    const { type, id } = (actor ?? {}) as { readonly type?: unknown; readonly id?: unknown };
    this.#likeness = `${workspaceId} ${type} ${operator === undefined ? '' : '+'} ${id}`;
  }

  /** Extends the time span. An event of another program may have no time, so the span then includes all times. */
  #spread(at: unknown): void {
    const ms = typeof at === 'string' ? Date.parse(at) : Number.NaN;
    const isKnown = !Number.isNaN(ms);
    this.least = Math.min(this.least, isKnown ? ms : Number.MIN_SAFE_INTEGER);
    this.greatest = Math.max(this.greatest, isKnown ? ms : Number.MAX_SAFE_INTEGER);
  }

  #list(facet: string): Position[] {
    let list = this.all.get(facet);
    if (list === undefined) {
      list = [];
      this.all.set(facet, list);
    }
    return list;
  }
}

function placesOf(events: readonly StoredEvent[], secret: string): Places {
  const places = new Places(secret);
  for (const event of events) places.take(event);
  return places;
}

export class HistoryIndexing {
  readonly #log: StoredLog;
  readonly #index: HistoryIndexMaker;
  readonly #secret: string;
  #known = false;

  /** `secret`: from `IndexedPeople`. */
  constructor(log: StoredLog, index: HistoryIndexMaker, secret: string) {
    this.#log = log;
    this.#index = index;
    this.#secret = secret;
  }

  /** Indexes up to the end of the log. Rejects with LogDamaged, StoreUnavailable, StorageFull, or the signal's reason. */
  async advance(signal?: AbortSignal): Promise<void> {
    if (!this.#known && !(await this.#isOfThisLog())) this.#index.clear();
    this.#known = true;
    for (;;) {
      signal?.throwIfAborted();
      const startedAt = performance.now();
      const page = await this.#log.readAfter(this.#index.made()?.through ?? BEFORE_ALL, PAGE);
      const last = page.events.at(-1);
      if (last !== undefined) this.#add(page, last);
      if (page.end) return;
      await pause(Math.min(LONGEST_REST_MS, performance.now() - startedAt), undefined, signal && { signal });
    }
  }

  #add({ events, through }: StoredPage, last: StoredEvent): void {
    const { all, least, greatest } = placesOf(events, this.#secret);
    const mark = { position: last.position, id: last.id };
    const span: TimeSpan = { through, least, greatest };
    this.#index.add(all, { through, mark, secret: nameOfSecret(this.#secret) }, span);
  }

  async #isOfThisLog(): Promise<boolean> {
    const part = this.#index.made();
    if (part === undefined) return true;
    if (part.secret !== nameOfSecret(this.#secret)) return false;
    const { events } = await this.#log.readAfter(part.mark.position - 1, 1);
    return events[0]?.position === part.mark.position && events[0].id === part.mark.id;
  }
}
