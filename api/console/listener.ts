/** The console on one listener: its pages, its own operations, and those of the API. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import { joinMember, openSession } from '../../application/console/access.js';
import { liveEvents } from '../../application/console/liveEvents.js';
import { bindCommands } from '../../engine/commandHandler/boundCommands.js';
import type { ForeignRequest } from '../../infrastructure/http/ownHosts.js';
import { READING } from '../../infrastructure/http/router.js';
import type { Operation } from '../contract/operation.js';
import { finished, type PipelineContext } from '../http/context.js';
import { sendFile } from '../http/fileAnswer.js';
import { pathOf } from '../http/unroutedRequests.js';
import { mountApi } from './apiOperations.js';
import { commandOperations } from './commands.js';
import type { ConsoleParts } from './consoleParts.js';
import { API, bodyOf, CONSOLE, ConsoleRoutes } from './consoleRoutes.js';
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
import { requestOperations, requestTail } from './requests.js';
import { sessionTail } from './sessionTail.js';
import { SOUND, soundFor } from './sounds.js';
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

/** The same operations for partners' frames, by the token of an SDK session. */
const FRAMED = '/embed/api';

/** All of the console, for paths below `/console`. */
export function consoleListener(options: ConsoleOptions): RequestListener {
  const { context, operations, version, areas, execute, commands, foreign, stopping, sandboxUrl } = options;
  const { services, progress, requestLog } = context;
  const views = viewing(services, foreign);
  const live = liveEvents(services.eventStore);
  const routes = new ConsoleRoutes(context, views, live, stopping);
  enterConsole(routes, options);
  routes.tail('/tail', 'console.tail', eventTail(services, live, areas), 'every member');
  const sessionOf = sessionBody(services, version, sandboxUrl !== undefined);
  routes.tail(
    '/session/tail',
    'console.tailSession',
    sessionTail(live, views.viewer, sessionOf),
    'every member',
    'with session',
  );
  routes.tail('/requests/tail', 'console.tailRequests', requestTail(services, requestLog));

  const phone = sandboxUrl === undefined ? undefined : phoneOf(services, sandboxUrl);
  for (const { method, path, id, answer: passOn } of phone?.routes ?? [])
    routes.on(method === 'GET' ? READING : [method], API + path, id, async (exchange, params) => {
      const viewer = await views.viewer(exchange.request);
      views.check(exchange.request, viewer, PHONES);
      finished(exchange, await passOn(exchange, params, viewer), context);
    });
  routes.on(READING, API + SOUND, 'console.hearRecording', async (exchange, params) => {
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
    routes.serve(operation);
  mountApi(routes.router, CONSOLE, operations, context, views);

  const pages = pagesListener(foreign, (key) => originsOf(services.reads, key));
  return (request, response) => {
    const path = pathOf(request.url!);
    if (path.startsWith(`${FRAMED}/`)) {
      markFramed(request);
      request.url = API + request.url!.slice(FRAMED.length);
    } else if (!path.startsWith(`${API}/`)) return pages(request, response);
    return routes.router.listener(request, response);
  };
}

/** Opens a session with the link that an operator was given. */
function enterConsole(routes: ConsoleRoutes, options: ConsoleOptions): void {
  const { services } = options.context;
  routes.on(['POST'], `${API}/enter`, 'console.enter', async (exchange) => {
    const { link } = await bodyOf(exchange);
    const { request } = exchange;
    const changed = routes.changes();
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
    routes.answer(exchange, 204);
  });
}
