/** Events and documents into tables of DuckDB: a page at a time, as one text, which DuckDB's own threads take apart. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Position } from '../../engine/ports/eventStore.js';
import type { Run } from '../backup/progress.js';
import { quotedName, quotedText } from './columns.js';
import type { EventText, EventTexts } from './eventTexts.js';
import { areas, ENVELOPE } from './tables.js';

/** Which events are wanted; all of them where a member is absent. */
export interface EventSelection {
  readonly types?: readonly string[] | undefined;
  /** Workspace ids. */
  readonly stores?: readonly string[] | undefined;
  /** ms since 1970; `to` itself is left out. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Rows of one statement, and characters, about. */
const ROWS = 5_000;
const CHARACTERS = 4_000_000;

export const LOG_TABLE = 'log';

/** Between fields and between rows, as is the end of a line: characters that no JSON holds as they are. */
export const FIELD = '\u001f';
const ROW = '\u001e';
const PARTING = /[\u0000-\u001f]/;
const EACH_PARTING = /[\u0000-\u001f]/g;

/** Names that other programs chose may hold anything. */
const clean = (text: string): string => (PARTING.test(text) ? text.replaceAll(EACH_PARTING, ' ') : text);

const textOf = (text: unknown): string => (typeof text === 'string' ? clean(text) : '');

/** Columns of a log table, in the order of `LineWriter`'s fields, without derived ones. */
export const STORED = ENVELOPE.filter(({ name }) => name !== 'stream_id');

/** An event as the fields of `STORED`. The events of one append have one metadata, which is written once. */
export class LineWriter {
  #meta: EventText['meta'] | undefined;
  #metaFields: readonly [string, string] = ['', ''];

  line(event: EventText, withData = true): string {
    return withData ? this.head(event) + event.data : this.head(event);
  }

  /** All but its data, which are the last field. */
  head({ position, id, stream, type, revision, meta }: EventText): string {
    if (meta !== this.#meta) this.#write(meta);
    const [times, actors] = this.#metaFields;
    const dash = stream.indexOf('-');
    const area = areas.get(dash === -1 ? stream : stream.slice(0, dash)) ?? '';
    const names = `${area}${FIELD}${clean(type)}${FIELD}${clean(stream)}`;
    return `${position}${FIELD}${id}${FIELD}${times}${FIELD}${names}${FIELD}${revision}${FIELD}${actors}${FIELD}`;
  }

  /** Events of other programs have metadata of their own form. */
  #write(meta: EventText['meta']): void {
    const { actor, at, workspaceId, partnerId, operator, correlationId, causationId } = meta;
    const who = actor?.id === undefined ? actor?.type : `${actor.type}:${actor.id}`;
    this.#metaFields = [
      `${textOf(at)}${FIELD}${textOf(workspaceId)}${FIELD}${textOf(partnerId)}`,
      `${textOf(who)}${FIELD}${textOf(operator)}${FIELD}${textOf(correlationId)}${FIELD}${textOf(causationId)}`,
    ];
    this.#meta = meta;
  }
}

const storedType = ({ type }: { readonly type: string }): string => (type === 'JSON' ? 'VARCHAR' : type);

/** SQL that makes the table of events, whose data are text. */
export const createLog = (): string =>
  `CREATE TABLE ${LOG_TABLE} (${STORED.map((column) => `${quotedName(column.name)} ${storedType(column)}`).join(', ')})`;

/** The columns of `events`, of a log table. */
export const envelopeOf = (data: 'JSON' | 'VARCHAR'): string =>
  ENVELOPE.map(({ name }) => {
    if (name === 'stream_id') return "substr(stream, strpos(stream, '-') + 1) AS stream_id";
    return name === 'data' && data === 'JSON' ? 'data::JSON AS data' : quotedName(name);
  }).join(', ');

/** SQL that takes the rows of a text apart, and adds them to the log's table. */
function insertEvents(): string {
  const fields = STORED.map((column, at) => {
    const field = `field[${at + 1}]`;
    if (column.type === 'VARCHAR') return `nullif(${field}, '')`;
    return column.type === 'JSON' ? field : `try_cast(${field} AS ${column.type})`;
  });
  const rows = `SELECT string_split(row, chr(31)) AS field FROM (SELECT unnest(string_split($1, chr(30))) AS row)`;
  return `INSERT INTO ${LOG_TABLE} SELECT ${fields.join(', ')} FROM (${rows})`;
}

/** SQL that takes lines of JSON apart, and adds them to a table with these columns. */
function insertJson(table: string, columns: readonly { readonly name: string; readonly type: string }[]): string {
  const shape = JSON.stringify(Object.fromEntries(columns.map(({ name, type }) => [name, type])));
  const rows = `SELECT json_transform(row, ${quotedText(shape)}) AS line FROM (SELECT unnest(string_split($1, chr(30))) AS row)`;
  return `INSERT INTO ${quotedName(table)} SELECT unnest(line) FROM (${rows})`;
}

/** Adds rows to a table, thousands with one statement. */
export class Feeder {
  readonly #connection: DuckDBConnection;
  readonly #sql: string;
  #rows: string[] = [];
  #characters = 0;
  /** The statement that is under way: the next page is read meanwhile. */
  #running: Promise<unknown> = Promise.resolve();

  private constructor(connection: DuckDBConnection, sql: string) {
    this.#connection = connection;
    this.#sql = sql;
  }

  static events(connection: DuckDBConnection): Feeder {
    return new Feeder(connection, insertEvents());
  }

  static json(connection: DuckDBConnection, ...where: Parameters<typeof insertJson>): Feeder {
    return new Feeder(connection, insertJson(...where));
  }

  /** `undefined`: it need not be waited for. */
  add(row: string): Promise<void> | undefined {
    this.#rows.push(row);
    this.#characters += row.length;
    return this.#rows.length >= ROWS || this.#characters >= CHARACTERS ? this.#flush() : undefined;
  }

  /** Ends the input; all rows are then in the table. */
  async end(): Promise<void> {
    if (this.#rows.length > 0) await this.#flush();
    await this.#running;
  }

  async #flush(): Promise<void> {
    const text = this.#rows.join(ROW);
    this.#rows = [];
    this.#characters = 0;
    await this.#running;
    this.#running = this.#connection.run(this.#sql, [text]);
    // Looked at with the next one, or at the end.
    this.#running.catch(() => undefined);
  }
}

/** True if an event is selected. A later event may have an earlier time: clocks are set back. */
export function isSelected({ meta }: EventText, { stores, from, to }: EventSelection): boolean {
  if (stores !== undefined && (meta.workspaceId === undefined || !stores.includes(meta.workspaceId))) return false;
  if (from === undefined && to === undefined) return true;
  const at = Date.parse(meta.at);
  return (from === undefined || at >= from) && (to === undefined || at < to);
}

/** Fills `LOG_TABLE` with what is wanted, after one position and up to another. Answers how many there were. */
export async function feedEvents(
  connection: DuckDBConnection,
  texts: EventTexts,
  requested: EventSelection & { readonly after: Position; readonly upTo: Position; readonly withData: boolean },
  { report, signal }: Run,
): Promise<number> {
  const { after, upTo, withData, types } = requested;
  const feeder = Feeder.events(connection);
  const lines = new LineWriter();
  let count = 0;
  for (let at = after; at < upTo; ) {
    signal.throwIfAborted();
    const page = await texts.read(at, upTo, types);
    for (const event of page.events) {
      if (!isSelected(event, requested)) continue;
      count += 1;
      const full = feeder.add(lines.line(event, withData));
      if (full !== undefined) await full;
    }
    at = page.through;
    report({ phase: 'events', share: (at - after) / Math.max(1, upTo - after), done: `${count} events` });
  }
  await feeder.end();
  return count;
}
