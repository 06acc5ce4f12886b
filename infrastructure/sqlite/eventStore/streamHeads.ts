import { IDLE_MS } from '../../../engine/idle.js';
import { LateCache } from '../../../engine/lateCache.js';
import type { Db } from '../database.js';
import { Format } from './schema.js';
import {
  describedBy,
  metadataStream,
  NO_METADATA,
  parseStreamMetadata,
  type StreamMetadata,
} from './streamMetadata.js';

export interface StreamHead {
  readonly id: number;
  /** Revision of the newest event; -1 when there is none. */
  head: number;
  readonly metadata: StreamMetadata;
}

/** Maximum number of streams with cached heads: those used last. */
const KNOWN_STREAMS = 50_000;

const statements = (db: Db) => ({
  stream: db.prepare<[number]>('SELECT id FROM streams WHERE name = ?'),
  addStream: db.prepare<[number]>('INSERT INTO streams (name) VALUES (?) RETURNING id'),
  head: db.prepare<[number | null]>('SELECT CAST(max(revision) AS INTEGER) FROM events WHERE stream = ?'),
  newest: db.prepare<[Buffer, number]>(
    'SELECT CAST(data AS BLOB), CAST(format AS INTEGER) FROM events WHERE stream = ? ORDER BY revision DESC LIMIT 1',
  ),
  // '%' is the character after '$': all names that begin with '$$'.
  anyMetadata: db.prepare<[number]>("SELECT 1 FROM streams WHERE name >= '$$' AND name < '$%' LIMIT 1"),
});

/** The newest revision and the metadata of each stream, as the writer knows them. */
export class StreamHeads {
  readonly #sql: ReturnType<typeof statements>;
  readonly #known = new LateCache<StreamHead>({ max: KNOWN_STREAMS, ttl: IDLE_MS, idle: true });
  /** Without a single stream of metadata, as in a store that only Suuq writes, none is looked for. */
  #anyMetadata = false;

  constructor(db: Db) {
    this.#sql = statements(db);
  }

  /** Clears the caches of the file. */
  refresh(): void {
    this.#known.clear();
    this.#anyMetadata = this.#sql.anyMetadata.get() !== undefined;
  }

  /** Undefined: the stream is not there. */
  find(name: string): StreamHead | undefined {
    return this.#known.get(name) ?? this.#lookUp(name);
  }

  add(name: string): StreamHead {
    const [id] = this.#sql.addStream.get([name])!;
    if (describedBy(name) !== undefined) this.#anyMetadata = true;
    return this.#cache(name, { id, head: -1, metadata: this.#metadata(name) });
  }

  /** A write to `name` may change the metadata of another stream, which then apply. */
  written(name: string): void {
    const described = describedBy(name);
    if (described !== undefined) this.#known.delete(described);
  }

  /** The metadata of a stream, whether it has events or not; undefined where none were ever written. */
  described(name: string): StreamMetadata | undefined {
    if (!this.#anyMetadata || (this.find(metadataStream(name))?.head ?? -1) === -1) return undefined;
    return this.#metadata(name);
  }

  /** Data of the newest metadata of a stream; undefined when there is none, or it is not JSON. */
  metadataText(name: string): string | Buffer | undefined {
    const stream = this.#anyMetadata ? this.#sql.stream.get([metadataStream(name)]) : undefined;
    const newest = stream && this.#sql.newest.get(stream);
    return newest === undefined || newest[1] === Format.bytes ? undefined : newest[0];
  }

  #metadata(name: string): StreamMetadata {
    return this.#anyMetadata ? parseStreamMetadata(this.metadataText(name)) : NO_METADATA;
  }

  #lookUp(name: string): StreamHead | undefined {
    const found = this.#sql.stream.get([name]);
    if (found === undefined) return undefined;
    const head = this.#sql.head.get([found[0]])?.[0] ?? -1;
    return this.#cache(name, { id: found[0], head, metadata: this.#metadata(name) });
  }

  #cache(name: string, stream: StreamHead): StreamHead {
    this.#known.set(name, stream);
    return stream;
  }
}
