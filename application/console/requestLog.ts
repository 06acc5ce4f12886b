/**
 * The last requests of each key, in the memory of this process: operation, outcome and duration. Rows are allocated once and reused, so
 * that a request costs a lookup and a few assignments. A restart clears them.
 */
import { LRUCache } from 'lru-cache';
import type { Principal } from '../access/principal.js';

/** Maximum rows per key. */
const MOST_OF_KEY = 200;
/** Maximum rows in all. Above it, the key that was idle the longest is evicted. */
const MOST_ROWS = 20_000;
const MOST_KEYS = 2_000;

/** A request with a key, or with a session that a key opened. */
export interface LoggedRequest {
  /** Counted from 1 by each process. */
  readonly number: number;
  /** Time of the response, in ms since 1970. */
  readonly at: number;
  /** Key of the caller. For a session, the key that signed its user token. */
  readonly keyId: string;
  readonly keyKind: 'api_key' | 'partner_key';
  /** Store of the request, or of its key. */
  readonly workspaceId?: string | undefined;
  readonly partnerId?: string | undefined;
  /** Member of a session in a store. */
  readonly memberId?: string | undefined;
  /** Id of the operation. */
  readonly operation: string;
  readonly status: number;
  /** Code of a refusal. */
  readonly code?: string | undefined;
  /** Duration from the request line to the response. */
  readonly ms: number;
  readonly requestId: string;
  /** Number of events that it appended. Their correlation id is the request's. */
  readonly events: number;
}

/** Details of a request in progress. */
export interface RequestInFlight {
  readonly principal: Principal | undefined;
  /** Store of the request. */
  readonly workspaceId: string | undefined;
  readonly memberId: string | undefined;
  readonly operation: string;
  readonly requestId: string;
  readonly code: string | undefined;
  readonly events: number;
}

/** Criteria of a search. Empty: all requests. */
export interface RequestQuestion {
  readonly keyId?: string;
  readonly operation?: string;
  /** A status, or the first digit of its class. */
  readonly status?: number;
  readonly code?: string;
  readonly requestId?: string;
  readonly workspaceId?: string;
  /** ms since 1970. `to` is exclusive. */
  readonly from?: number;
  readonly to?: number;
}

export interface RequestPage {
  readonly limit: number;
  /** Only requests with a smaller number. */
  readonly before?: number | undefined;
}

export interface FoundRequests {
  /** The newest first. */
  readonly requests: readonly LoggedRequest[];
  /** Value of `before` for the next page. */
  readonly next?: number;
}

type Row = { -readonly [Name in keyof LoggedRequest]: LoggedRequest[Name] } & { newer?: Row | undefined };

/** Has all fields from the start, so that all rows share one hidden class. */
const BLANK: Row = {
  ...{ number: 0, at: 0, keyId: '', keyKind: 'api_key', operation: '', status: 0, ms: 0, requestId: '', events: 0 },
  ...{ workspaceId: undefined, partnerId: undefined, memberId: undefined, code: undefined, newer: undefined },
};

/** Rows of one key, the oldest first. */
interface Rows {
  count: number;
  oldest: Row | undefined;
  newest: Row | undefined;
}

/** Returns true if a request matches a query. */
export function matchesQuery(row: LoggedRequest, requested: RequestQuestion): boolean {
  const { keyId, operation, status, code, requestId, workspaceId, from, to } = requested;
  if (workspaceId !== undefined && row.workspaceId !== workspaceId) return false;
  if (keyId !== undefined && row.keyId !== keyId) return false;
  if (operation !== undefined && row.operation !== operation) return false;
  if (status !== undefined && row.status !== status && Math.floor(row.status / 100) !== status) return false;
  if (code !== undefined && row.code !== code) return false;
  if (requestId !== undefined && row.requestId !== requestId) return false;
  return (from === undefined || row.at >= from) && (to === undefined || row.at < to);
}

function* from(oldest: Row | undefined): Generator<Row> {
  for (let row = oldest; row !== undefined; row = row.newer) yield row;
}

/** Flattens an id. A concatenated string takes seven times its memory until one of its characters is read. */
const inOnePiece = (id: string): string => (id.charCodeAt(0) === 0 ? '' : id);

const copy = ({ newer: _, ...row }: Row): LoggedRequest => row;

/**
 * Returns the store whose members may see a request: the one that it reached, or that of its key. Undefined for a partner's key without a
 * store.
 */
const storeOf = ({ kind, workspaceId }: Principal, reached: string | undefined): string | undefined =>
  reached ?? (kind === 'partner_key' ? undefined : workspaceId);

export class RequestLog {
  #number = 0;
  #made = 0;
  readonly #mostRows: number;
  readonly #free: Row[] = [];
  readonly #watchers = new Set<(request: LoggedRequest) => void>();
  readonly #keys: LRUCache<string, Rows>;
  /** Distinguishes the rows of this process from those of an earlier one. */
  readonly run: string;

  /** `run`: unique id of this process. */
  constructor(run: string, mostRows = MOST_ROWS, mostKeys = MOST_KEYS) {
    this.run = run;
    this.#mostRows = mostRows;
    this.#keys = new LRUCache({ max: mostKeys, dispose: (rows) => this.#free.push(...from(rows.oldest)) });
  }

  /** Records an answered request. A request without a key is not recorded. `at`: ms since 1970. */
  note(request: RequestInFlight, status: number, ms: number, at: number): void {
    const { principal, workspaceId: reached, memberId, operation, requestId, code, events } = request;
    if (principal === undefined) return;
    const { keyId, partnerId } = principal;
    const rows = this.#rowsOf(keyId);
    const row = this.#take(rows);
    row.number = ++this.#number;
    row.at = at;
    row.keyId = keyId;
    row.keyKind = partnerId === undefined ? 'api_key' : 'partner_key';
    row.workspaceId = storeOf(principal, reached);
    row.partnerId = partnerId;
    row.memberId = memberId;
    row.operation = operation;
    row.status = status;
    row.code = code;
    row.ms = ms;
    row.requestId = inOnePiece(requestId);
    row.events = events;
    row.newer = undefined;
    if (rows.newest === undefined) rows.oldest = row;
    else rows.newest.newer = row;
    rows.newest = row;
    rows.count += 1;
    if (this.#watchers.size > 0) this.#notify(row);
  }

  /** Returns the newest requests that match the query, before a number. */
  find(requested: RequestQuestion, { limit, before = Number.POSITIVE_INFINITY }: RequestPage): FoundRequests {
    const found = this.#matching(requested, (number) => number < before);
    const requests = found.slice(0, limit).map(copy);
    return found.length > limit ? { requests, next: requests.at(-1)!.number } : { requests };
  }

  /** Returns requests that match the query, after a number, in order. `limit`: only the newest ones. Absent: all. */
  since(requested: RequestQuestion, after: number, limit?: number): readonly LoggedRequest[] {
    const found = this.#matching(requested, (number) => number > after);
    return found.slice(0, limit).map(copy).toReversed();
  }

  /** Calls `notify` for every new request until the returned function is called. */
  watch(notify: (request: LoggedRequest) => void): () => void {
    this.#watchers.add(notify);
    return () => void this.#watchers.delete(notify);
  }

  /** The newest first. */
  #matching(requested: RequestQuestion, isIncluded: (number: number) => boolean): readonly Row[] {
    const { keyId } = requested;
    const all = keyId === undefined ? [...this.#keys.values()] : [this.#keys.peek(keyId)];
    const found: Row[] = [];
    for (const rows of all)
      for (const row of from(rows?.oldest)) if (isIncluded(row.number) && matchesQuery(row, requested)) found.push(row);
    return found.sort((a, b) => b.number - a.number);
  }

  #notify(row: Row): void {
    const request = copy(row);
    for (const notify of this.#watchers) notify(request);
  }

  #rowsOf(keyId: string): Rows {
    const known = this.#keys.get(keyId);
    if (known !== undefined) return known;
    const rows: Rows = { count: 0, oldest: undefined, newest: undefined };
    this.#keys.set(keyId, rows);
    return rows;
  }

  /**
   * Returns a row to write: the key's oldest if the key has its share, otherwise a new one, or one of the key that was idle the longest.
   */
  #take(rows: Rows): Row {
    if (rows.count < MOST_OF_KEY) {
      const free = this.#free.pop();
      if (free !== undefined) return free;
      if (this.#made < this.#mostRows) {
        this.#made += 1;
        return { ...BLANK };
      }
      if (this.#keys.size > 1) {
        this.#keys.pop();
        return this.#free.pop() ?? this.#take(rows);
      }
    }
    const oldest = rows.oldest!;
    rows.oldest = oldest.newer;
    if (rows.oldest === undefined) rows.newest = undefined;
    rows.count -= 1;
    return oldest;
  }
}

/** Returns the place after a request: `run.number`. */
export const placeOf = ({ run }: Pick<RequestLog, 'run'>, number: number): string => `${run}.${number}`;

/** Returns the number in a place. 0 for a place of another process, whose requests are lost. */
export function numberAt({ run }: Pick<RequestLog, 'run'>, place: string): number {
  const [, of, number] = /^([\w-]{1,64})\.(\d{1,16})$/.exec(place) ?? [];
  return of === run ? Number(number) : 0;
}

/** Parses a status of a query: `4xx` → 4, `404` → 404. Undefined: not a status. */
export function statusIn(text: string): number | undefined {
  const [, digit, rest] = /^([1-5])(xx|\d\d)$/.exec(text) ?? [];
  return digit === undefined ? undefined : rest === 'xx' ? Number(digit) : Number(text);
}
