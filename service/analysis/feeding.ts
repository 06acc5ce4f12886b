/** Events and documents into tables of DuckDB: a page at a time, as one text, which DuckDB's own threads take apart. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { CLOCK_SKEW_MS } from '../../application/history/steps.js';
import type { Position } from '../../engine/ports/eventStore.js';
import type { Run } from '../backup/progress.js';
import { quotedName, quotedText } from './columns.js';
import type { EventText, EventTexts } from './eventTexts.js';
import { areas, ENVELOPE } from './tables.js';

/** Which events are wanted; all of them where a member is absent. */
export interface Wanted {
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

/** An event as a line of JSON, in the columns of `events`. */
export function lineOf({ position, id, stream, type, revision, meta, data }: EventText, withData = true): string {
  const dash = stream.indexOf('-');
  const { actor, at, workspaceId, partnerId, operator, correlationId, causationId } = meta;
  const envelope = JSON.stringify({
    position,
    id,
    // Events of other programs have metadata of their own form.
    time: at,
    workspace_id: workspaceId,
    partner_id: partnerId,
    area: areas.get(dash === -1 ? stream : stream.slice(0, dash)),
    type,
    stream,
    stream_id: stream.slice(dash + 1),
    revision,
    actor: actor?.id === undefined ? actor?.type : `${actor.type}:${actor.id}`,
    operator,
    correlation: correlationId,
    causation: causationId,
  });
  return withData ? `${envelope.slice(0, -1)},"data":${data.replaceAll('\n', ' ')}}` : envelope;
}

/** Adds lines of JSON to a table whose columns they name. */
export class Feeder {
  readonly #connection: DuckDBConnection;
  readonly #sql: string;
  #lines: string[] = [];
  #characters = 0;
  /** The statement that is under way: the next page is read meanwhile. */
  #running: Promise<unknown> = Promise.resolve();

  constructor(connection: DuckDBConnection, table: string, columns: readonly { name: string; type: string }[]) {
    this.#connection = connection;
    const shape = JSON.stringify(Object.fromEntries(columns.map(({ name, type }) => [name, type])));
    this.#sql =
      `INSERT INTO ${quotedName(table)} SELECT unnest(line) FROM ` +
      `(SELECT json_transform(text, ${quotedText(shape)}) AS line FROM (SELECT unnest(string_split($1, chr(10))) AS text))`;
  }

  async add(line: string): Promise<void> {
    this.#lines.push(line);
    this.#characters += line.length;
    if (this.#lines.length >= ROWS || this.#characters >= CHARACTERS) await this.#flush();
  }

  /** All that was added stands in the table then. */
  async end(): Promise<void> {
    if (this.#lines.length > 0) await this.#flush();
    await this.#running;
  }

  async #flush(): Promise<void> {
    const text = this.#lines.join('\n');
    this.#lines = [];
    this.#characters = 0;
    await this.#running;
    this.#running = this.#connection.run(this.#sql, [text]);
    // Looked at with the next one, or at the end.
    this.#running.catch(() => undefined);
  }
}

/** The columns of `LOG_TABLE`. */
export const logColumns = ENVELOPE.map(({ name, type }) => `${quotedName(name)} ${type}`).join(', ');

/** Whether an event is wanted; `over`: neither it nor any that comes later is. */
export function isWanted({ meta }: EventText, { stores, from, to }: Wanted): boolean | 'over' {
  if (stores !== undefined && (meta.workspaceId === undefined || !stores.includes(meta.workspaceId))) return false;
  if (from === undefined && to === undefined) return true;
  const at = Date.parse(meta.at);
  if (to !== undefined && at >= to + CLOCK_SKEW_MS) return 'over';
  return (from === undefined || at >= from) && (to === undefined || at < to);
}

/** Fills `LOG_TABLE` with what is wanted, after one position and up to another. Answers how many there were. */
export async function feedEvents(
  connection: DuckDBConnection,
  texts: EventTexts,
  wanted: Wanted & { readonly after: Position; readonly upTo: Position; readonly withData: boolean },
  { tell, signal }: Run,
): Promise<number> {
  const { after, upTo, withData, types } = wanted;
  const feeder = new Feeder(connection, LOG_TABLE, ENVELOPE);
  let count = 0;
  for (let at = after; at < upTo; ) {
    signal.throwIfAborted();
    const page = await texts.read(at, upTo, types);
    for (const event of page.events) {
      const verdict = isWanted(event, wanted);
      if (verdict === 'over') {
        await feeder.end();
        return count;
      }
      if (!verdict) continue;
      count += 1;
      await feeder.add(lineOf(event, withData));
    }
    at = page.through;
    tell({ phase: 'events', share: (at - after) / Math.max(1, upTo - after), done: `${count} events` });
  }
  await feeder.end();
  return count;
}
