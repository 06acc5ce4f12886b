/** The log for who passes events on as text, such as an export: data are not parsed, which is most of what reading costs. */
import type { EventMeta } from '../../../domain/decider.js';
import { BEFORE_ALL, type Position } from '../../../engine/ports/eventStore.js';
import { type Db, openDatabase } from '../database.js';
import { checkRow } from './checksum.js';
import { metaIn } from './metaText.js';
import { NameCache } from './nameCache.js';
import { checkOrder, objectIn, type PageStatement, pageStatement, readPage, type StoredRow } from './rowPages.js';
import { Format, fileIn, hexToUuid } from './schema.js';

/** An event whose data are the JSON text that is stored. */
export interface EventText {
  readonly position: Position;
  readonly id: string;
  readonly stream: string;
  readonly type: string;
  readonly revision: number;
  readonly meta: EventMeta;
  readonly data: string;
  /** The same in UTF-8, where it was read so: who passes it on as bytes need not have it as text. */
  readonly bytes?: Uint8Array;
}

export interface TextPage {
  readonly events: readonly EventText[];
  /** Everything up to here has been seen, also what was left out. */
  readonly through: Position;
  /** True if the texts contain this one; checked without decoding them. */
  includes?(text: string): boolean;
}

/** Its data are decoded on first use. */
class StoredText implements EventText {
  readonly position: Position;
  readonly id: string;
  readonly stream: string;
  readonly type: string;
  readonly revision: number;
  readonly meta: EventMeta;
  readonly #row: StoredRow;

  constructor(row: StoredRow, stream: string, type: string, meta: EventMeta) {
    this.position = row.position;
    this.id = hexToUuid(row.id);
    this.stream = stream;
    this.type = type;
    this.revision = row.revision;
    this.meta = meta;
    this.#row = row;
  }

  get data(): string {
    return this.#row.dataText;
  }
  get bytes(): Uint8Array {
    return this.#row.data;
  }
}

const ROWS = 500;
/** Positions that one page covers if few of them have the requested types. */
const WINDOW = 20_000;

/** Data that a client of the protocol endpoint wrote, if the port may show them. */
function foreign({ format, data, meta }: StoredRow, stream: string): Pick<EventText, 'meta' | 'data'> | undefined {
  const own = format !== Format.json || stream.startsWith('$') ? undefined : objectIn(data);
  return own && { meta: (objectIn(meta) ?? {}) as EventMeta, data: JSON.stringify(own) };
}

/** Reads events.db on a connection of its own; any thread. Throws LogDamaged for an event that is not as it was written. */
export class LogTexts {
  readonly #db: Db;
  readonly #streams: NameCache;
  readonly #types: NameCache;
  readonly #pages = new Map<string, PageStatement>();
  #stored = '';
  #meta = {} as EventMeta;

  constructor(folder: string) {
    this.#db = openDatabase(fileIn(folder), { readonly: true });
    this.#streams = new NameCache(this.#db, 'streams');
    this.#types = new NameCache(this.#db, 'names');
  }

  head(): Position {
    return this.#db.prepare<[number | null]>('SELECT max(position) FROM events').get()?.[0] ?? BEFORE_ALL;
  }

  /** The next events after (exclusive) a position, up to (inclusive) another; `types`: only these. */
  read(after: Position, upTo: Position, types?: readonly string[]): TextPage {
    const bound = types === undefined ? upTo : Math.min(upTo, after + WINDOW);
    const rows = readPage(this.#page(types), [after, bound, ROWS]);
    checkOrder(rows, after);
    this.#streams.prepare(rows.map(({ stream }) => stream));
    const events = rows.map((row) => this.#event(row)).filter((event) => event !== undefined);
    return {
      events,
      through: rows.length === ROWS ? rows.at(-1)!.position : bound,
      includes: (text) => rows[0]?.page.includes(text) ?? false,
    };
  }

  close(): void {
    this.#db.close();
  }

  #page(types: readonly string[] | undefined): PageStatement {
    const requested = types === undefined ? '' : ` AND e.type IN (${this.#numbers(types).join(',')})`;
    const retained = this.#pages.get(requested);
    if (retained !== undefined) return retained;
    const made = pageStatement(this.#db, `e.position > ? AND e.position <= ?${requested}`, 'e.position');
    this.#pages.set(requested, made);
    return made;
  }

  #numbers(types: readonly string[]): number[] {
    const number = this.#db.prepare<[number]>('SELECT id FROM names WHERE name = ?');
    return types.map((type) => number.get([type])?.[0]).filter((found) => found !== undefined);
  }

  #event(row: StoredRow): EventText | undefined {
    const { position, revision, id, format } = row;
    const [stream, type] = [this.#streams.get(row.stream), this.#types.get(row.type)];
    checkRow(row, stream, type);
    if (format === Format.objects) return new StoredText(row, stream, type, this.#parsed(row.metaText));
    const text = foreign(row, stream);
    return text && { position, id: hexToUuid(id), stream, type, revision, meta: text.meta, data: text.data };
  }

  /** The events of one append have one metadata: it is parsed once. */
  #parsed(meta: string): EventMeta {
    if (meta !== this.#stored) {
      this.#meta = metaIn(meta);
      this.#stored = meta;
    }
    return this.#meta;
  }
}
