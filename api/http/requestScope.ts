/** Commands and reads of one request: bound to its actor, and to each other, so that it reads its own writes. */

import { randomUUID } from 'node:crypto';
import { changedScopes, readScopes } from '../../application/access/changeScopes.js';
import type { Principal } from '../../application/access/principal.js';
import type { Actor } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { derivedId } from '../../domain/ids.js';
import { bindCommands } from '../../engine/commandHandler/boundCommands.js';
import type { CommandContext } from '../../engine/commandHandler/commands.js';
import { placeOf, type Query } from '../../engine/ports/documents.js';
import { BEFORE_ALL } from '../../engine/ports/eventStore.js';
import type { Acknowledged } from '../../engine/projections/acknowledged.js';
import type { Readable, Reads } from '../../engine/projections/reads.js';
import { decodeCursor, encodeCursor } from '../contract/cursor.js';
import type { ListCursor, Page, RequestCommands, RequestReads } from '../contract/operation.js';
import { BUILDING_RETRY_SECONDS, Refusal } from '../contract/problems.js';
import type { Services, ViewProgress } from '../contract/services.js';
import type { AnswerSources } from './answerSources.js';

/** Longest wait for the views of a change, in ms. */
const VIEWS_WITHIN = 5000;
const DEFAULT_LIMIT = 50;

/** Context of a request's commands and reads. */
export interface Bound {
  readonly services: Services;
  readonly progress: ViewProgress;
  readonly acknowledged?: Acknowledged | undefined;
  readonly principal: Principal;
  /** Present for a session in a workspace. */
  readonly memberId?: string | undefined;
  readonly requestId: string;
  readonly workspaceId: string | undefined;
  readonly partnerId: string | undefined;
  /** From the Idempotency-Key, when there is one. */
  readonly seed: string | undefined;
  /** Id of the operation, for its cursors. */
  readonly operation: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The request's query, for pages. */
  readonly query: Readonly<Record<string, unknown>>;
  /** Counts the events that the request appends. */
  readonly counted?: { events: number } | undefined;
  /** Records the dependencies of a read whose answer may be cached. */
  readonly sources?: AnswerSources | undefined;
}

/** A session acts as its member; about a partner's session itself, as its user. */
function actorOf({ kind, keyId, session, workspaceId, actor }: Principal, memberId: string | undefined): Actor {
  if (actor !== undefined) return actor;
  if (session !== undefined) {
    const only = workspaceId === undefined ? session.userId : session.stores[0]?.memberId;
    return { type: 'member', id: memberId ?? only ?? session.userId };
  }
  return { type: kind === 'partner_key' ? 'partner_key' : 'api_key', id: keyId };
}

/** `percent`: of views that are being built for the first time. */
function viewsLate(percent: number | undefined): Refusal {
  const late = percent === undefined ? 'late' : `being built (${percent} %)`;
  return new Refusal(
    'unavailable',
    `The change is stored, but the read model that shows it is ${late}. Do not repeat the change. Read the object after a moment, or repeat the request with its Idempotency-Key.`,
    { headers: { 'Retry-After': percent === undefined ? '1' : String(BUILDING_RETRY_SECONDS) } },
  );
}

/** Returns the refusal of a request that has changed nothing itself. */
export const readLate = (): Refusal =>
  new Refusal(
    'unavailable',
    'The previous change is stored, but the read model that shows it lags behind. Send the request again after a moment.',
    { headers: { 'Retry-After': '1' } },
  );

/** Events appended by this request, and the last known progress of the views. */
class Appended {
  readonly #acknowledged: Acknowledged | undefined;
  readonly #bound: Bound;
  readonly #progress: ViewProgress;
  #slowed: Promise<unknown> | undefined;
  #categories: Set<string> | undefined;
  #position = BEFORE_ALL;
  #seen = BEFORE_ALL;
  constructor(bound: Bound) {
    this.#bound = bound;
    this.#progress = bound.progress;
    this.#acknowledged = bound.acknowledged;
  }
  add(category: string, position: number, events: number): void {
    this.#categories ??= new Set();
    this.#categories.add(category);
    this.#position = Math.max(this.#position, position);
    if (this.#bound.counted !== undefined) this.#bound.counted.events += events;
    if (this.#acknowledged === undefined) return;
    const scopes = changedScopes(this.#bound.workspaceId, this.#bound.partnerId);
    this.#slowed = this.#acknowledged.add(scopes, category, { position, events }) ?? this.#slowed;
  }
  get isEmpty(): boolean {
    return this.#categories === undefined;
  }
  /**
   * Waits before the answer; undefined: no wait. Either the views show the change, or the next reader waits for them.
   */
  settled(): Promise<unknown> | undefined {
    if (this.#acknowledged !== undefined) return this.#slowed;
    return this.isEmpty ? undefined : this.shown();
  }
  /** Refuses `unavailable` when a view is late. */
  async shown(): Promise<void> {
    if (this.#position <= this.#seen) return;
    const position = this.#position;
    const { workspaceId } = this.#bound;
    if (!(await this.#progress.waitFor([...(this.#categories ?? [])], position, VIEWS_WITHIN, workspaceId)))
      throw viewsLate(this.#progress.building?.()?.percent);
    this.#seen = position;
  }
}

function commandsOf(bound: Bound, appended: Appended, seed: () => string): RequestCommands {
  const { services, principal, memberId, requestId, workspaceId, partnerId } = bound;
  const actor = actorOf(principal, memberId);
  const counts = new Map<string, number>();
  // Named by stream and turn, not by turn alone: a repetition may leave out what has been done before.
  const next = (aggregate: string, id: string): CommandContext => {
    const turn = counts.get(`${aggregate}-${id}`) ?? 0;
    counts.set(`${aggregate}-${id}`, turn + 1);
    return {
      commandId: derivedId(seed(), 'command', aggregate, id, turn),
      // Without an Idempotency-Key the seed is drawn for this request alone.
      ...(bound.seed === undefined && { isDrawn: true }),
      actor,
      correlationId: requestId,
      ...defined({ workspaceId, partnerId }),
    };
  };
  return bindCommands(services.commandHandler, next, (position, aggregate, events) =>
    appended.add(aggregate, position, events),
  );
}

function cursorOf(bound: Bound, sort: readonly string[]): ListCursor {
  const { operation, params, query, services, workspaceId, partnerId } = bound;
  const { cursors } = services;
  const scope = { operation, owner: workspaceId ?? partnerId, params, sort };
  const { cursor } = query;
  return {
    ...(typeof cursor === 'string' ? { after: decodeCursor(cursors, scope, cursor) } : {}),
    next: (place) => encodeCursor(cursors, scope, place),
  };
}

async function pageOf<B>(
  bound: Bound,
  reads: Reads,
  projection: Readable<B>,
  query: Omit<Query, 'limit' | 'after'>,
): Promise<Page<B>> {
  const requested = bound.query;
  const limit = typeof requested.limit === 'number' ? requested.limit : DEFAULT_LIMIT;
  const sort = query.sort ?? [];
  const { after, next } = cursorOf(bound, sort);
  const found = await reads.find(projection, { ...query, ...(after && { after }), limit: limit + 1 });
  if (found.length <= limit) return { rows: found };
  const rows = found.slice(0, limit);
  return { rows, next: next(placeOf(sort, rows[limit - 1]!)) };
}

/** Queries that wait until the views show what this request has appended. */
class ShownFirst implements Reads {
  readonly #reads: Reads;
  readonly #appended: Appended;
  constructor(reads: Reads, appended: Appended) {
    this.#reads = reads;
    this.#appended = appended;
  }
  async get<B>(projection: Readable<B>, id: string) {
    await this.#appended.shown();
    return this.#reads.get(projection, id);
  }
  async getMany<B>(projection: Readable<B>, ids: readonly string[]) {
    await this.#appended.shown();
    return this.#reads.getMany(projection, ids);
  }
  async find<B>(projection: Readable<B>, requested: Query) {
    await this.#appended.shown();
    return this.#reads.find(projection, requested);
  }
  async count(projection: Readable<unknown>, where: Query['where'], limit: number) {
    await this.#appended.shown();
    return this.#reads.count(projection, where, limit);
  }
}

/** Queries that show what was acknowledged before, by this request or in its scope. Refuse `unavailable` when a view is late. */
function settledOf({ services, progress, acknowledged, workspaceId, partnerId }: Bound, appended: Appended): Reads {
  const { reads } = services;
  if (acknowledged === undefined || reads.within === undefined) return new ShownFirst(reads, appended);
  return reads.within({
    scopes: readScopes(workspaceId, partnerId),
    late: () => (appended.isEmpty ? readLate() : viewsLate(progress.building?.()?.percent)),
  });
}

/** A class, since nearly every request makes one: its queries are no closures. */
class ScopedReads implements RequestReads {
  readonly #bound: Bound;
  readonly #appended: Appended;
  readonly #reads: Reads;
  readonly #sources: AnswerSources | undefined;
  constructor(bound: Bound, appended: Appended) {
    this.#bound = bound;
    this.#appended = appended;
    this.#reads = settledOf(bound, appended);
    this.#sources = bound.sources;
  }
  get<B>(projection: Readable<B>, id: string) {
    this.#sources?.view(projection.name);
    return this.#reads.get(projection, id);
  }
  getMany<B>(projection: Readable<B>, ids: readonly string[]) {
    this.#sources?.view(projection.name);
    return this.#reads.getMany(projection, ids);
  }
  find<B>(projection: Readable<B>, requested: Query) {
    this.#sources?.view(projection.name);
    return this.#reads.find(projection, requested);
  }
  count(projection: Readable<unknown>, where: Query['where'], limit: number) {
    this.#sources?.view(projection.name);
    return this.#reads.count(projection, where, limit);
  }
  page<B>(projection: Readable<B>, requested: Omit<Query, 'limit' | 'after'>) {
    this.#sources?.view(projection.name);
    return pageOf(this.#bound, this.#reads, projection, requested);
  }
  cursor(sort: readonly string[]) {
    return cursorOf(this.#bound, sort);
  }
  shown() {
    return this.#appended.shown();
  }
  async caughtUp(categories: readonly string[]) {
    this.#sources?.other();
    const { services, progress } = this.#bound;
    if (!(await progress.waitFor(categories, await services.eventStore.head(), VIEWS_WITHIN)))
      throw new Refusal('unavailable', 'The read models lag behind. Send the request again after a moment.', {
        headers: { 'Retry-After': '1' },
      });
  }
}

/** Commands and reads of one request, created at first use: most requests only read. */
export class RequestScope {
  readonly #bound: Bound;
  readonly #appended: Appended;
  #seed: string | undefined;
  #commands: RequestCommands | undefined;
  #read: RequestReads | undefined;

  constructor(bound: Bound) {
    this.#bound = bound;
    this.#appended = new Appended(bound);
    this.#seed = bound.seed;
  }

  #seedOnce(): string {
    this.#seed ??= randomUUID();
    return this.#seed;
  }

  get commands(): RequestCommands {
    this.#bound.sources?.other();
    this.#commands ??= commandsOf(this.#bound, this.#appended, () => this.#seedOnce());
    return this.#commands;
  }

  get read(): RequestReads {
    this.#read ??= new ScopedReads(this.#bound, this.#appended);
    return this.#read;
  }

  /** The same name gives the same id within a request, and again when it is repeated with its Idempotency-Key. */
  newId(name: string): string {
    return derivedId(this.#seedOnce(), 'id', name);
  }

  /**
   * Resolves when this request may be answered, undefined if it may be at once. Every later reader sees its changes.
   */
  settled(): Promise<unknown> | undefined {
    return this.#appended.settled();
  }

  /** Resolves when every view shows what this request has changed. */
  shown(): Promise<void> {
    return this.#appended.shown();
  }
}
