/**
 * `suuq export`: the history as files, for tools of the field. A part of the log at a time: its files, then the manifest, so that
 * whatever ends an export leaves what the manifest says, and the next run goes on from there.
 */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { open, rename, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { positionBefore } from '../../application/history/steps.js';
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { BEFORE_ALL, type EventMark, type EventStore, type Position } from '../../engine/ports/eventStore.js';
import { flushFolder } from '../../infrastructure/files/flushFolder.js';
import { lockFolder } from '../../infrastructure/sqlite/folderLock.js';
import type { Run } from '../backup/progress.js';
import { quotedName, quotedText, structureText, type TakenColumn, taking } from './columns.js';
import { type Duck, duckError, openDuck } from './duckDb.js';
import type { EventText, EventTexts } from './eventTexts.js';
import { createLog, envelopeOf, Feeder, isWanted, LineWriter, LOG_TABLE, type Wanted } from './feeding.js';
import {
  checkFiles,
  type ExportChoice,
  type ExportFile,
  type ExportFormat,
  type ExportManifest,
  MANIFEST,
  readManifest,
  writeManifest,
} from './manifest.js';
import { eventTables } from './tables.js';

export interface ExportAsked {
  readonly folder: string;
  readonly format: ExportFormat;
  readonly choice: ExportChoice;
  readonly memoryMb: number;
}

export interface ExportResult {
  readonly folder: string;
  readonly format: ExportFormat;
  /** How many this run added, and how many there are now. */
  readonly added: number;
  readonly events: number;
  readonly files: number;
  readonly bytes: number;
  readonly position: Position;
}

export interface ExportSource {
  readonly texts: EventTexts;
  readonly log: Pick<EventStore, 'readAll' | 'readStream' | 'head'>;
}

/** Of one part. Two of them are in memory at once. */
const PART_EVENTS = 250_000;
const PART_CHARACTERS = 128_000_000;
/** Nobody waits for it longer. */
const LONGEST_MS = 24 * 3_600_000;

const FOLDER = 'events';
const OWN_FILE = /^\d{16}-\d{16}\.(?:parquet|csv|jsonl)(?:\.part)?$/;
const LOCK = '.lock';

const emptyManifest = ({ format, choice }: ExportAsked): ExportManifest => ({
  layout: 1,
  format,
  choice,
  position: BEFORE_ALL,
  events: 0,
  bytes: 0,
  files: [],
});

/** What the folder holds already. Refuses `not_an_export`, `export_differs`, `export_damaged`. */
function begun(asked: ExportAsked): ExportManifest {
  const { folder, format, choice } = asked;
  const manifest = readManifest(folder);
  if (manifest === undefined) {
    const others = readdirSync(folder).filter((name) => name !== LOCK && name !== `${MANIFEST}.part`);
    if (others.length > 0)
      refuse('not_an_export', `${folder} holds ${others[0]} and no ${MANIFEST}: export into an empty folder.`);
    return emptyManifest(asked);
  }
  if (manifest.format !== format || JSON.stringify(manifest.choice) !== JSON.stringify(choice))
    refuse(
      'export_differs',
      `${folder} holds an export with --format ${manifest.format} of ${JSON.stringify(manifest.choice)}: give the same again, or another folder.`,
    );
  checkFiles(folder, manifest);
  return manifest;
}

/** Removes what a run that was ended has written and no manifest names. */
function removeUnfinished(folder: string, { files }: ExportManifest): void {
  const kept = new Set(files.map(({ path }) => path));
  const all = existsSync(join(folder, FOLDER))
    ? readdirSync(join(folder, FOLDER), { recursive: true, encoding: 'utf8' })
    : [];
  for (const below of all) {
    const path = `${FOLDER}/${below.replaceAll('\\', '/')}`;
    if (OWN_FILE.test(path.slice(path.lastIndexOf('/') + 1)) && !kept.has(path)) rmSync(join(folder, path));
  }
}

/** Refuses `other_log` where the log is not the one that the export was made of. */
async function checkLog(
  { texts, log }: ExportSource,
  folder: string,
  { newest, position }: ExportManifest,
): Promise<void> {
  const head = await texts.head();
  const [found] = newest === undefined ? [] : await log.readStream(newest.stream, { from: newest.revision, limit: 1 });
  if (position <= head && found?.id === newest?.id) return;
  refuse('other_log', `${folder} was exported from another log than this one: export into another folder.`);
}

const wantedOf = ({ types, store, from, to }: ExportChoice): Wanted =>
  defined({
    types,
    stores: store === undefined ? undefined : [store],
    from: from === undefined ? undefined : Date.parse(from),
    to: to === undefined ? undefined : Date.parse(to),
  });

const placeText = (position: Position): string => String(position).padStart(16, '0');

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** The columns of a type for each format; in CSV, which has no word for them, nested values are JSON. */
function selectOf(table: string, type: string, format: ExportFormat): string {
  const typed = eventTables.find((one) => one.type === type)?.columns ?? [];
  const flat = (column: TakenColumn): boolean => format === 'csv' && column.structure !== undefined;
  const transformed = typed.filter((column) => !flat(column));
  const own = typed.map((column) => {
    const value = flat(column)
      ? taking({ name: column.name, field: column.field, type: 'JSON' }, 'data')
      : `taken.${quotedName(column.field)}`;
    return `${value} AS ${quotedName(column.name)}`;
  });
  const taken = transformed.length === 0 ? '' : `, json_transform(data, ${structureText(transformed)}) AS taken`;
  const events = `SELECT *${taken} FROM ${table} WHERE type = ${quotedText(type)}`;
  return `SELECT ${[envelopeOf('VARCHAR'), ...own].join(', ')} FROM (${events}) ORDER BY position`;
}

const OPTIONS: Readonly<Record<ExportFormat, string>> = {
  parquet: 'FORMAT parquet, COMPRESSION zstd',
  csv: 'FORMAT csv, HEADER true',
  jsonl: 'FORMAT json',
};

/** What is gathered for the next files, in a table of its own. */
class Part {
  readonly table: string;
  readonly counts = new Map<string, number>();
  events = 0;
  characters = 0;
  first: Position | undefined;
  last: EventText | undefined;
  readonly #feeder: Feeder;

  constructor(table: string, feeder: Feeder) {
    this.table = table;
    this.#feeder = feeder;
  }

  get isFull(): boolean {
    return this.events >= PART_EVENTS || this.characters >= PART_CHARACTERS;
  }

  /** Of its last event. */
  get mark(): EventMark {
    const { stream, revision, id, position } = this.last!;
    return { stream, revision, id, position };
  }

  add(event: EventText, line: string): Promise<void> | undefined {
    this.first ??= event.position;
    this.last = event;
    this.counts.set(event.type, (this.counts.get(event.type) ?? 0) + 1);
    this.characters += line.length;
    this.events += 1;
    return this.#feeder.add(line);
  }

  end(): Promise<void> {
    return this.#feeder.end();
  }
}

/** One export while it goes on: a part is written while the next one is gathered. */
class Exporting {
  added = 0;
  manifest: ExportManifest;
  readonly #duck: Duck;
  readonly #writer: DuckDBConnection;
  readonly #asked: ExportAsked;
  readonly #lines = new LineWriter();
  #part: Part | undefined;
  #parts = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(duck: Duck, writer: DuckDBConnection, asked: ExportAsked, manifest: ExportManifest) {
    this.#duck = duck;
    this.#writer = writer;
    this.#asked = asked;
    this.manifest = manifest;
  }

  async #begin(): Promise<Part> {
    this.#parts += 1;
    const table = `${LOG_TABLE}_${this.#parts}`;
    await this.#duck.connection.run(createLog(table));
    this.#part = new Part(table, Feeder.events(this.#duck.connection, table));
    return this.#part;
  }

  async add(event: EventText): Promise<void> {
    const part = this.#part ?? (await this.#begin());
    this.added += 1;
    const busy = part.add(event, this.#lines.line(event));
    if (busy !== undefined) await busy;
    if (part.isFull) await this.finishPart(event.position);
  }

  /** Writes what was gathered, and says that all events up to `through` are there. */
  async finishPart(through: Position): Promise<void> {
    const part = this.#part;
    this.#part = undefined;
    await part?.end();
    await this.#writing;
    this.#writing = this.#write(part, through);
    // Looked at with the next part, or at the end.
    this.#writing.catch(() => undefined);
  }

  end(): Promise<void> {
    return this.#writing;
  }

  async #write(part: Part | undefined, through: Position): Promise<void> {
    const files = part === undefined ? [] : await this.#writeFiles(part);
    const before = this.manifest;
    const sum = (of: (file: ExportFile) => number): number => files.reduce((total, file) => total + of(file), 0);
    this.manifest = {
      ...before,
      position: through,
      ...(part !== undefined && { newest: part.mark }),
      events: before.events + sum((file) => file.events),
      bytes: before.bytes + sum((file) => file.bytes),
      files: [...before.files, ...files],
    };
    await writeManifest(this.#asked.folder, this.manifest);
  }

  async #writeFiles(part: Part): Promise<ExportFile[]> {
    const { format } = this.#asked;
    const name = `${placeText(part.first!)}-${placeText(part.last!.position)}.${format}`;
    const files: ExportFile[] = [];
    if (format === 'jsonl') {
      const select = `SELECT ${envelopeOf('JSON')} FROM ${part.table} ORDER BY position`;
      files.push(await this.#copy(select, `${FOLDER}/${name}`, { events: part.events }));
    } else
      for (const [type, events] of [...part.counts].sort(([a], [b]) => (a < b ? -1 : 1)))
        files.push(await this.#copy(selectOf(part.table, type, format), `${FOLDER}/${type}/${name}`, { type, events }));
    await this.#writer.run(`DROP TABLE ${part.table}`);
    return files;
  }

  async #copy(select: string, path: string, about: Pick<ExportFile, 'type' | 'events'>): Promise<ExportFile> {
    const { folder, format } = this.#asked;
    const whole = join(folder, path);
    const draft = `${whole}.part`;
    mkdirSync(dirname(whole), { recursive: true });
    await this.#writer.run(`COPY (${select}) TO ${quotedText(draft)} (${OPTIONS[format]})`);
    const file = await open(draft, 'r+');
    await file.sync().finally(() => file.close());
    const sha256 = await hashOf(draft);
    const { size: bytes } = await stat(draft);
    await rename(draft, whole);
    await flushFolder(dirname(whole));
    return { path, ...about, bytes, sha256 };
  }
}

/**
 * Writes what is chosen and not there yet. Refuses `not_an_export`, `export_differs`, `export_damaged`, `export_in_use`, `other_log`,
 * `storage_full`, `duckdb_missing`; whatever ends it, the next run goes on from the last part that stands.
 */
export async function exportEvents(source: ExportSource, given: ExportAsked, run: Run): Promise<ExportResult> {
  const asked = { ...given, folder: resolve(given.folder) };
  const { folder, format, choice, memoryMb } = asked;
  mkdirSync(join(folder, LOCK), { recursive: true });
  const lock = lockFolder(join(folder, LOCK));
  if (lock === undefined)
    return refuse('export_in_use', `Another export writes into ${folder}: wait for it, or end it.`);
  let duck: Duck | undefined;
  try {
    const manifest = begun(asked);
    await checkLog(source, folder, manifest);
    removeUnfinished(folder, manifest);
    duck = await openDuck({ memoryMb, withinMs: LONGEST_MS, signal: run.signal }, { folder, inOrder: true });
    if (manifest.position === BEFORE_ALL) await writeManifest(folder, manifest);
    const exporting = new Exporting(duck, await duck.connect(), asked, manifest);
    await duck.during(() => through(source, exporting, wantedOf(choice), run));
    const { events, files, bytes, position } = exporting.manifest;
    return { folder, format, added: exporting.added, events, files: files.length, bytes, position };
  } catch (error) {
    throw duckError(error, asked);
  } finally {
    duck?.close();
    lock.release();
  }
}

/** Goes through the log from where the export ends to where the log ends now. */
async function through(
  { texts, log }: ExportSource,
  exporting: Exporting,
  wanted: Wanted,
  { tell, signal }: Run,
): Promise<void> {
  const { position } = exporting.manifest;
  const end = await texts.head();
  const first =
    position === BEFORE_ALL && wanted.from !== undefined ? await positionBefore(log, wanted.from) : position;
  let done = first;
  for (let at = first; at < end; ) {
    signal.throwIfAborted();
    const page = await texts.read(at, end, wanted.types);
    for (const event of page.events) {
      const verdict = isWanted(event, wanted);
      if (verdict === 'over') {
        if (done > position) await exporting.finishPart(done);
        return exporting.end();
      }
      if (verdict) await exporting.add(event);
      done = event.position;
    }
    at = page.through;
    done = at;
    tell({ phase: 'export', share: (at - first) / Math.max(1, end - first), done: `${exporting.added} events` });
  }
  if (end > position) await exporting.finishPart(end);
  await exporting.end();
}
