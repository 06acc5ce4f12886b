/**
 * `suuq export`: the history as files, for tools of the field. A part of the log at a time: its files, then the manifest, so that
 * whatever ends an export leaves what the manifest says, and the next run goes on from there.
 */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { open, rename, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { positionBefore } from '../../application/history/steps.js';
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { BEFORE_ALL, type EventStore, type Position } from '../../engine/ports/eventStore.js';
import { flushFolder } from '../../infrastructure/files/flushFolder.js';
import { lockFolder } from '../../infrastructure/sqlite/folderLock.js';
import type { Run } from '../backup/progress.js';
import { quotedName, quotedText, taking } from './columns.js';
import { type Duck, openDuck } from './duckDb.js';
import type { EventText, EventTexts } from './eventTexts.js';
import { Feeder, isWanted, lineOf, LOG_TABLE, logColumns, type Wanted } from './feeding.js';
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
import { ENVELOPE, eventTables } from './tables.js';

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

/** Of one part: what is in memory at once. */
const PART_EVENTS = 250_000;
const PART_CHARACTERS = 192_000_000;
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
  const all = existsSync(join(folder, FOLDER)) ? readdirSync(join(folder, FOLDER), { recursive: true, encoding: 'utf8' }) : [];
  for (const below of all) {
    const path = `${FOLDER}/${below.replaceAll('\\', '/')}`;
    if (OWN_FILE.test(path.slice(path.lastIndexOf('/') + 1)) && !kept.has(path)) rmSync(join(folder, path));
  }
}

/** Refuses `other_log` where the log is not the one that the export was made of. */
async function checkLog(texts: EventTexts, folder: string, { newest, position }: ExportManifest): Promise<void> {
  const head = await texts.head();
  const found = newest && (await texts.read(newest.position - 1, newest.position)).events.at(-1);
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

/** Its columns for each format; nested values are JSON where a format has no word for them. */
function selectOf(type: string, format: ExportFormat): string {
  const envelope = ENVELOPE.map(({ name }) => quotedName(name));
  const typed = eventTables.find((table) => table.type === type)?.columns ?? [];
  const own = typed.map((column) => {
    const flat = format === 'csv' && column.structure !== undefined;
    const value = flat ? taking({ name: column.name, field: column.field, type: 'JSON' }, 'data') : taking(column, 'data');
    return `${value} AS ${quotedName(column.name)}`;
  });
  return `SELECT ${[...envelope, ...own].join(', ')} FROM ${LOG_TABLE} WHERE type = ${quotedText(type)} ORDER BY position`;
}

const OPTIONS: Readonly<Record<ExportFormat, string>> = {
  parquet: 'FORMAT parquet, COMPRESSION zstd',
  csv: 'FORMAT csv, HEADER true',
  jsonl: 'FORMAT json',
};

/** One export while it goes on. */
class Exporting {
  added = 0;
  readonly #duck: Duck;
  readonly #asked: ExportAsked;
  #manifest: ExportManifest;
  /** Of the part that is gathered. */
  #feeder: Feeder;
  #counts = new Map<string, number>();
  #gathered = 0;
  #characters = 0;
  #first: EventText | undefined;
  #last: EventText | undefined;

  constructor(duck: Duck, asked: ExportAsked, manifest: ExportManifest) {
    this.#duck = duck;
    this.#asked = asked;
    this.#manifest = manifest;
    this.#feeder = new Feeder(duck.connection, LOG_TABLE, ENVELOPE);
  }

  get manifest(): ExportManifest {
    return this.#manifest;
  }

  async add(event: EventText): Promise<void> {
    const line = lineOf(event);
    this.#first ??= event;
    this.#last = event;
    this.#counts.set(event.type, (this.#counts.get(event.type) ?? 0) + 1);
    this.#characters += line.length;
    this.#gathered += 1;
    this.added += 1;
    await this.#feeder.add(line);
  }

  get isFull(): boolean {
    return this.#gathered >= PART_EVENTS || this.#characters >= PART_CHARACTERS;
  }

  /** Writes what was gathered, and says that all events up to `through` are there. */
  async finishPart(through: Position): Promise<void> {
    await this.#feeder.end();
    const files: ExportFile[] = [];
    const { format, folder } = this.#asked;
    const last = this.#last;
    if (last !== undefined) {
      const name = `${placeText(this.#first!.position)}-${placeText(last.position)}.${format}`;
      if (format === 'jsonl') files.push(await this.#write(`${FOLDER}/${name}`, { events: this.#gathered }));
      else
        for (const [type, count] of [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)))
          files.push(await this.#write(`${FOLDER}/${type}/${name}`, { type, events: count }));
      await this.#duck.connection.run(`TRUNCATE ${LOG_TABLE}`);
    }
    const before = this.#manifest;
    const sum = (of: (file: ExportFile) => number): number => files.reduce((total, file) => total + of(file), 0);
    this.#manifest = {
      ...before,
      position: through,
      ...(last !== undefined && { newest: { position: last.position, id: last.id } }),
      events: before.events + sum((file) => file.events),
      bytes: before.bytes + sum((file) => file.bytes),
      files: [...before.files, ...files],
    };
    await writeManifest(folder, this.#manifest);
    this.#counts.clear();
    this.#gathered = 0;
    this.#characters = 0;
    this.#first = undefined;
    this.#last = undefined;
  }

  async #write(path: string, about: Pick<ExportFile, 'type' | 'events'>): Promise<ExportFile> {
    const { folder, format } = this.#asked;
    const whole = join(folder, path);
    const draft = `${whole}.part`;
    mkdirSync(dirname(whole), { recursive: true });
    const select =
      about.type === undefined ? `SELECT * FROM ${LOG_TABLE} ORDER BY position` : selectOf(about.type, format);
    const sql = `COPY (${select}) TO ${quotedText(draft)} (${OPTIONS[format]})`;
    await this.#duck.connection.run(sql);
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
  if (lock === undefined) return refuse('export_in_use', `Another export writes into ${folder}: wait for it, or end it.`);
  let duck: Duck | undefined;
  try {
    const manifest = begun(asked);
    await checkLog(source.texts, folder, manifest);
    removeUnfinished(folder, manifest);
    duck = await openDuck({ memoryMb, withinMs: LONGEST_MS, signal: run.signal }, { folder, inOrder: true });
    await duck.connection.run(`CREATE TABLE ${LOG_TABLE} (${logColumns})`);
    if (manifest.position === BEFORE_ALL) await writeManifest(folder, manifest);
    const exporting = new Exporting(duck, asked, manifest);
    await duck.during(() => through(source, exporting, wantedOf(choice), run));
    const { events, files, bytes, position } = exporting.manifest;
    return { folder, format, added: exporting.added, events, files: files.length, bytes, position };
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
        return;
      }
      if (verdict) {
        await exporting.add(event);
        if (exporting.isFull) await exporting.finishPart(event.position);
      }
      done = event.position;
    }
    at = page.through;
    done = at;
    tell({ phase: 'export', share: (at - first) / Math.max(1, end - first), done: `${exporting.added} events` });
  }
  if (end > position) await exporting.finishPart(end);
}
