/**
 * Streams that are named after a phone or user id by a public rule. The log stores them under another name, derived
 * with a secret of the vault, so that a reader of the log cannot find a number by trying. A read by the original name
 * finds the stored name. A stream that exists under its original name continues there.
 */
import { derivedId } from '../../domain/ids.js';
import { IDLE_MS } from '../idle.js';
import { LateCache } from '../lateCache.js';
import { categoryOf, type EventStore, type RecordedEvent, streamName } from '../ports/eventStore.js';
import type { People } from './people.js';

const MOST = 50_000;
type StreamOptions = NonNullable<Parameters<EventStore['readStream']>[1]>;

/** Time for which an absent stream is cached as absent, in ms. The caller that looks it up is about to begin it. */
const ABSENT_MS = 1_000;

export class KeyedStreams {
  readonly #store: Pick<EventStore, 'readStream'>;
  readonly #people: Pick<People, 'keyed'>;
  readonly #categories: ReadonlySet<string>;
  /** True if new streams get a derived name. */
  readonly #makes: boolean;
  /** Stored names by original name. */
  readonly #known = new LateCache<string>({ max: MOST, ttl: IDLE_MS, idle: true });

  /** `store`: log with the stored names. */
  constructor(
    store: Pick<EventStore, 'readStream'>,
    people: Pick<People, 'keyed'>,
    options: { readonly categories: ReadonlySet<string>; readonly makes: boolean },
  ) {
    this.#store = store;
    this.#people = people;
    this.#categories = options.categories;
    this.#makes = options.makes;
  }

  /** Returns the name under which the stream is stored, or would be. Rejects with StoreUnavailable. */
  nameOf(stream: string): string | Promise<string> {
    return this.#categories.has(categoryOf(stream)) ? (this.#known.get(stream) ?? this.#find(stream)) : stream;
  }

  /** Reads a stream by its stored name. The first read of a stream also serves as the lookup of its name. */
  async read(stream: string, options: StreamOptions = {}): Promise<RecordedEvent[]> {
    const isKnown = !this.#categories.has(categoryOf(stream)) || this.#known.get(stream) !== undefined;
    const { direction = 'forwards', from = 0, limit = 1 } = options;
    // Only then does an empty result prove that the stream does not exist.
    const mentions = direction === 'forwards' && from === 0 && limit > 0;
    if (isKnown || !mentions) return this.#store.readStream(await this.nameOf(stream), options);
    return (await this.#check(stream, options)).events;
  }

  async #find(stream: string): Promise<string> {
    return (await this.#check(stream, { limit: 1 })).name;
  }

  /** `options`: a read from the beginning that returns at least one event of an existing stream. */
  async #check(stream: string, options: StreamOptions): Promise<{ name: string; events: RecordedEvent[] }> {
    const keyed = streamName(categoryOf(stream), derivedId('keyed', await this.#people.keyed(stream)));
    // Derived name first. A stream has only one of both names, unless an older release wrote concurrently.
    for (const name of [keyed, stream]) {
      const events = await this.#store.readStream(name, options);
      if (events.length === 0) continue;
      this.#known.set(stream, name);
      return { name, events };
    }
    const name = this.#makes ? keyed : stream;
    this.#known.set(stream, name, { ttl: ABSENT_MS });
    return { name, events: [] };
  }
}
