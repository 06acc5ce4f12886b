/** The service on its engines: serves requests, runs the processors, and accepts commands. */
import { randomUUID } from 'node:crypto';
import type { ConsoleParts } from '../../api/console/consoleParts.js';
import { createMetrics, type Metrics } from '../../api/http/metrics.js';
import { productPageRoute } from '../../api/operations/catalog/productPage.js';
import { channelWebhook } from '../../api/operations/channel/channelWebhook.js';
import { operations } from '../../api/operations/index.js';
import { publishedProofs } from '../../api/operations/proofs/publishedProofs.js';
import { EVENT_SCHEMAS } from '../../api/operations/webhooks/eventSchemas.js';
import { demoPictureRoute } from '../../api/pages/pictures/demoPictures.js';
import { createHttpServer } from '../../api/server/server.js';
import type { CountChannel } from '../../application/channel/channelMetrics.js';
import { createContacts } from '../../application/channel/contacts.js';
import { conversationAliases } from '../../application/channel/conversationAliases.js';
import { createInbound } from '../../application/channel/inbound.js';
import { storeNumbers } from '../../application/channel/storeNumbers.js';
import { RequestLog } from '../../application/console/requestLog.js';
import { numbersOfAccount } from '../../application/templates/templateAccounts.js';
import { createTemplateUpdates } from '../../application/templates/templateUpdates.js';
import { defined } from '../../domain/defined.js';
import { BEFORE_ALL } from '../../engine/ports/eventStore.js';
import type { Log } from '../../engine/ports/log.js';
import type { Tracing } from '../../engine/ports/tracing.js';
import type { ProcessorRuntime } from '../../engine/processors/runtime.js';
import { ALL_STORES, storage } from '../../projections/storage.js';
import { executeAdmin } from '../admin/adminCommands.js';
import { startAdminServer } from '../admin/adminServer.js';
import { commandsForConsole } from '../admin/consoleCommands.js';
import type { AdminContext } from '../admin/context.js';
import { adminSocketPath } from '../admin/protocol.js';
import { engineStates } from '../engines/engineStates.js';
import { foldersOf } from '../engines/engines.js';
import { maintainTree } from '../proofs/treeMaintainer.js';
import { release } from '../release.js';
import type { Settings } from '../settings/settings.js';
import type { Undo } from '../shutdown.js';
import { openClients } from './clients.js';
import { type UnseededDemo, unseededDemo } from './demoSeeding.js';
import { consoleAreas } from './events.js';
import { banner, beginDemo, demoStore, shownDemo } from './firstSteps.js';
import type { Instance } from './instance.js';
import { serviceMetrics } from './metrics/metrics.js';
import { proofGauges } from './metrics/proofMetrics.js';
import { buildInfo, saturationMetrics } from './metrics/saturationMetrics.js';
import { webhookMetrics } from './metrics/webhookMetrics.js';
import { announcePresence, runningProcessor } from './presence.js';
import { erasureWatch, resumeForgetting } from './privacy/erasureWatch.js';
import { prepareProcessors, storeFrom } from './processors.js';
import { engineNames, readinessChecks } from './readinessChecks.js';
import type { ServiceSandbox } from './sandbox.js';
import { serveLog } from './servedLog.js';

/** Parts that exist before the service: the engines, and the sandbox if one runs. */
export interface Ground {
  readonly settings: Settings;
  readonly log: Log;
  /** ms since 1970. */
  readonly startedAt: number;
  readonly instance: Instance;
  readonly sandbox: ServiceSandbox | undefined;
  readonly tracing: Tracing | undefined;
  /** Receives all parts to stop. */
  readonly undo: Undo;
}

/** Result of a start. */
export interface Composed {
  readonly baseUrl: string;
  /** Output of the start. */
  readonly greeting: string;
  /** Absent if there is none to fill. */
  readonly unseeded?: UnseededDemo;
}

/** Starts HTTP, processors, administration and the demo. */
export async function composeService(ground: Ground): Promise<Composed> {
  const { settings, log, startedAt, instance, sandbox, tracing, undo } = ground;
  const { version } = release;
  const { services, channel, folder, patient } = instance;
  await noteDemo(ground);
  const metrics = createMetrics();
  const requestLog = new RequestLog(randomUUID());
  const measured = measure(instance, metrics);
  const { listeners, ...clients } = await openClients({ ...ground, channel, clock: services.clock });
  const outside = {
    ...clients,
    count: measured.channel,
    seenWebhook: webhookMetrics(metrics.registry, log),
    log,
    tracing,
    publicUrl: () => http.baseUrl(),
  };
  const runtime = await prepareProcessors(instance, outside, measured.processors, log);
  measured.watch(runtime);

  const receivers = channelReceivers(ground, measured.channel);
  const api = settings.roles.includes('api');
  const http = createHttpServer({
    ...servedParts(ground, { metrics, requestLog, receivers, runtime, baseUrl: () => http.baseUrl() }),
    services: { ...services, webhookUrls: clients.sender, ...defined({ paymentProvider: clients.payments }) },
    ...(api && { console: { ...consoleOf(ground, () => admin), demo: () => shownDemo(demo?.demo) } }),
  });
  const { url } = await http.listen();
  undo.add('HTTP', () => http.close());
  const self = () => ({
    ...{ name: instance.name, version, startedAt, roles: settings.roles, address: url },
    processors: runtime.status().map(runningProcessor),
  });
  const consoleUrl = api ? http.consoleUrl() : undefined;
  // Not by the public address: what happens in the sandbox stays on this machine.
  sandbox?.reach({ webhookUrl: `${url}/channel/webhook`, ...defined({ consoleUrl }) });
  const admin: AdminContext = {
    ...instance.admin(`${http.baseUrl()}/channel/webhook`, self),
    listeners,
    ...defined({ consoleUrl }),
    requestLog,
  };
  // If others reach the service or share its engines, its output is a stored log and not a person's terminal.
  const isAlone = consoleUrl !== undefined && settings.consolePort === undefined && !instance.shared;
  // Concurrently with the next steps, which do not wait for the disk; the reader of the link waits for its view.
  const linking = isAlone ? patient(() => consoleLink({ ...admin, waitFor: async () => true })) : undefined;
  linking?.catch(() => {});
  undo.add('processors', () => runtime.stop());
  startUpkeep(ground, metrics);
  const filled = settings.demo === 'shop';
  const demo =
    sandbox &&
    (await demoStore({ folder, admin, patient, filled }, { baseUrl: http.baseUrl(), sandboxUrl: sandbox.baseUrl }));
  // An instance with its own engines is queried directly.
  if (instance.shared) undo.add('presence', announcePresence(services.work, services.clock, self, log));
  const socket = await openSocket(instance, admin, log);
  undo.add('operator socket', () => socket.close());
  folder.publish({
    version,
    baseUrl: url,
    socket: socket.path,
    ...(settings.consolePort !== undefined && { readinessUrl: new URL(http.consoleUrl()).origin }),
    ...(sandbox && { sandboxUrl: sandbox.baseUrl }),
  });
  const endpoint = await serveLog(instance, log);
  undo.add('protocol endpoint', () => endpoint?.close());
  // Before it is ready, so that the greeting follows at once.
  const link = await linking;
  // Last: what is due at once loads what calls go out by.
  await runtime.start();
  http.ready();
  const execute = (command: string, input: object): Promise<object> => executeAdmin(admin, command, input);
  const unseeded = unseededDemo(folder, filled, { demo: demo?.demo, address: url, execute });
  return {
    baseUrl: http.baseUrl(),
    ...defined({ unseeded }),
    greeting: banner({
      ...greetingOf(ground),
      baseUrl: http.baseUrl(),
      ...defined({ endpoint, consoleLink: link }),
      ...(demo ?? {}),
      isUnseeded: unseeded !== undefined,
    }),
  };
}

const greetingOf = ({ settings, instance, sandbox }: Ground) => ({
  data: settings.data,
  isNew: false,
  engines: instance.shared ? [instance.engines.events.name, instance.engines.documents.name] : [],
  ...(sandbox ? { sandboxUrl: sandbox.baseUrl } : {}),
});

/** Registers the metrics of the service. */
function measure(instance: Instance, { registry }: Metrics) {
  const { services, engines } = instance;
  const { eventStore } = services;
  const measured = serviceMetrics(registry, {
    ...instance,
    eventStore,
    engines: () => engineStates(instance),
    folders: foldersOf(instance.settings),
    storedBytes: async () => (await services.reads.get(storage, ALL_STORES))?.body.bytes ?? 0,
  });
  buildInfo(registry, release.version, instance);
  saturationMetrics(registry, { ...services, waiting: engines.events.embedded?.waiting });
  return measured;
}

/** Returns the receivers of the channel's webhook. */
function channelReceivers({ instance: { services, people }, log }: Ground, count: CountChannel) {
  const contacts = createContacts({
    commands: services.commandHandler,
    clock: services.clock,
    newKey: () => randomUUID(),
  });
  people.onForgotten(() => contacts.forget());
  const receive = createInbound({
    numbers: storeNumbers(services.reads, services.clock),
    aliases: conversationAliases(services.reads),
    commands: services.commandHandler,
    contacts,
    clock: services.clock,
    storeOf: storeFrom(services.directory),
    log,
    count,
  });
  const receiveTemplates = createTemplateUpdates({
    commands: services.commandHandler,
    numbersOf: numbersOfAccount(services.reads),
    log,
  });
  return { receive, receiveTemplates };
}

interface ServedParts {
  readonly metrics: Metrics;
  readonly requestLog: RequestLog;
  readonly receivers: ReturnType<typeof channelReceivers>;
  readonly runtime: ProcessorRuntime;
  baseUrl(): string;
}

/** Returns the parts of the HTTP server other than the console. Without the role `api`, only readiness and metrics. */
function servedParts(ground: Ground, { metrics, requestLog, receivers, runtime, baseUrl }: ServedParts) {
  const { settings, log, startedAt, instance, sandbox, tracing } = ground;
  const { services, channel } = instance;
  const api = settings.roles.includes('api');
  return {
    operations: api ? operations : [],
    events: api ? EVENT_SCHEMAS : {},
    settings,
    progress: instance.progress,
    acknowledged: instance.acknowledged,
    changes: instance.projections.changes,
    pageMakers: instance.pageMakers,
    metrics,
    requestLog,
    log,
    tracing,
    pages: api ? [productPageRoute(services, baseUrl), demoPictureRoute] : [],
    extraRoutes: api
      ? [
          ...channelWebhook({ ...receivers, clock: services.clock, ...channel }),
          ...publishedProofs(instance.proofs, settings.treeHeads === 'public'),
        ]
      : [],
    checks: readinessChecks(instance, runtime),
    about: async () => ({
      name: 'Suuq',
      version: release.version,
      engines: await engineNames(instance),
      startedAt,
      now: Date.now(),
      counts: await counts(instance),
      ...(sandbox ? { sandboxUrl: sandbox.baseUrl } : {}),
    }),
    patient: instance.patient,
    mayShowErased: erasureWatch(instance.people, instance.forgetting),
    soleUser: !instance.shared,
  };
}

const consoleOf = (ground: Ground, admin: () => AdminContext): Omit<ConsoleParts, 'demo'> => ({
  ...{ version: release.version, areas: consoleAreas, commands: commandsForConsole(admin) },
  sounds: ground.instance.sounds,
  execute: (command, input) => executeAdmin(admin(), command, input),
  ...defined({ sandboxUrl: sandboxUrl(ground) }),
});

/** Resumes erasures that are under way, and maintains the proof tree. */
function startUpkeep({ instance, log, undo }: Ground, { registry }: Metrics): void {
  const { services } = instance;
  const forgetting = resumeForgetting(instance.forgetting, instance.people, services.clock, log);
  undo.add('forgetting', () => forgetting.stop());
  const maintainer = maintainTree(instance, log);
  undo.add('proof tree', () => maintainer.stop());
  proofGauges(registry, { maintainer, eventStore: services.eventStore, clock: services.clock });
}

/** Before anything is appended: an empty log with a sandbox is where a demo store is made. */
async function noteDemo({ sandbox, instance: { folder, patient, services } }: Ground): Promise<void> {
  if (sandbox !== undefined) beginDemo(folder, (await patient(() => services.eventStore.head())) === BEFORE_ALL);
}

/** The sandbox, of this service or `suuq sandbox`: a channel that is spoken to without TLS is no real one. */
const sandboxUrl = ({ sandbox, settings: { channel } }: Ground): string | undefined =>
  sandbox?.baseUrl ?? (channel?.url.startsWith('http:') === true ? channel.url : undefined);

async function consoleLink(admin: AdminContext): Promise<string> {
  const { url } = (await executeAdmin(admin, 'console.link', { role: 'operator' })) as { url: string };
  return url;
}

/** On a server positions are places in its files, and count nothing. */
async function counts({ settings, services: { eventStore } }: Instance): Promise<Readonly<Record<string, number>>> {
  return settings.eventStoreUrl === undefined ? { Events: (await eventStore.head()) + 1 } : {};
}

async function openSocket(instance: Instance, admin: ReturnType<Instance['admin']>, log: Log) {
  const path = adminSocketPath(instance.folder.path);
  const server = await startAdminServer({
    socketPath: path,
    execute: (command, input, operator) => executeAdmin(admin, command, input, defined({ operator })),
    onError: (error) => log.error({ err: error }, 'operator command failed'),
  });
  return { path, close: () => server.close() };
}
