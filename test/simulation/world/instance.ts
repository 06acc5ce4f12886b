/** One instance of the service: the real composition on simulated engines and outside services. */
import { randomUUID } from 'node:crypto';
import type { Operation } from '../../../api/contract/operation.js';
import { routeOf } from '../../../api/contract/routes.js';
import { AnswerCache } from '../../../api/http/answerCache.js';
import type { PipelineContext } from '../../../api/http/context.js';
import { Lifecycle } from '../../../api/http/exchange.js';
import { Idempotency } from '../../../api/http/idempotency/idempotency.js';
import { largeBodies } from '../../../api/http/input/largeBodies.js';
import { pipelineOf } from '../../../api/http/pipeline.js';
import { createAccessDirectory } from '../../../application/access/directory.js';
import { UsedTokens } from '../../../application/access/usedTokens.js';
import { UserTokens } from '../../../application/access/userTokens.js';
import { createContacts } from '../../../application/channel/contacts.js';
import { conversationAliases } from '../../../application/channel/conversationAliases.js';
import { createInbound, type ReceiveUpdates } from '../../../application/channel/inbound.js';
import { storeNumbers } from '../../../application/channel/storeNumbers.js';
import { RequestLog } from '../../../application/console/requestLog.js';
import { createFiles } from '../../../application/files/files.js';
import { orderHistories } from '../../../application/orders/orderHistory.js';
import { createCommandHandler } from '../../../engine/commandHandler/commandHandler.js';
import { createLeases, type Leases } from '../../../engine/ownership/leases.js';
import { steadyClock } from '../../../engine/ports/clock.js';
import type { Log } from '../../../engine/ports/log.js';
import { forgetfulSnapshots } from '../../../engine/ports/snapshots.js';
import { createReads } from '../../../engine/projections/documentReads.js';
import { ProgressBoard } from '../../../engine/projections/progressBoard.js';
import type { AnyProjection } from '../../../engine/projections/projection.js';
import { createProjectionRuntime } from '../../../engine/projections/runtime.js';
import { settledReads } from '../../../engine/projections/settledReads.js';
import { createSharedProgress } from '../../../engine/projections/sharedProgress.js';
import { watchViews } from '../../../engine/projections/viewWatch.js';
import { upcasting } from '../../../engine/upcasting.js';
import { bodyBudget } from '../../../infrastructure/http/bodyBudget.js';
import { createAuthenticator } from '../../../infrastructure/secrets/authenticator.js';
import { createSecretBox } from '../../../infrastructure/secrets/secretBox.js';
import { foldOrder } from '../../../projections/orders.js';
import type { AdminContext } from '../../../service/admin/context.js';
import { confirmedClock } from '../../../service/composition/confirmedClock.js';
import { evolvedEvents } from '../../../service/composition/events.js';
import type { Instance as Composed } from '../../../service/composition/instance.js';
import { resumeForgetting } from '../../../service/composition/privacy/erasureWatch.js';
import { type Outside, prepareProcessors, storeFrom } from '../../../service/composition/processors.js';
import {
  acknowledgedOf,
  shardedBy,
  viewChanges,
  viewProgress,
} from '../../../service/composition/threads/projectionsStart.js';
import { unwatched } from '../../../service/composition/viewsBuilding.js';
import { patiently, SERVICE_WAITS } from '../../../service/engines/engineChecks.js';
import type { Connected } from './engines.js';
import { KEY, privacyOf, type Sealed, sealedLog } from './people.js';
import { type Answered, type Requested, requestOf, responseFor } from './request.js';

/** Ports through which an instance reaches the outside world. */
export type World = Pick<Outside, 'provider' | 'messages' | 'sender' | 'payments'>;

export interface Instance {
  /** Runs an API operation. `asked.url` contains the path with its parameters. */
  request(operation: Operation, params: Readonly<Record<string, string>>, requested: Requested): Promise<Answered>;
  /** Receives deliveries of the channel. */
  readonly receive: ReceiveUpdates;
  readonly admin: AdminContext;
  /** Releases its leases and ends, as in a planned stop. */
  stop(): Promise<void>;
  /** Lists stopped components that need an operator. */
  failures(): Promise<string[]>;
}

export interface InstanceOptions {
  readonly name: string;
  readonly engines: Connected;
  readonly shared: boolean;
  readonly world: World;
  readonly log: Log;
  readonly projections: readonly AnyProjection[];
}

const unused = (): never => {
  throw new Error('not part of the simulation');
};
const noTemplates: Outside['templates'] = {
  create: unused,
  edit: unused,
  remove: unused,
  list: async () => [],
  find: async () => undefined,
  uploadSample: unused,
};
const noMedia: Outside['media'] = { locate: unused, download: unused, upload: unused };
/** Number of shards: few, because the simulated data is small. */
const SHARDS = 4;

async function startProjections(options: InstanceOptions, eventStore: Connected['eventStore']) {
  const { engines, shared, name, log, projections } = options;
  const leases = shared ? createLeases({ work: engines.work, clock: steadyClock, instance: name, log }) : undefined;
  const runtime = createProjectionRuntime({
    eventStore,
    readModels: engines.views,
    projections,
    log,
    ...(leases && { leases, shards: SHARDS }),
  });
  const progress = shared
    ? createSharedProgress({ views: engines.views, clock: steadyClock, sharded: shardedBy(SHARDS) })
    : new ProgressBoard();
  const changes = viewChanges();
  runtime.onProgress((positions, changed) => {
    changes.heard(changed);
    progress.moved(positions);
  });
  runtime.onStopped((names) => progress.setStopped(names));
  await runtime.start();
  await leases?.start();
  const acknowledged =
    progress instanceof ProgressBoard
      ? acknowledgedOf(
          {
            waitFor: (names, position, timeoutMs) => progress.waitFor(names, position, timeoutMs),
            passed: (names, position) => progress.passed(names, position),
          },
          { now: () => undefined },
        )
      : undefined;
  const answers = acknowledged && new AnswerCache(changes, acknowledged);
  const watch = acknowledged && watchViews(changes, acknowledged);
  const shown = viewProgress(progress, shared ? SHARDS : undefined);
  return { runtime, leases, progress: shown, acknowledged, answers, watch };
}

function pipelines(context: PipelineContext) {
  const known = new Map<string, ReturnType<typeof pipelineOf>>();
  return (operation: Operation, params: Readonly<Record<string, string>>, requested: Requested): Promise<Answered> =>
    new Promise((resolve) => {
      const pipeline = known.get(operation.id) ?? pipelineOf(operation, routeOf(operation), context);
      known.set(operation.id, pipeline);
      pipeline.serve(requestOf(requested), responseFor(resolve), params);
    });
}

function contextOf(
  services: Composed['services'],
  { progress, acknowledged, answers }: Pick<Composed, 'progress' | 'acknowledged'> & Pick<PipelineContext, 'answers'>,
  log: Log,
): PipelineContext {
  const { work, clock } = services;
  return {
    services,
    progress,
    acknowledged,
    answers,
    idempotency: new Idempotency(work, clock),
    ipLimiter: undefined,
    keyLimiter: undefined,
    userLimiter: undefined,
    signIns: { tokens: new UserTokens(services), used: new UsedTokens(work, clock, services.commandHandler) },
    trustProxy: 0,
    lifecycle: new Lifecycle(),
    bodies: bodyBudget(64 * 1024 * 1024),
    largeBodies: largeBodies(),
    metrics: { answered: () => undefined } as unknown as PipelineContext['metrics'],
    requestLog: new RequestLog('simulation'),
    log,
    baseUrl: () => 'https://suuq.example',
  };
}

/** Resolves when the instance accepts requests. Rejects if it cannot start. */
export async function startInstance(options: InstanceOptions): Promise<Instance> {
  const { name, engines, shared, world, log } = options;
  const { views, work } = engines;
  const sealed = await sealedLog(engines, shared);
  const eventStore = upcasting(sealed.eventStore, evolvedEvents);
  const clock = await confirmedClock({ log: engines.eventStore, work }, log);
  const { runtime, leases, progress, acknowledged, answers, watch } = await startProjections(options, eventStore);
  const stored = createReads(views);
  const reads = acknowledged === undefined ? stored : settledReads(stored, acknowledged);
  const commandHandler = createCommandHandler({
    eventStore,
    snapshots: forgetfulSnapshots,
    clock,
    evolved: evolvedEvents,
    sharedStore: shared,
  });
  const privacy = privacyOf({
    ...{ engines, shared, sealed, eventStore, reads, clock, commands: commandHandler, projections: runtime },
  });
  const { people, forgetting } = privacy;
  const secretBox = createSecretBox(KEY);
  const directory = createAccessDirectory({ reads, clock, watch });
  const fileStore = { write: unused, read: unused, remove: unused } as unknown as Composed['fileStore'];
  const files = createFiles({ store: fileStore, commands: commandHandler, trouble: () => undefined });
  const webhookUrls = world.sender;
  const payments = world.payments === undefined ? {} : { paymentProvider: world.payments };
  const cursors = createAuthenticator([KEY], 'cursors');
  const own = {
    cursors,
    clock,
    eventStore,
    commandHandler,
    reads,
    work,
    directory,
    secretBox,
    files,
    webhookUrls,
    ...payments,
  };
  const services: Composed['services'] = own;
  const histories = orderHistories(eventStore, foldOrder);
  const sounds = { fileStore, audio: {}, trouble: unused } as unknown as Composed['sounds'];
  const settings = { roles: ['api', 'projections', 'processors'], statusTemplates: {} };
  const count = (): void => undefined;
  const composed = {
    services,
    settings,
    name,
    shared,
    shards: SHARDS,
    histories,
    progress,
    sounds,
    projections: runtime,
    building: unwatched,
    patient: (step: () => Promise<unknown>) => patiently('the engines', { withinMs: SERVICE_WAITS, log }, step),
    ...privacy,
  } as unknown as Composed;
  const outside: Outside = {
    ...world,
    media: noMedia,
    templates: noTemplates,
    count,
    seenWebhook: count,
    log,
    publicUrl: () => 'https://suuq.example',
  };
  const processors = await prepareProcessors(composed, outside, { performed: count, stopped: count }, log);
  const context = contextOf(services, { progress, acknowledged, answers }, log);
  await context.idempotency.start();
  if (!shared) await context.idempotency.releaseAll();
  const contacts = createContacts({ commands: commandHandler, clock, newKey: () => randomUUID() });
  people.onForgotten(() => contacts.forget());
  const receive = createInbound({
    contacts,
    numbers: storeNumbers(reads, clock),
    aliases: conversationAliases(reads),
    commands: commandHandler,
    clock,
    storeOf: storeFrom(directory),
    log,
    count,
  });
  await processors.start();
  const polls = resumeForgetting(forgetting, people, clock, log);
  const admin = {
    ...{ commandHandler, reads, secretBox, directory, people, forgetting, projections: runtime },
    ...{ waitFor: progress.waitFor, channel: {} },
  };
  return {
    request: pipelines(context),
    receive,
    admin: admin as unknown as AdminContext,
    async stop() {
      context.idempotency.stop();
      await polls.stop();
      await processors.stop();
      await stopProjections(leases, runtime);
    },
    async failures() {
      const stopped = (await runtime.status()).filter(({ state }) => state === 'stopped');
      const failed = processors.status().filter(({ state }) => state === 'failed');
      return [
        ...[...stopped, ...failed].map((one) => `${one.name} ${JSON.stringify(one)}`),
        ...(await recordedIn(sealed, name)),
      ];
    },
  };
}

/** Lists forgotten people whose keys are still in memory. */
async function recordedIn({ parts: { ring }, vault }: Sealed, name: string): Promise<string[]> {
  const { persons } = await vault.forgottenAfter(0);
  if (persons.length === 0) return [];
  const { keyOf } = await ring.find(new Set(persons));
  const retained = persons.filter((person) => keyOf(person) !== undefined);
  return [
    ...retained.map((person) => `${name} has the key of ${person}, who was forgotten`),
    ...((await ring.anyForgotten()) ? [] : [`${name} does not know that anybody was forgotten`]),
  ];
}

async function stopProjections(leases: Leases | undefined, runtime: ReturnType<typeof createProjectionRuntime>) {
  await leases?.stop();
  await runtime.stop();
}
