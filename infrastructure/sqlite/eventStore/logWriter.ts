import { randomUUID } from 'node:crypto';
import { categoryOf } from '../../../engine/ports/eventStore.js';
import { type Db, isFull } from '../database.js';
import { checksumOf } from './checksum.js';
import { Judge, type Place } from './judge.js';
import { type Answer, type AppendRequest, type DeleteRequest, oneOf, type WriteRequest } from './messages.js';
import { Format, TOMBSTONE, TOMBSTONE_REVISION, uuidToBytes } from './schema.js';
import { type StreamHead, StreamHeads } from './streamHeads.js';
import { describedBy, METADATA_TYPE, metadataStream, SOFT_DELETED, shownFrom } from './streamMetadata.js';

const NOTHING = new Uint8Array();
/** Unknown version of the file: cached facts about it are reloaded. */
const UNKNOWN = -1;

/** An event by its names. */
interface NewEvent {
  readonly stream: string;
  readonly revision: number;
  readonly id: Buffer;
  readonly type: string;
  readonly data: string | Uint8Array;
  readonly meta: string | Uint8Array;
}

/** Numbers that represent names in a row. */
interface Numbers {
  readonly stream: number;
  readonly type: number;
  readonly category: number;
}

const statements = (db: Db) => ({
  head: db.prepare<[number | null]>('SELECT max(position) FROM events'),
  /** Changes when another connection has written. */
  version: db.prepare<[number]>('PRAGMA data_version'),
  names: db.prepare<[number, Buffer]>('SELECT id, CAST(name AS BLOB) FROM names'),
  addName: db.prepare<[number]>('INSERT INTO names (name) VALUES (?) RETURNING id'),
  insert: db.prepare(
    'INSERT INTO events (position, stream, revision, id, type, category, data, meta, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  ),
  insertForeign: db.prepare(
    'INSERT INTO events (position, stream, revision, id, type, category, data, meta, created, format, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  ),
});

/**
 * Checks and writes appends and deletions, many in one commit. One with a wrong expectation fails alone; what goes wrong
 * with the file (a full disk) fails the commit, and then each is tried by itself.
 */
export class LogWriter {
  /** Position of the newest event. */
  head = -1;
  /** Its id, as 32 hexadecimal digits; empty until something was written. */
  headId = '';
  readonly #db: Db;
  readonly #sql: ReturnType<typeof statements>;
  readonly #judge: Judge;
  readonly #streams: StreamHeads;
  readonly #names = new Map<string, number>();
  #version = UNKNOWN;
  /** The last position given away: beyond `head` after an append without events, which takes one too. */
  #taken = -1;
  /** Time of the newest foreign event, in microseconds since 1970. */
  #created = 0;

  constructor(db: Db) {
    this.#db = db;
    this.#sql = statements(db);
    this.#judge = new Judge(db);
    this.#streams = new StreamHeads(db);
    this.#refresh();
  }

  commit(group: readonly WriteRequest[]): Answer[] {
    const before = this.head;
    try {
      return this.#db.transaction(() => {
        if (this.#sql.version.get()![0] !== this.#version) this.#refresh();
        return group.map((request) => ('deletion' in request ? this.#delete(request) : this.#append(request)));
      });
    } catch (error) {
      // What the rolled back commit had noted must not be believed. It is read again where a failure to do so is an answer too.
      this.head = before;
      this.#version = UNKNOWN;
      if (group.length > 1) return group.flatMap((request) => this.commit([request]));
      return group.map(({ seq }) => ({ seq, failed: String(error), full: isFull(error) }));
    }
  }

  /** Clears the caches of the file. */
  #refresh(): void {
    this.#streams.refresh();
    this.#names.clear();
    for (const [id, name] of this.#sql.names.all()) this.#names.set(name.toString(), id);
    this.head = this.#sql.head.get()?.[0] ?? -1;
    this.#taken = this.head;
    this.#version = this.#sql.version.get()![0];
  }

  #append(append: AppendRequest): Answer {
    const { seq } = append;
    const stream = this.#streams.find(append.stream);
    const ids = append.ids.map(uuidToBytes);
    const verdict = this.#judge.append(stream, append.expected, ids, () => this.#streams.described(append.stream));
    if (verdict === 'wrong' || verdict === 'deleted')
      return { seq, written: false, actual: stream?.head ?? -1, deleted: verdict === 'deleted' };
    const isNew = verdict === 'write';
    const place = isNew ? this.#write(append, ids, stream) : verdict;
    const { revision, position, hidden = false } = place;
    return { seq, written: true, revision, position, hidden, ...(!isNew && { repeat: true }) };
  }

  #write(append: AppendRequest, ids: readonly Buffer[], found: StreamHead | undefined): Place {
    if (ids.length === 0) return { revision: found?.head ?? -1, position: ++this.#taken };
    const stream = found ?? this.#streams.add(append.stream);
    // Only clients of the endpoint write to the streams of metadata.
    const described = append.formats && describedBy(append.stream);
    const before = described === undefined ? undefined : this.#streams.find(described);
    const category = this.#name(categoryOf(append.stream));
    const first = stream.head + 1;
    for (const [index, id] of ids.entries()) {
      const type = oneOf(append.types, index);
      stream.head += 1;
      this.#insert(
        {
          stream: append.stream,
          revision: stream.head,
          id,
          type,
          data: append.data[index]!,
          meta: oneOf(append.meta, index),
        },
        { stream: stream.id, type: this.#name(type), category },
        append.formats?.[index],
      );
    }
    const written = { revision: stream.head, position: this.head };
    this.#streams.written(append.stream);
    if (stream.metadata.deleted) this.#undelete(append.stream, first);
    if (before?.metadata.deleted) this.#undelete(described!, before.head + 1);
    return written;
  }

  #delete({ seq, ...request }: DeleteRequest): Answer {
    const stream = this.#streams.find(request.stream);
    const verdict = this.#judge.deletion(stream, { seq, ...request }, () => this.#streams.described(request.stream));
    if (verdict !== 'write') return { seq, written: false, actual: stream?.head ?? -1, deleted: verdict === 'deleted' };
    if (request.deletion === 'soft') this.#writeMetadata(request.stream, SOFT_DELETED);
    else this.#writeSystem(request.stream, TOMBSTONE_REVISION, TOMBSTONE, NOTHING, Format.bytes);
    return { seq, written: true, revision: TOMBSTONE_REVISION, position: this.head };
  }

  /** After the first append to a soft-deleted stream, or to its metadata: it shows its events from there on. */
  #undelete(stream: string, first: number): void {
    const text = shownFrom(this.#streams.metadataText(stream), first);
    if (text !== undefined) this.#writeMetadata(stream, text);
  }

  #writeMetadata(stream: string, text: string): void {
    const name = metadataStream(stream);
    const revision = (this.#streams.find(name)?.head ?? -1) + 1;
    this.#writeSystem(name, revision, METADATA_TYPE, Buffer.from(text), Format.json);
  }

  /** An event that the store itself writes. */
  #writeSystem(name: string, revision: number, type: string, data: Uint8Array, format: number): void {
    const stream = this.#streams.find(name) ?? this.#streams.add(name);
    stream.head = revision;
    this.#insert(
      { stream: name, revision, id: uuidToBytes(randomUUID()), type, data, meta: NOTHING },
      { stream: stream.id, type: this.#name(type), category: this.#name(categoryOf(name)) },
      format,
    );
    this.#streams.written(name);
  }

  /** `format`: undefined in the port's own events. */
  #insert(event: NewEvent, numbers: Numbers, format: number | undefined): void {
    this.head = ++this.#taken;
    const { stream, revision, id, type, data, meta } = event;
    this.headId = id.toString('hex');
    const summed = { position: this.head, stream, revision, id: this.headId, type, data, meta };
    if (format === undefined) {
      const sum = checksumOf(summed, Format.objects, null);
      const { stream, type, category } = numbers;
      this.#sql.insert.write([this.head, stream, revision, id, type, category, data, meta, sum]);
      return;
    }
    // Later events are never older, whatever the clock does.
    this.#created = Math.max(this.#created, Date.now() * 1000);
    const sum = checksumOf(summed, format, this.#created);
    const columns = [this.head, numbers.stream, revision, id, numbers.type, numbers.category, data, meta];
    this.#sql.insertForeign.write([...columns, this.#created, format, sum]);
  }

  #name(name: string): number {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const [id] = this.#sql.addName.get([name])!;
    this.#names.set(name, id);
    return id;
  }
}
