/** One export while it goes on: a part is written by DuckDB's threads while the next one is gathered. */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { open, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { type EventMark, markOf, type Position } from '../../engine/ports/eventStore.js';
import { flushFolder } from '../../infrastructure/files/flushFolder.js';
import type { Chunk } from './chunks.js';
import { quotedName, quotedText, structureText, type TakenColumn, taking } from './columns.js';
import { envelopeOf } from './eventFeeder.js';
import type { EventTexts } from './eventTexts.js';
import { EVENTS, type ExportRequest, folderOf, GATHERED } from './exportFolder.js';
import { ExportPart, type GatheredFile, TakenChunk } from './exportPart.js';
import { withoutFormulaSql } from './formulas.js';
import { type ExportFile, type ExportFormat, type ExportManifest, writeManifest } from './manifest.js';
import { ENVELOPE, eventTables } from './tables.js';

const placeText = (position: Position): string => String(position).padStart(16, '0');

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  const memory = Buffer.allocUnsafeSlow(HASHED_AT_ONCE);
  const file = await open(path);
  try {
    for (;;) {
      const { bytesRead } = await file.read(memory);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(memory.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}
const HASHED_AT_ONCE = 256 * 1024;

/** Gathered lines as a table, with a typed time. */
const eventsIn = (gathered: GatheredFile): string =>
  `(SELECT * REPLACE (try_cast(time AS TIMESTAMP) AS time) FROM ${gathered.table})`;

/** The columns of a type for each format; in CSV, which has no word for them, nested values are JSON. */
function selectOf(gathered: GatheredFile, format: ExportFormat): string {
  if (gathered.type === undefined) return `SELECT ${envelopeOf('JSON')} FROM ${eventsIn(gathered)}`;
  const typed = eventTables.find((one) => one.type === gathered.type)?.columns ?? [];
  const flat = (column: TakenColumn): boolean => format === 'csv' && column.structure !== undefined;
  const transformed = typed.filter((column) => !flat(column));
  const own = typed.map((column) => {
    const value = flat(column)
      ? taking({ name: column.name, field: column.field, type: 'JSON' }, 'data')
      : `taken.${quotedName(column.field)}`;
    return `${value} AS ${quotedName(column.name)}`;
  });
  const taken = transformed.length === 0 ? '' : `, json_transform(data, ${structureText(transformed)}) AS taken`;
  return `SELECT ${[envelopeOf('VARCHAR'), ...own].join(', ')} FROM (SELECT *${taken} FROM ${eventsIn(gathered)})`;
}

/** The same rows for a spreadsheet: columns of text are escaped. */
function escapedSelect(gathered: GatheredFile): string {
  const typed = eventTables.find((one) => one.type === gathered.type)?.columns ?? [];
  const texts = [...ENVELOPE, ...typed].filter(({ type }) => type === 'VARCHAR').map(({ name }) => quotedName(name));
  const escaped = texts.map((name) => `${withoutFormulaSql(name)} AS ${name}`);
  return `SELECT * REPLACE (${escaped.join(', ')}) FROM (${selectOf(gathered, 'csv')})`;
}

const OPTIONS: Readonly<Record<ExportFormat, string>> = {
  // By level 3, DuckDB's own, they were 3 % larger, since so much of them repeats, and took it two fifths more time.
  parquet: 'FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1',
  csv: 'FORMAT csv, HEADER true',
  jsonl: 'FORMAT json',
};

export class Exporter {
  added = 0;
  manifest: ExportManifest;
  readonly #duck: DuckDBConnection;
  readonly #request: ExportRequest;
  readonly #texts: EventTexts;
  #part: ExportPart | undefined;
  #parts = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(duck: DuckDBConnection, requested: ExportRequest, texts: EventTexts, manifest: ExportManifest) {
    this.#duck = duck;
    this.#request = requested;
    this.#texts = texts;
    this.manifest = manifest;
  }

  async add(chunk: Chunk): Promise<void> {
    for (const taken = new TakenChunk(chunk); !taken.isOver; ) {
      this.#part ??= this.#begin();
      this.added += this.#part.add(taken);
      if (this.#part.isFull) await this.finishPart(this.#part.range[1]);
    }
  }

  /** Writes the gathered events, and records that all events up to `through` are exported. */
  async finishPart(through: Position): Promise<void> {
    const part = this.#part;
    this.#part = undefined;
    await this.#writing;
    this.#writing = this.#write(part, through);
    // Looked at with the next part, or at the end.
    this.#writing.catch(() => undefined);
  }

  end(): Promise<void> {
    return this.#writing;
  }

  #begin(): ExportPart {
    this.#parts += 1;
    const folder = join(this.#request.folder, GATHERED, String(this.#parts));
    return new ExportPart(folder);
  }

  async #write(part: ExportPart | undefined, through: Position): Promise<void> {
    const files = part === undefined ? [] : await this.#writeFiles(part);
    const newest = part && (await this.#markAt(part.range[1]));
    const before = this.manifest;
    const sum = (of: (file: ExportFile) => number): number => files.reduce((total, file) => total + of(file), 0);
    this.manifest = {
      ...before,
      position: through,
      ...(newest !== undefined && { newest }),
      events: before.events + sum((file) => file.events),
      bytes: before.bytes + sum((file) => file.bytes),
      files: [...before.files, ...files],
    };
    await writeManifest(this.#request.folder, this.manifest);
  }

  /** Mark of an event that was read before. */
  async #markAt(position: Position): Promise<EventMark | undefined> {
    const { events } = await this.#texts.read(position - 1, position);
    return events[0] && markOf(events[0]);
  }

  async #writeFiles(part: ExportPart): Promise<ExportFile[]> {
    const name = `${part.range.map(placeText).join('-')}.${this.#request.format}`;
    const files: ExportFile[] = [];
    for (const gathered of part.end()) {
      const below = gathered.type === undefined ? EVENTS : `${EVENTS}/${folderOf(gathered.type)}`;
      files.push(await this.#copy(gathered, `${below}/${name}`));
    }
    part.remove();
    return files;
  }

  async #copy(gathered: GatheredFile, path: string): Promise<ExportFile> {
    const { folder, format, choice } = this.#request;
    const select = choice.escapeFormulas ? escapedSelect(gathered) : selectOf(gathered, format);
    const { type, events } = gathered;
    const whole = join(folder, path);
    const draft = `${whole}.part`;
    mkdirSync(dirname(whole), { recursive: true });
    const copied = await this.#duck.run(`COPY (${select}) TO ${quotedText(draft)} (${OPTIONS[format]})`);
    if (copied.rowsChanged !== events) throw new Error(`${copied.rowsChanged} events of ${events} came into ${path}`);
    const file = await open(draft, 'r+');
    await file.sync().finally(() => file.close());
    const sha256 = await hashOf(draft);
    const { size: bytes } = await stat(draft);
    await rename(draft, whole);
    await flushFolder(dirname(whole));
    return { path, ...(type !== undefined && { type }), events, bytes, sha256 };
  }
}
