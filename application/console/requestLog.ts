/**
 * The last requests of each key, in the memory of this process: what was asked, what came of it, how long it took. Rows are made
 * once and written again, so that a request costs a look-up and a few assignments. A restart begins anew.
 */
import { LRUCache } from 'lru-cache';
import type { Principal } from '../access/principal.js';

/** Rows of one key. */
const MOST_OF_KEY = 200;
/** Rows in all: beyond it, the key that was quiet the longest is forgotten. */
const MOST_ROWS = 20_000;
const MOST_KEYS = 2_000;

/** A request that came with a key, or with a session that a key opened. */
export interface LoggedRequest {
  /** Counted from 1 by each process. */
  readonly number: number;
  /** When it was answered, in ms since 1970. */
  readonly at: number;
  /** Of a session, the key that signed its user token. */
  readonly keyId: string;
  readonly keyKind: 'api_key' | 'partner_key';
  /** The store that it reached, or that its key belongs to. */
  readonly workspaceId?: string | undefined;
  readonly partnerId?: string | undefined;
  /** Of a session in a store. */
  readonly memberId?: string | undefined;
  /** The operation's id. */
  readonly operation: string;
  readonly status: number;
  /** Of a refusal. */
  readonly code?: string | undefined;
  /** From the request line to the answer. */
  readonly ms: number;
  readonly requestId: string;
  /** How many events it appended; their correlation id is the request's. */
  readonly events: number;
}

/** What a request in flight tells of itself. */
export interface RequestInFlight {
  readonly principal: Principal | undefined;
  /** The store that it reached. */
  readonly workspaceId: string | undefined;
  readonly memberId: string | undefined;
  readonly operation: string;
  readonly requestId: string;
  readonly code: string | undefined;
  readonly events: number;
}

/** What is looked for; everything when empty. */
export interface RequestQuestion {
  readonly keyId?: string;
  readonly operation?: string;
  /** One status, or the first digit of its class. */
  readonly status?: number;
  readonly code?: string;
  readonly requestId?: string;
  readonly workspaceId?: string;
  /** ms since 1970; `to` itself is left out. */
  readonly from?: number;
  readonly to?: number;
}

export interface RequestPage {
  readonly limit: number;
  /** Only those with a smaller number. */
  readonly before?: number | undefined;
}

export interface FoundRequests {
  /** Newest first. */
  readonly requests: readonly LoggedRequest[];
  /** `before` of the next page. */
  readonly next?: number;
}

type Row = { -readonly [Name in keyof LoggedRequest]: LoggedRequest[Name] } & { newer?: Row | undefined };

/** Of one shape from the beginning. */
const BLANK: Row = {
  ...{ number: 0, at: 0, keyId: '', keyKind: 'api_key', operation: '', status: 0, ms: 0, requestId: '', events: 0 },
  ...{ workspaceId: undefined, partnerId: undefined, memberId: undefined, code: undefined, newer: undefined },
};

/** One key's rows, from the oldest on. */
interface Rows {
  count: number;
  oldest: Row | undefined;
  newest: Row | undefined;
}

/** Whether a request answers a question. */
export function isAsked(row: LoggedRequest, asked: RequestQuestion): boolean {
  const { keyId, operation, status, code, requestId, workspaceId, from, to } = asked;
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

/** An id is made of pieces, which take seven times its memory until somebody looks at one of its characters. */
const inOnePiece = (id: string): string => (id.charCodeAt(0) === 0 ? '' : id);

const copy = ({ newer: _, ...row }: Row): LoggedRequest => row;

/** The store whose people may see a request: the one it reached, or that of its key. A partner's key elsewhere is nobody's. */
const storeOf = ({ kind, workspaceId }: Principal, reached: string | undefined): string | undefined =>
  reached ?? (kind === 'partner_key' ? undefined : workspaceId);

export class RequestLog {
  #number = 0;
  #made = 0;
  readonly #mostRows: number;
  readonly #free: Row[] = [];
  readonly #watchers = new Set<(request: LoggedRequest) => void>();
  readonly #keys: LRUCache<string, Rows>;
  /** Tells the rows of this process from those of one before it. */
  readonly run: string;

  /** `run`: of this process, and no other. */
  constructor(run: string, mostRows = MOST_ROWS, mostKeys = MOST_KEYS) {
    this.run = run;
    this.#mostRows = mostRows;
    this.#keys = new LRUCache({ max: mostKeys, dispose: (rows) => this.#free.push(...from(rows.oldest)) });
  }

  /** Notes an answered request; one without a key is nobody's, and not noted. `at`: ms since 1970. */
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
    if (this.#watchers.size > 0) this.#tell(row);
  }

  /** The newest that answer the question, before a number. */
  find(asked: RequestQuestion, { limit, before = Number.POSITIVE_INFINITY }: RequestPage): FoundRequests {
    const found = this.#matching(asked, (number) => number < before);
    const requests = found.slice(0, limit).map(copy);
    return found.length > limit ? { requests, next: requests.at(-1)!.number } : { requests };
  }

  /** The newest that answer the question, after a number, in order; all of them where no limit is given. */
  since(asked: RequestQuestion, after: number, limit?: number): readonly LoggedRequest[] {
    const found = this.#matching(asked, (number) => number > after);
    return found.slice(0, limit).map(copy).toReversed();
  }

  /** Tells every request from now on, until the answer is called. */
  watch(told: (request: LoggedRequest) => void): () => void {
    this.#watchers.add(told);
    return () => void this.#watchers.delete(told);
  }

  /** Newest first. */
  #matching(asked: RequestQuestion, stands: (number: number) => boolean): readonly Row[] {
    const { keyId } = asked;
    const all = keyId === undefined ? [...this.#keys.values()] : [this.#keys.peek(keyId)];
    const found: Row[] = [];
    for (const rows of all)
      for (const row of from(rows?.oldest)) if (stands(row.number) && isAsked(row, asked)) found.push(row);
    return found.sort((a, b) => b.number - a.number);
  }

  #tell(row: Row): void {
    const request = copy(row);
    for (const told of this.#watchers) told(request);
  }

  #rowsOf(keyId: string): Rows {
    const known = this.#keys.get(keyId);
    if (known !== undefined) return known;
    const rows: Rows = { count: 0, oldest: undefined, newest: undefined };
    this.#keys.set(keyId, rows);
    return rows;
  }

  /** A row to write: the key's oldest where it has its share, else a new one, or one of the key that was quiet the longest. */
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

/** The place behind a request: `run.number`. */
export const placeOf = ({ run }: Pick<RequestLog, 'run'>, number: number): string => `${run}.${number}`;

/** The number at a place; 0 where the place is of another process, all of whose requests are forgotten. */
export function numberAt({ run }: Pick<RequestLog, 'run'>, place: string): number {
  const [, of, number] = /^([\w-]{1,64})\.(\d{1,16})$/.exec(place) ?? [];
  return of === run ? Number(number) : 0;
}

/** `4xx` → 4, `404` → 404, as a question takes it; undefined for what is no status. */
export function statusIn(text: string): number | undefined {
  const [, digit, rest] = /^([1-5])(xx|\d\d)$/.exec(text) ?? [];
  return digit === undefined ? undefined : rest === 'xx' ? Number(digit) : Number(text);
}
