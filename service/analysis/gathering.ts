/**
 * What is gathered for the next files of an export: a text file for each, a line an event, which DuckDB reads as it reads CSV. So an event
 * is taken apart once, by DuckDB's own threads, beside whoever reads the log.
 */
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { EventMark, Position } from '../../engine/ports/eventStore.js';
import { quotedName, quotedText } from './columns.js';
import type { EventText } from './eventTexts.js';
import { FIELD, STORED } from './feeding.js';

/** Of one part. Two of them are on the disk at once. */
const PART_EVENTS = 250_000;
const PART_CHARACTERS = 128_000_000;
/** Bytes of a text that are in memory; and how many texts have some there. */
const KEPT_BYTES = 256 * 1024;
const MOST_KEPT = 128;
/** DuckDB's own bounds of a line and of what it reads at once, in bytes; a longer line takes more. */
const LINE_BYTES = 2_000_000;
const BUFFER_BYTES = 4_000_000;
/** Of UTF-8, at most, for one of a string's. */
const BYTES_A_CHARACTER = 3;
const LINE_END = 0x0a;

/** Events of one file-to-be. */
export class Gathered {
  /** Undefined: of several types. */
  readonly type: string | undefined;
  readonly path: string;
  events = 0;
  #kept: Buffer | undefined;
  #bytes = 0;
  #longest = 0;

  constructor(type: string | undefined, path: string) {
    this.type = type;
    this.path = path;
  }

  get isKept(): boolean {
    return this.#kept !== undefined;
  }

  /** Written as bytes at once: strings that stay for a while are moved twice by the garbage collector. */
  add(line: string): void {
    this.events += 1;
    if (line.length > this.#longest) this.#longest = line.length;
    const most = (line.length + 1) * BYTES_A_CHARACTER;
    if (this.#bytes + most > KEPT_BYTES) this.#write();
    if (most > KEPT_BYTES) {
      appendFileSync(this.path, `${line}\n`);
      return;
    }
    this.#kept ??= Buffer.allocUnsafeSlow(KEPT_BYTES);
    this.#bytes += this.#kept.write(line, this.#bytes);
    this.#kept[this.#bytes] = LINE_END;
    this.#bytes += 1;
  }

  flush(): void {
    this.#write();
    this.#kept = undefined;
  }

  #write(): void {
    if (this.#bytes > 0) appendFileSync(this.path, this.#kept!.subarray(0, this.#bytes));
    this.#bytes = 0;
  }

  /** SQL that reads it: the columns of a log table, times as text. Nothing is quoted: no field holds what parts fields and lines. */
  get table(): string {
    const types = STORED.map(({ name, type }) => `${quotedName(name)}: ${quotedText(TYPES[type] ?? 'VARCHAR')}`);
    const line = Math.max(LINE_BYTES, this.#longest * BYTES_A_CHARACTER);
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

/** Events that come into the export together. */
export class Part {
  readonly #folder: string;
  readonly #byType: boolean;
  readonly #texts = new Map<string | undefined, Gathered>();
  #events = 0;
  #characters = 0;
  #kept = 0;
  #first: Position | undefined;
  #last: EventText | undefined;

  /** `folder`: of its own, which is made. `byType`: a text for each type, or one for all. */
  constructor(folder: string, byType: boolean) {
    this.#folder = folder;
    this.#byType = byType;
    mkdirSync(folder, { recursive: true });
  }

  get isFull(): boolean {
    return this.#events >= PART_EVENTS || this.#characters >= PART_CHARACTERS;
  }

  /** Positions of its first and its last event. */
  get range(): readonly [Position, Position] {
    return [this.#first!, this.#last!.position];
  }

  /** Of its last event. */
  get mark(): EventMark {
    const { stream, revision, id, position } = this.#last!;
    return { stream, revision, id, position };
  }

  add(event: EventText, line: string): void {
    this.#first ??= event.position;
    this.#last = event;
    this.#events += 1;
    this.#characters += line.length;
    const type = this.#byType ? event.type : undefined;
    const text = this.#texts.get(type) ?? this.#begin(type);
    if (!text.isKept) this.#kept += 1;
    if (this.#kept > MOST_KEPT) this.#flush();
    text.add(line);
  }

  /** All that was added stands in its files then. Answers them, by their types. */
  end(): readonly Gathered[] {
    this.#flush();
    return [...this.#texts.values()].sort((a, b) => ((a.type ?? '') < (b.type ?? '') ? -1 : 1));
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #flush(): void {
    for (const text of this.#texts.values()) text.flush();
    this.#kept = 0;
  }

  #begin(type: string | undefined): Gathered {
    const text = new Gathered(type, join(this.#folder, `${this.#texts.size}.txt`));
    this.#texts.set(type, text);
    return text;
  }
}
