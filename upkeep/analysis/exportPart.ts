/**
 * Input of the next files of an export: a text file for each, one event a line, which DuckDB reads like CSV. So an event is parsed once, by
 * DuckDB's own threads, concurrently with the reader of the log.
 */
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Position } from '../../engine/ports/eventStore.js';
import type { Chunk } from './chunks.js';
import { quotedName, quotedText } from './columns.js';
import { FIELD, STORED } from './eventFeeder.js';

/** Limits of one part. Two parts are on the disk at once. */
const PART_EVENTS = 250_000;
const PART_BYTES = 128_000_000;
/** Bytes of a text that are in memory; and how many texts have some there. */
const KEPT_BYTES = 256 * 1024;
const MOST_KEPT = 128;
/** DuckDB's own bounds of a line and of what it reads at once, in bytes; a longer line takes more. */
const LINE_BYTES = 2_000_000;
const BUFFER_BYTES = 4_000_000;

/** Events of one file-to-be. */
export class GatheredFile {
  /** Undefined: of several types. */
  readonly type: string | undefined;
  readonly path: string;
  events = 0;
  #stored: Buffer | undefined;
  #bytes = 0;
  #longest = 0;

  constructor(type: string | undefined, path: string) {
    this.type = type;
    this.path = path;
  }

  get isStored(): boolean {
    return this.#stored !== undefined;
  }

  /** Some whole lines; `longest`: bytes of the longest, or more. */
  add(bytes: Uint8Array, lines: number, longest: number): void {
    this.events += lines;
    if (longest > this.#longest) this.#longest = longest;
    if (this.#bytes + bytes.length > KEPT_BYTES) this.#write();
    if (bytes.length > KEPT_BYTES) {
      appendFileSync(this.path, bytes);
      return;
    }
    this.#stored ??= Buffer.allocUnsafeSlow(KEPT_BYTES);
    this.#stored.set(bytes, this.#bytes);
    this.#bytes += bytes.length;
  }

  flush(): void {
    this.#write();
    this.#stored = undefined;
  }

  #write(): void {
    if (this.#bytes > 0) appendFileSync(this.path, this.#stored!.subarray(0, this.#bytes));
    this.#bytes = 0;
  }

  /** SQL that reads it: the columns of a log table, times as text. Nothing is quoted: no field holds what parts fields and lines. */
  get table(): string {
    const types = STORED.map(({ name, type }) => `${quotedName(name)}: ${quotedText(TYPES[type] ?? 'VARCHAR')}`);
    const line = Math.max(LINE_BYTES, this.#longest);
    const options = [
      `columns = {${types.join(', ')}}`,
      `auto_detect = false, header = false, delim = '${FIELD}', quote = '', escape = '', nullstr = '', new_line = '\\n'`,
      `max_line_size = ${line}, buffer_size = ${Math.max(BUFFER_BYTES, line)}`,
    ];
    return `read_csv(${quotedText(this.path)}, ${options.join(', ')})`;
  }
}

/** The rest is text, and becomes what it is where it is that: other programs write what they like. */
const TYPES: Readonly<Record<string, string>> = { BIGINT: 'BIGINT' };

/** A chunk, of which parts take what they have room for: they end where they are full, in the middle of it. */
export class TakenChunk {
  readonly #chunk: Chunk;
  /** Offset of the next unread byte in each text. */
  readonly #from: number[];
  #at = 0;

  constructor(chunk: Chunk) {
    this.#chunk = chunk;
    this.#from = chunk.texts.map(({ from }) => from);
  }

  get isOver(): boolean {
    return this.#at >= this.#chunk.positions.length;
  }

  /** Takes the next events while there is room: `add` gets the bytes of each line, and returns whether to continue. */
  take(add: (bytes: number) => boolean): TakenLines {
    const { texts, textOf, lengths, positions, bytes } = this.#chunk;
    const taken = texts.map(() => ({ lines: 0, bytes: 0, longest: 0 }));
    const first = positions[this.#at]!;
    const started = this.#at;
    for (let more = true; more && !this.isOver; this.#at += 1) {
      const [of, length] = [taken[textOf[this.#at]!]!, lengths[this.#at]!];
      of.lines += 1;
      of.bytes += length;
      if (length > of.longest) of.longest = length;
      more = add(length);
    }
    const lines = taken.flatMap(({ bytes: many, ...of }, n) => {
      const from = this.#from[n]!;
      this.#from[n] = from + many;
      return of.lines === 0 ? [] : [{ type: texts[n]!.type, bytes: bytes.subarray(from, from + many), ...of }];
    });
    return { events: this.#at - started, first, last: positions[this.#at - 1]!, lines };
  }
}

/** Lines of a chunk that go into a part. */
interface TakenLines {
  readonly events: number;
  readonly first: Position;
  readonly last: Position;
  readonly lines: readonly {
    readonly type: string | undefined;
    readonly bytes: Uint8Array;
    readonly lines: number;
    readonly longest: number;
  }[];
}

/** Events that come into the export together. */
export class ExportPart {
  readonly #folder: string;
  readonly #texts = new Map<string | undefined, GatheredFile>();
  #events = 0;
  #bytes = 0;
  #retained = 0;
  #first: Position | undefined;
  #last: Position | undefined;

  /** `folder`: of its own, which is made. */
  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  get isFull(): boolean {
    return this.#events >= PART_EVENTS || this.#bytes >= PART_BYTES;
  }

  /** Positions of its first and its last event. */
  get range(): readonly [Position, Position] {
    return [this.#first!, this.#last!];
  }

  /** Takes of a chunk what there is room for; answers how many events. */
  add(chunk: TakenChunk): number {
    const { events, first, last, lines } = chunk.take((bytes) => {
      this.#events += 1;
      this.#bytes += bytes;
      return !this.isFull;
    });
    this.#first ??= first;
    this.#last = last;
    for (const { type, bytes, lines: many, longest } of lines) {
      const text = this.#texts.get(type) ?? this.#begin(type);
      if (!text.isStored) this.#retained += 1;
      if (this.#retained > MOST_KEPT) this.#flush();
      text.add(bytes, many, longest);
    }
    return events;
  }

  /** Ends the input and returns its files by type. */
  end(): readonly GatheredFile[] {
    this.#flush();
    return [...this.#texts.values()].sort((a, b) => ((a.type ?? '') < (b.type ?? '') ? -1 : 1));
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #flush(): void {
    for (const text of this.#texts.values()) text.flush();
    this.#retained = 0;
  }

  #begin(type: string | undefined): GatheredFile {
    const text = new GatheredFile(type, join(this.#folder, `${this.#texts.size}.txt`));
    this.#texts.set(type, text);
    return text;
  }
}
