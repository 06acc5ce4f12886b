/** The routes of the console: the checks of each request, and how its operations are answered. */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { NEVER, type Observable } from 'rxjs';
import type { Viewer } from '../../application/console/access.js';
import type { LiveEvents } from '../../application/console/liveEvents.js';
import { defined } from '../../domain/defined.js';
import { BEFORE_ALL } from '../../engine/ports/eventStore.js';
import { createRouter, READING, type Router } from '../../infrastructure/http/router.js';
import { Refusal } from '../contract/problems.js';
import { routerPath } from '../contract/routes.js';
import { countAddress, fail, finished, type PipelineContext, reserveFor } from '../http/context.js';
import { Exchange } from '../http/exchange.js';
import { entryId, fingerprintOf, idempotencyKeyOf } from '../http/idempotency/idempotency.js';
import { parsedBody, readBytes, readJsonBytes } from '../http/input/input.js';
import type { Acted, ConsoleAct, ConsoleOperation, ConsoleRequest, MemberAccessTo } from './request.js';
import { accessChanges } from './sessionTail.js';
import { createTails, type TailBatch } from './tail.js';
import type { Viewing } from './viewing.js';

export const CONSOLE = '/console';
export const API = `${CONSOLE}/api`;
const LONGEST_PARAM = 500;
const BODY_LIMIT = 16_384;
/** Longest wait for the views of a change, in ms. */
const VIEWS_WITHIN = 5000;
const HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' };

type Params = Readonly<Record<string, string>>;
type Handle = (exchange: Exchange, params: Params) => Promise<void>;
type Batches = (
  query: URLSearchParams,
  viewer: Viewer,
  since: string,
  request: IncomingMessage,
) => Observable<TailBatch>;

/** An act that a viewer requests. */
interface RequestedAct {
  readonly viewer: Viewer;
  /** Operation of the act. */
  readonly id: string;
  /** Identifies a repetition. */
  readonly same: object;
  act(seed?: string): Promise<Acted>;
}

/** Changes of the commands of one request. */
class Changes {
  readonly #progress: PipelineContext['progress'];
  readonly #categories = new Set<string>();
  #position = BEFORE_ALL;

  constructor(progress: PipelineContext['progress']) {
    this.#progress = progress;
  }

  readonly reached = (at: number, category: string): void => {
    this.#position = Math.max(this.#position, at);
    this.#categories.add(category);
  };

  /** Waits until the views show the changes. */
  wait() {
    return this.#progress.waitFor([...this.#categories], this.#position, VIEWS_WITHIN);
  }
}

/** Returns the permissions of a person as text, to notice a change. */
const rightsOf = ({ role, member }: Viewer): string =>
  JSON.stringify([role, member?.role, [...(member?.scopes ?? [])].sort(), [...(member?.teamIds ?? [])].sort()]);

export class ConsoleRoutes {
  readonly router: Router;
  readonly #context: PipelineContext;
  readonly #views: Viewing;
  readonly #live: Pick<LiveEvents, 'all'>;
  readonly #tails = createTails();

  /** `stopping`: the server closes, and tails end. */
  constructor(context: PipelineContext, views: Viewing, live: Pick<LiveEvents, 'all'>, stopping: AbortSignal) {
    this.#live = live;
    this.#context = context;
    this.#views = views;
    stopping.addEventListener('abort', () => this.#tails.close(), { once: true });
    const unknown = (request: IncomingMessage, response: ServerResponse): void => {
      const exchange = new Exchange(request, response, 'console', HEADERS, context.lifecycle);
      fail(exchange, new Refusal('not_found', 'There is nothing here.'), context);
    };
    this.router = createRouter({
      longestParam: LONGEST_PARAM,
      otherwise: unknown,
      undecodable: unknown,
      tooLong: unknown,
    });
  }

  /** Applies the checks of every console request: limit by address, host and origin. */
  on(methods: readonly string[], path: string, id: string, handle: Handle): void {
    this.router.on(methods, path, async (request, response, params) => {
      const exchange = new Exchange(request, response, id, HEADERS, this.#context.lifecycle);
      try {
        await countAddress(exchange, this.#context);
        this.#views.checkForeign(request);
        await handle(exchange, params);
      } catch (error) {
        fail(exchange, error, this.#context);
      } finally {
        exchange.reserved?.release();
      }
    });
  }

  answer(exchange: Exchange, status: number, body?: object): void {
    exchange.answer(status, body === undefined ? undefined : JSON.stringify(body));
    finished(exchange, status, this.#context);
  }

  changes(): Changes {
    return new Changes(this.#context.progress);
  }

  /**
   * Server-sent events; `since`: what the browser saw last. A tail ends when its session ends or, unless it follows the
   * session itself, when a member's rights change: the browser comes again and gets what it may see now.
   */
  tail(
    path: string,
    id: string,
    batchesOf: Batches,
    forMembers?: MemberAccessTo,
    ends: 'with rights' | 'with session' = 'with rights',
  ): void {
    const views = this.#views;
    this.on(READING, API + path, id, async (exchange) => {
      const { request } = exchange;
      const viewer = await views.viewer(request);
      views.check(request, viewer, undefined, forMembers);
      await views.note(request, viewer, id);
      const { searchParams } = new URL(request.url!, 'http://console');
      const since = request.headers['last-event-id'] ?? searchParams.get('since') ?? '';
      const rights = rightsOf(viewer);
      const holds = () =>
        views.viewer(request).then(
          (now) => ends === 'with session' || rightsOf(now) === rights,
          () => false,
        );
      // The tail of a session reads it by itself.
      const isChecked = viewer.member !== undefined && ends === 'with rights';
      const checks = isChecked ? accessChanges(this.#live, viewer) : NEVER;
      this.#tails.open(exchange, batchesOf(searchParams, viewer, String(since), request), holds, checks);
    });
  }

  serve(operation: ConsoleOperation): void {
    const { id, method, path, roles, members } = operation;
    this.on(method === 'GET' ? READING : [method], API + routerPath(path), id, async (exchange, params) => {
      const { request } = exchange;
      const viewer = await this.#views.viewer(request);
      this.#views.check(request, viewer, roles, members);
      const { searchParams: query } = new URL(request.url!, 'http://console');
      await this.#respond(operation, exchange, { params, query, viewer });
    });
  }

  async #respond(
    operation: ConsoleOperation,
    exchange: Exchange,
    { params, query, viewer }: Pick<ConsoleRequest, 'params' | 'query' | 'viewer'>,
  ): Promise<void> {
    const { id, silent } = operation;
    const changes = this.changes();
    const commands = this.#views.commands(viewer, changes.reached);
    const requested = { params, query, viewer, commands, now: this.#context.services.clock.now() };
    if ('acts' in operation) {
      const { body, same } = await this.#actBody(operation, exchange, requested);
      const act = (seed?: string) => operation.answer({ ...requested, ...defined({ seed }), body });
      return this.answer(exchange, 200, await this.#onceFor(exchange, { viewer, id, same, act }));
    }
    if (operation.method === 'POST') {
      await operation.answer({ ...requested, body: await bodyOf(exchange) });
      await changes.wait();
      return this.answer(exchange, 204);
    }
    if (silent === undefined) await this.#views.note(exchange.request, viewer, id);
    this.answer(exchange, 200, await operation.answer({ ...requested, body: undefined }));
  }

  /** Reads the body of an act. `same` identifies a repetition. */
  async #actBody({ file }: ConsoleAct, exchange: Exchange, request: Pick<ConsoleRequest, 'params' | 'viewer'>) {
    const most = file?.(request);
    if (most === undefined) {
      const body = await bodyOf(exchange);
      return { body, same: body };
    }
    const bytes = await readBytes(exchange.request, most, reserveFor(exchange, this.#context));
    return { body: { file: bytes }, same: { file: createHash('sha256').update(bytes).digest('hex') } };
  }

  /** Runs an act once for each Idempotency-Key and returns its stored answer to a repetition. */
  async #onceFor({ request }: Exchange, { viewer, id, same, act }: RequestedAct): Promise<object> {
    const { idempotency, log } = this.#context;
    const key = idempotencyKeyOf(request.headers['idempotency-key']);
    if (key === undefined) return (await act()).answer;
    const caller = `console ${viewer.sessionId}`;
    const started = await idempotency.begin(
      entryId(caller, id, key),
      fingerprintOf('POST', request.url!, same),
      caller,
    );
    if ('replay' in started) return JSON.parse(started.replay.body ?? '{}') as object;
    const unsettled = (error: unknown): void => log.warn({ operation: id, err: error }, 'idempotency key not settled');
    const { answer, stored = answer } = await act(started.run.seed).catch(async (error: unknown) => {
      await started.run.release().catch(unsettled);
      throw error;
    });
    await started.run.store({ status: 200, body: JSON.stringify(stored) }).catch(unsettled);
    return answer;
  }
}

export async function bodyOf(exchange: Exchange): Promise<Record<string, unknown>> {
  const bytes = await readJsonBytes(exchange.request, BODY_LIMIT);
  const value = bytes === undefined ? {} : parsedBody(bytes, BODY_LIMIT).value;
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
