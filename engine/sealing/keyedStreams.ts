/**
 * Streams whose names are made of a person's phone or user id by a rule that anybody may know. In the log they stand under another
 * name, made of that one with a secret of the vault: who has the log cannot find a number by trying, and whoever asks by the one
 * name finds the other. What stood under its own name before goes on there.
 */
import { derivedId } from '../../domain/ids.js';
import { IDLE_MS } from '../idle.js';
import { LateCache } from '../lateCache.js';
import { categoryOf, type EventStore, type RecordedEvent, streamName } from '../ports/eventStore.js';
import type { People } from './people.js';

const MOST = 50_000;
type StreamOptions = NonNullable<Parameters<EventStore['readStream']>[1]>;

/** How long nobody else is expected to begin a stream that is not there under its own name: whoever looks is about to begin it. */
const ABSENT_MS = 1_000;

export class KeyedStreams {
  readonly #store: Pick<EventStore, 'readStream'>;
  readonly #people: Pick<People, 'keyed'>;
  readonly #categories: ReadonlySet<string>;
  /** New ones get such a name. */
  readonly #makes: boolean;
  /** Where streams stand that are there. */
  readonly #known = new LateCache<string>({ max: MOST, ttl: IDLE_MS, idle: true });

  /** `store`: as it is stored. */
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

  /** Under which name it stands in the log, or would. Rejects with StoreUnavailable. */
  nameOf(stream: string): string | Promise<string> {
    return this.#categories.has(categoryOf(stream)) ? (this.#known.get(stream) ?? this.#find(stream)) : stream;
  }

  /** As the store reads it, by the name that it stands by. One that is looked for the first time is read where it is looked for. */
  async read(stream: string, options: StreamOptions = {}): Promise<RecordedEvent[]> {
    const isKnown = !this.#categories.has(categoryOf(stream)) || this.#known.get(stream) !== undefined;
    const { direction = 'forwards', from = 0, limit = 1 } = options;
    // Only then an empty answer says that it is not there.
    const tells = direction === 'forwards' && from === 0 && limit > 0;
    if (isKnown || !tells) return this.#store.readStream(await this.nameOf(stream), options);
    return (await this.#look(stream, options)).events;
  }

  async #find(stream: string): Promise<string> {
    return (await this.#look(stream, { limit: 1 })).name;
  }

  /** `options`: of a read from the beginning on, which answers something where the stream is there. */
  async #look(stream: string, options: StreamOptions): Promise<{ name: string; events: RecordedEvent[] }> {
    const keyed = streamName(categoryOf(stream), derivedId('keyed', await this.#people.keyed(stream)));
    // By the new name first: a stream has one of both, unless an older release has written beside this one.
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
