import { categoryOf, type Expected } from '../../../application/ports/eventStore.js';
import type { Db } from '../database.js';
import type { Answer, AppendRequest } from './messages.js';
import { uuidToBytes } from './schema.js';

interface StreamHead {
  readonly id: number;
  /** Revision of the newest event; -1 when there is none. */
  head: number;
}

type Place = { readonly revision: number; readonly position: number };

/** Streams whose heads are kept in memory. */
const KNOWN_STREAMS = 50_000;

const statements = (db: Db) => ({
  head: db.prepare<[number | null]>('SELECT max(position) FROM events'),
  /** Changes when another connection has written. */
  version: db.prepare<[number]>('PRAGMA data_version'),
  names: db.prepare<[number, string]>('SELECT id, name FROM names'),
  addName: db.prepare<[number]>('INSERT INTO names (name) VALUES (?) RETURNING id'),
  stream: db.prepare<[number]>('SELECT id FROM streams WHERE name = ?'),
  addStream: db.prepare<[number]>('INSERT INTO streams (name) VALUES (?) RETURNING id'),
  streamHead: db.prepare<[number | null]>('SELECT max(revision) FROM events WHERE stream = ?'),
  idAt: db.prepare<[Buffer, number]>('SELECT id, position FROM events WHERE stream = ? AND revision = ?'),
  placeOf: db.prepare<[number, number]>(
    'SELECT revision, position FROM events WHERE stream = ? AND id = ? ORDER BY position LIMIT 1',
  ),
  insert: db.prepare(
    'INSERT INTO events (position, stream, revision, id, type, category, data, meta) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  ),
});

/**
 * Checks and writes appends, many in one commit. An append with a wrong expectation fails alone; what goes wrong with
 * the file (a full disk) fails the commit, and then each append is tried by itself.
 */
export class LogWriter {
  /** Position of the newest event. */
  head = -1;
  readonly #db: Db;
  readonly #sql: ReturnType<typeof statements>;
  readonly #streams = new Map<string, StreamHead>();
  readonly #names = new Map<string, number>();
  #version = -1;

  constructor(db: Db) {
    this.#db = db;
    this.#sql = statements(db);
    this.#refresh();
  }

  commit(group: readonly AppendRequest[]): Answer[] {
    try {
      return this.#db.transaction(() => {
        if (this.#sql.version.get()![0] !== this.#version) this.#refresh();
        return group.map((append) => this.#append(append));
      });
    } catch (error) {
      // What the rolled back commit had noted must not be believed.
      this.#refresh();
      if (group.length > 1) return group.flatMap((append) => this.commit([append]));
      return group.map(({ seq }) => ({ seq, failed: String(error) }));
    }
  }

  /** Forgets what is remembered of the file. */
  #refresh(): void {
    this.#streams.clear();
    this.#names.clear();
    for (const [id, name] of this.#sql.names.all()) this.#names.set(name, id);
    this.head = this.#sql.head.get()?.[0] ?? -1;
    this.#version = this.#sql.version.get()![0];
  }

  #append(append: AppendRequest): Answer {
    const { seq } = append;
    const stream = this.#streams.get(append.stream) ?? this.#lookUp(append.stream);
    const actual = stream?.head ?? -1;
    const ids = append.ids.map(uuidToBytes);
    const verdict = this.#judge(stream, append.expected, ids);
    if (verdict === 'wrong') return { seq, written: false, actual };
    const place = verdict === 'write' ? this.#write(append, ids, stream ?? this.#addStream(append.stream)) : verdict;
    return { seq, written: true, revision: place.revision, position: place.position };
  }

  /** As EventStoreDB 23.10 does: an expectation that holds writes whatever the ids; one that does not may be a repeat. */
  #judge(stream: StreamHead | undefined, expected: Expected, ids: readonly Uint8Array[]): 'write' | 'wrong' | Place {
    if (expected === 'any') return stream === undefined ? 'write' : this.#repeatAnywhere(stream, ids);
    const revision = expected === 'noStream' ? -1 : expected;
    const actual = stream?.head ?? -1;
    if (revision === actual) return 'write';
    return stream === undefined || revision > actual ? 'wrong' : this.#repeatAt(stream, revision + 1, ids);
  }

  /** The first id decides: unknown, everything is written; known, all the others must be known too. */
  #repeatAnywhere(stream: StreamHead, ids: readonly Uint8Array[]): 'write' | 'wrong' | Place {
    let last: [number, number] | undefined;
    for (const id of ids) {
      const place = this.#sql.placeOf.get([stream.id, id]);
      if (place === undefined) return last === undefined ? 'write' : 'wrong';
      last = place;
    }
    return { revision: last![0], position: last![1] };
  }

  #repeatAt(stream: StreamHead, first: number, ids: readonly Uint8Array[]): 'wrong' | Place {
    let position = -1;
    for (const [index, id] of ids.entries()) {
      const found = this.#sql.idAt.get([stream.id, first + index]);
      if (found === undefined || !found[0].equals(id)) return 'wrong';
      position = found[1];
    }
    return { revision: first + ids.length - 1, position };
  }

  #write(append: AppendRequest, ids: readonly Uint8Array[], stream: StreamHead): Place {
    const category = this.#name(categoryOf(append.stream));
    for (const [index, id] of ids.entries()) {
      const type = this.#name(append.types[index]!);
      this.head += 1;
      stream.head += 1;
      this.#sql.insert.run([
        this.head,
        stream.id,
        stream.head,
        id,
        type,
        category,
        append.data[index]!,
        append.meta[index]!,
      ]);
    }
    return { revision: stream.head, position: this.head };
  }

  #lookUp(name: string): StreamHead | undefined {
    const found = this.#sql.stream.get([name]);
    if (found === undefined) return undefined;
    return this.#remember(name, { id: found[0], head: this.#sql.streamHead.get([found[0]])?.[0] ?? -1 });
  }

  #addStream(name: string): StreamHead {
    return this.#remember(name, { id: this.#sql.addStream.get([name])![0], head: -1 });
  }

  #remember(name: string, stream: StreamHead): StreamHead {
    if (this.#streams.size >= KNOWN_STREAMS) this.#streams.delete(this.#streams.keys().next().value!);
    this.#streams.set(name, stream);
    return stream;
  }

  #name(name: string): number {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const [id] = this.#sql.addName.get([name])!;
    this.#names.set(name, id);
    return id;
  }
}
