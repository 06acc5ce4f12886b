/** The console on one listener: its pages, its own operations, and those of the API. */
import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Observable } from 'rxjs';
import { joinMember, openSession, type Viewer } from '../../application/console/access.js';
import { liveEvents } from '../../application/console/liveEvents.js';
import { defined } from '../../domain/defined.js';
import { bindCommands } from '../../engine/commandHandler/boundCommands.js';
import { BEFORE_ALL } from '../../engine/ports/eventStore.js';
import type { ForeignRequest } from '../../infrastructure/http/ownHosts.js';
import { createRouter, READING } from '../../infrastructure/http/router.js';
import type { Operation } from '../contract/operation.js';
import { Refusal } from '../contract/problems.js';
import { routerPath } from '../contract/routes.js';
import { countAddress, fail, finished, type PipelineContext, reserveFor } from '../http/context.js';
import { Exchange } from '../http/exchange.js';
import { sendFile } from '../http/fileAnswer.js';
import { entryId, fingerprintOf, idempotencyKeyOf } from '../http/idempotency/idempotency.js';
import { parsedBody, readBytes, readJsonBytes } from '../http/input/input.js';
import { pathOf } from '../http/unroutedRequests.js';
import { mountApi } from './apiOperations.js';
import { commandOperations } from './commands.js';
import type { ConsoleParts } from './consoleParts.js';
import { cookie, isSecure } from './cookies.js';
import { demoOperations } from './demo.js';
import { documentOperations } from './documents.js';
import { eventOperations, eventTail } from './events.js';
import { originsOf } from './framing.js';
import { instanceOperations } from './instances.js';
import { machineOperations } from './machine.js';
import { momentOperations } from './moments.js';
import { orderOperations } from './orders.js';
import { pagesListener } from './pages.js';
import { peopleOperations, sessionBody } from './people.js';
import { PHONES, phoneOf, phoneOperations } from './phone.js';
import type { Acted, ConsoleAct, ConsoleOperation, ConsoleRequest, MemberAccessTo } from './request.js';
import { requestOperations, requestTail } from './requests.js';
import { sessionTail } from './sessionTail.js';
import { SOUND, soundFor } from './sounds.js';
import { createTails, type TailBatch } from './tail.js';
import { markFramed, viewing } from './viewing.js';
import { webhookOperations } from './webhooks.js';

export interface ConsoleOptions extends ConsoleParts {
  readonly operations: readonly Operation[];
  readonly context: PipelineContext;
  foreign(request: IncomingMessage): ForeignRequest | undefined;
  /** Returns true if the console's own address uses TLS. */
  isSecure(): boolean;
  /** The server closes: tails end. */
  readonly stopping: AbortSignal;
}

const CONSOLE = '/console';
const API = `${CONSOLE}/api`;
/** The same operations for partners' frames, by the token of an SDK session. */
const FRAMED = '/embed/api';
const LONGEST_PARAM = 500;
const BODY_LIMIT = 16_384;
/** Longest wait for the views of a change, in ms. */
const VIEWS_WITHIN = 5000;
const HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' };

type Params = Readonly<Record<string, string>>;
type Handle = (exchange: Exchange, params: Params) => Promise<void>;

/** All of the console, for paths below `/console`. */
export function consoleListener(options: ConsoleOptions): RequestListener {
  const { context, operations, version, areas, execute, commands, foreign, stopping, sandboxUrl } = options;
  const { services, progress, lifecycle, requestLog, idempotency } = context;
  const views = viewing(services, foreign);
  const tails = createTails();
  const live = liveEvents(services.eventStore);
  stopping.addEventListener('abort', () => tails.close(), { once: true });

  const failing = (request: IncomingMessage, response: ServerResponse, error: unknown): void =>
    fail(new Exchange(request, response, 'console', HEADERS, lifecycle), error, context);
  const router = createRouter({
    longestParam: LONGEST_PARAM,
    otherwise: (request, response) => failing(request, response, new Refusal('not_found', 'There is nothing here.')),
    undecodable: (request, response) => failing(request, response, new Refusal('not_found', 'There is nothing here.')),
    tooLong: (request, response) => failing(request, response, new Refusal('not_found', 'There is nothing here.')),
  });

  /** Applies the checks of every console request: limit by address, host and origin. */
  const on = (methods: readonly string[], path: string, id: string, handle: Handle): void =>
    router.on(methods, path, async (request, response, params) => {
      const exchange = new Exchange(request, response, id, HEADERS, lifecycle);
      try {
        await countAddress(exchange, context);
        views.checkForeign(request);
        await handle(exchange, params);
      } catch (error) {
        fail(exchange, error, context);
      } finally {
        exchange.reserved?.release();
      }
    });

  const answer = (exchange: Exchange, status: number, body?: object): void => {
    exchange.answer(status, body === undefined ? undefined : JSON.stringify(body));
    finished(exchange, status, context);
  };

  const bodyOf = async (exchange: Exchange): Promise<Record<string, unknown>> => {
    const bytes = await readJsonBytes(exchange.request, BODY_LIMIT);
    const value = bytes === undefined ? {} : parsedBody(bytes, BODY_LIMIT).value;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  };

  /** Reads the body of an act. `same` identifies a repetition. */
  const givenTo = async (
    { file }: ConsoleAct,
    exchange: Exchange,
    request: Pick<ConsoleRequest, 'params' | 'viewer'>,
  ) => {
    const most = file?.(request);
    if (most === undefined) {
      const body = await bodyOf(exchange);
      return { body, same: body };
    }
    const bytes = await readBytes(exchange.request, most, reserveFor(exchange, context));
    return { body: { file: bytes }, same: { file: createHash('sha256').update(bytes).digest('hex') } };
  };

  /** Waits until the views show what the commands of a request changed. */
  const shown = () => {
    let position = BEFORE_ALL;
    const categories = new Set<string>();
    return {
      reached(at: number, category: string) {
        position = Math.max(position, at);
        categories.add(category);
      },
      wait: () => progress.waitFor([...categories], position, VIEWS_WITHIN),
    };
  };

  on(['POST'], `${API}/enter`, 'console.enter', async (exchange) => {
    const { link } = await bodyOf(exchange);
    const { request } = exchange;
    const changed = shown();
    const by = { commandId: randomUUID(), correlationId: exchange.requestId };
    const commands = bindCommands(
      services.commandHandler,
      { ...by, actor: { type: 'system', id: 'console' } },
      changed.reached,
    );
    const now = services.clock.now();
    const secret = typeof link === 'string' ? link : '';
    await joinMember({ reads: services.reads, commands }, secret, now);
    const opened = await openSession(commands, secret, {
      now,
      browser: request.headers['user-agent'],
    });
    await changed.wait();
    const seconds = Math.max(0, Math.floor((Date.parse(opened.expiresAt) - now) / 1000));
    exchange.headers['Set-Cookie'] = cookie(opened.token, seconds, isSecure(request, options.isSecure()));
    answer(exchange, 204);
  });

  /** Server-sent events; `since`: what the browser saw last. */
  const tail = (
    path: string,
    id: string,
    batchesOf: (
      query: URLSearchParams,
      viewer: Viewer,
      since: string,
      request: IncomingMessage,
    ) => Observable<TailBatch>,
    forMembers?: MemberAccessTo,
  ): void =>
    on(READING, API + path, id, async (exchange) => {
      const { request } = exchange;
      const viewer = await views.viewer(request);
      views.check(request, viewer, undefined, forMembers);
      await views.note(request, viewer, id);
      const { searchParams } = new URL(request.url!, 'http://console');
      const since = request.headers['last-event-id'] ?? searchParams.get('since') ?? '';
      const holds = () =>
        views.viewer(request).then(
          () => true,
          () => false,
        );
      tails.open(exchange, batchesOf(searchParams, viewer, String(since), request), holds);
    });
  tail('/tail', 'console.tail', eventTail(services, live, areas), 'every member');
  const sessionOf = sessionBody(services, version, sandboxUrl !== undefined);
  tail('/session/tail', 'console.tailSession', sessionTail(live, views.viewer, sessionOf), 'every member');
  tail('/requests/tail', 'console.tailRequests', requestTail(services, requestLog));

  /** Runs an act once for each Idempotency-Key and returns its stored answer to a repetition. */
  const onceFor = async (
    { request }: Exchange,
    { sessionId }: Viewer,
    id: string,
    body: object,
    act: (seed?: string) => Promise<Acted>,
  ): Promise<object> => {
    const key = idempotencyKeyOf(request.headers['idempotency-key']);
    if (key === undefined) return (await act()).answer;
    const caller = `console ${sessionId}`;
    const started = await idempotency.begin(
      entryId(caller, id, key),
      fingerprintOf('POST', request.url!, body),
      caller,
    );
    if ('replay' in started) return JSON.parse(started.replay.body ?? '{}') as object;
    const unsettled = (error: unknown): void =>
      context.log.warn({ operation: id, err: error }, 'idempotency key not settled');
    const { answer, stored = answer } = await act(started.run.seed).catch(async (error: unknown) => {
      await started.run.release().catch(unsettled);
      throw error;
    });
    await started.run.store({ status: 200, body: JSON.stringify(stored) }).catch(unsettled);
    return answer;
  };

  const serve = (operation: ConsoleOperation): void => {
    const { id, method, path, roles, members, silent } = operation;
    on(method === 'GET' ? READING : [method], API + routerPath(path), id, async (exchange, params) => {
      const { request } = exchange;
      const viewer = await views.viewer(request);
      views.check(request, viewer, roles, members);
      const { searchParams: query } = new URL(request.url!, 'http://console');
      const changed = shown();
      const requested = {
        params,
        query,
        viewer,
        commands: views.commands(viewer, changed.reached),
        now: services.clock.now(),
      };
      if ('acts' in operation) {
        const { body, same } = await givenTo(operation, exchange, requested);
        return answer(
          exchange,
          200,
          await onceFor(exchange, viewer, id, same, (seed) =>
            operation.answer({ ...requested, ...defined({ seed }), body }),
          ),
        );
      }
      if (operation.method === 'POST') {
        await operation.answer({ ...requested, body: await bodyOf(exchange) });
        await changed.wait();
        return answer(exchange, 204);
      }
      if (silent === undefined) await views.note(request, viewer, id);
      answer(exchange, 200, await operation.answer({ ...requested, body: undefined }));
    });
  };
  const phone = sandboxUrl === undefined ? undefined : phoneOf(services, sandboxUrl);
  for (const { method, path, id, answer: passOn } of phone?.routes ?? [])
    on(method === 'GET' ? READING : [method], API + path, id, async (exchange, params) => {
      const viewer = await views.viewer(exchange.request);
      views.check(exchange.request, viewer, PHONES);
      finished(exchange, await passOn(exchange, params, viewer), context);
    });
  on(READING, API + SOUND, 'console.hearRecording', async (exchange, params) => {
    const { request } = exchange;
    const viewer = await views.viewer(request);
    views.check(request, viewer, undefined, 'recordings:view');
    const sound = await soundFor(options, views.commands(viewer), params, viewer);
    await views.note(request, viewer, 'console.hearRecording');
    finished(exchange, await sendFile(exchange, sound), context);
  });
  for (const operation of [
    ...phoneOperations(phone),
    ...peopleOperations(services, sessionOf),
    ...demoOperations(options.demo),
    ...eventOperations(services, areas),
    ...orderOperations(services),
    ...machineOperations(execute),
    ...instanceOperations(execute),
    ...documentOperations(services),
    ...momentOperations(services),
    ...webhookOperations(services, progress),
    ...requestOperations(services, requestLog),
    ...commandOperations(commands),
  ])
    serve(operation);
  mountApi(router, CONSOLE, operations, context, views);

  const pages = pagesListener(foreign, (key) => originsOf(services.reads, key));
  return (request, response) => {
    const path = pathOf(request.url!);
    if (path.startsWith(`${FRAMED}/`)) {
      markFramed(request);
      request.url = API + request.url!.slice(FRAMED.length);
    } else if (!path.startsWith(`${API}/`)) return pages(request, response);
    return router.listener(request, response);
  };
}
