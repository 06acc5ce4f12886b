/** The processors of this process, with what each needs from the outside: all, or on shared engines those whose lease it holds. */

import { changedScopes } from '../../application/access/changeScopes.js';
import type { AccessDirectory } from '../../application/access/principal.js';
import { sessionEndings } from '../../application/access/sessionEndings.js';
import { catalogChecks } from '../../application/catalog/catalogChecks.js';
import { catalogPush } from '../../application/catalog/catalogPush.js';
import { itemsFrom, storeOfItem } from '../../application/catalog/sellableItems.js';
import type { CountChannel } from '../../application/channel/channelMetrics.js';
import { customerFrom } from '../../application/channel/customerMessages.js';
import { mediaCopying } from '../../application/channel/mediaCopying.js';
import { outbox } from '../../application/channel/outbox.js';
import { routing } from '../../application/channel/routingProcessor.js';
import { accessTokens, numberIdsOf, storeNumbers } from '../../application/channel/storeNumbers.js';
import { filesProcessor } from '../../application/files/filesProcessor.js';
import { storageLimit } from '../../application/files/storage.js';
import { abandonedCarts } from '../../application/orders/abandonedCarts.js';
import { takesOrders } from '../../application/orders/orderAcceptance.js';
import { sellsAll } from '../../application/orders/orderChanges.js';
import type { OrderDependencies } from '../../application/orders/orderDependencies.js';
import { orderIntake } from '../../application/orders/orderIntake.js';
import { orderMessages } from '../../application/orders/orderMessages.js';
import { unpaidOrders } from '../../application/orders/unpaidOrders.js';
import { paymentsProcessor } from '../../application/payments/paymentsProcessor.js';
import type { CatalogProvider } from '../../application/ports/catalogProvider.js';
import type { ChannelMedia } from '../../application/ports/channelMedia.js';
import type { ChannelMessages } from '../../application/ports/channelMessages.js';
import type { PaymentProvider } from '../../application/ports/paymentProvider.js';
import type { TemplateProvider } from '../../application/ports/templateProvider.js';
import type { WebhookSender } from '../../application/ports/webhookSender.js';
import { eventTasks } from '../../application/privacy/eventTasks.js';
import { retentionProcessor } from '../../application/privacy/retentionProcessor.js';
import { createOrderPromotions } from '../../application/promotions/orderPromotions.js';
import { promotionsForPricing } from '../../application/promotions/promotionsForPricing.js';
import { releaseUses } from '../../application/promotions/releaseUses.js';
import { recordingsProcessor } from '../../application/recordings/recordingsProcessor.js';
import { accountOfStore } from '../../application/templates/templateAccounts.js';
import { templatesProcessor } from '../../application/templates/templatesProcessor.js';
import type { SeeAttempt } from '../../application/webhooks/attemptReports.js';
import { webhookCollections } from '../../application/webhooks/deliveryLog.js';
import { eventData } from '../../application/webhooks/eventData.js';
import type { OrderDataParts } from '../../application/webhooks/orderData.js';
import { createWebhooksProcessor } from '../../application/webhooks/webhooksProcessor.js';
import { isClosedStore } from '../../domain/stores/store.js';
import { createLeases } from '../../engine/ownership/leases.js';
import { steadyClock } from '../../engine/ports/clock.js';
import { type Position, StoreUnavailable, streamName } from '../../engine/ports/eventStore.js';
import type { Log } from '../../engine/ports/log.js';
import type { Tracing } from '../../engine/ports/tracing.js';
import type { AnyProcessor, ProcessorMetrics } from '../../engine/processors/processor.js';
import { createProcessorRuntime, type ProcessorRuntime } from '../../engine/processors/runtime.js';
import { SHARDS } from '../../engine/processors/shards.js';
import { cachedReads } from '../../engine/projections/cachedReads.js';
import type { CaughtUp, Reads } from '../../engine/projections/reads.js';
import { automaticPromotions } from '../../projections/automaticPromotions.js';
import { catalogItems } from '../../projections/catalogItems.js';
import type { Instance } from './instance.js';

export interface Outside {
  readonly provider: CatalogProvider;
  readonly messages: ChannelMessages;
  readonly media: ChannelMedia;
  readonly templates: TemplateProvider;
  readonly sender: WebhookSender;
  /** Undefined where none is configured. */
  readonly payments: PaymentProvider | undefined;
  readonly count: CountChannel;
  readonly seenWebhook: SeeAttempt;
  readonly log: Log;
  readonly tracing?: Tracing | undefined;
  /** Base address in links that leave the service, without a slash at its end. */
  publicUrl(): string;
}

/** Longest wait of a processor for the views that it reads, in ms. */
const VIEWS_WITHIN = 5000;

/** A store's language, country and open state, from the views. */
export const storeFrom = (directory: Pick<AccessDirectory, 'workspace'>) => async (workspaceId: string) => {
  const store = await directory.workspace(workspaceId);
  if (store === undefined) return undefined;
  return { locale: store.locale, country: store.country, open: !isClosedStore(store) };
};

/** Most bytes that a store's plan lets it have; undefined without a limit. */
const storageLimitFrom = (directory: Pick<AccessDirectory, 'workspace'>) => async (workspaceId: string) => {
  const store = await directory.workspace(workspaceId);
  return store === undefined ? undefined : storageLimit(store.features);
};

/** Each cart is priced by some of the store's items and by its promotions, which seldom change between two carts. */
function readsForPricing({ services: { reads }, projections, acknowledged }: Instance): Reads {
  const { changes } = projections;
  if (changes === undefined || acknowledged === undefined) return reads;
  const tenantOf = {
    [catalogItems.name]: storeOfItem,
    [automaticPromotions.name]: (workspaceId: string) => workspaceId,
  };
  return cachedReads(reads, { changes, acknowledged, tenantOf });
}

function orderDependencies(instance: Instance, { payments }: Outside): OrderDependencies {
  const {
    services: { directory, commandHandler: commands },
    settings,
  } = instance;
  const reads = readsForPricing(instance);
  return {
    itemsOf: itemsFrom(reads),
    promotions: createOrderPromotions({ commands, reads }),
    customerOf: customerFrom(commands),
    takesPayments: payments !== undefined,
    statusTemplates: settings.statusTemplates,
    storeOf: storeFrom(directory),
    takesOrders: (workspaceId, since) => takesOrders(commands, workspaceId, since),
  };
}

const caughtUpWith =
  ({ services: { eventStore }, progress }: Instance): CaughtUp['caughtUp'] =>
  async (categories) => {
    if (!(await progress.waitFor(categories, await eventStore.head(), VIEWS_WITHIN)))
      throw new StoreUnavailable(`the read models of ${categories.join(' and ')} lag behind`);
  };

function push(instance: Instance, outside: Outside): AnyProcessor {
  const { reads, directory } = instance.services;
  return catalogPush({
    provider: outside.provider,
    storeName: async (workspaceId) => (await directory.workspace(workspaceId))?.name ?? '',
    productLink: (workspaceId, externalId) =>
      `${outside.publicUrl()}/p/${workspaceId}/${encodeURIComponent(externalId)}`,
    flashSales: promotionsForPricing(reads).flashSales,
    caughtUp: caughtUpWith(instance),
  });
}

/**
 * Reported events count as acknowledged: a reader then waits for the views. If other instances serve reads too, the delivery waits for
 * their views, up to a limit: late views do not block webhooks.
 */
const readableBy =
  ({ acknowledged, progress }: Instance): OrderDataParts['readable'] =>
  (category, { position, meta: { workspaceId, partnerId } }) =>
    acknowledged === undefined
      ? progress.waitFor([category], position, VIEWS_WITHIN, workspaceId)
      : acknowledged.add(changedScopes(workspaceId, partnerId), category, { position, events: 0 });

function webhooks(instance: Instance, { sender, seenWebhook }: Outside): AnyProcessor {
  const { services, histories, progress, personTexts: people } = instance;
  const { work, directory, secretBox, eventStore, reads, clock } = services;
  const passed = (categories: readonly string[], position: Position, store?: string) =>
    progress.waitFor(categories, position, VIEWS_WITHIN, store);
  return createWebhooksProcessor({
    sender,
    seen: seenWebhook,
    work,
    directory,
    secretBox,
    log: eventStore,
    people,
    ...eventData({ reads, histories, clock, passed, readable: readableBy(instance) }),
  });
}

export function createProcessors(instance: Instance, outside: Outside): readonly AnyProcessor[] {
  const { services } = instance;
  const orders = orderDependencies(instance, outside);
  const channel = {
    numbers: storeNumbers(services.reads, services.clock),
    accessTokenOf: accessTokens(services.secretBox),
    log: outside.log,
  };
  const processors: readonly AnyProcessor[] = [
    orderIntake(orders),
    orderMessages(orders),
    abandonedCarts(),
    unpaidOrders(),
    paymentsProcessor({
      provider: outside.payments,
      secretBox: services.secretBox,
      takesOrders: orders.takesOrders,
      sellsAll: sellsAll(orders.itemsOf),
      log: outside.log,
    }),
    releaseUses(),
    sessionEndings({ caughtUp: caughtUpWith(instance), eventStore: services.eventStore }),
    push(instance, outside),
    catalogChecks(),
    routing({ numbersOf: numberIdsOf(services.commandHandler) }),
    outbox({
      channel: outside.messages,
      media: outside.media,
      files: services.files,
      ...channel,
      count: outside.count,
      isForgotten: (id) => instance.personTexts.isForgotten(streamName('conversation', id)),
    }),
    mediaCopying({
      media: outside.media,
      files: services.files,
      storageLimitOf: storageLimitFrom(services.directory),
      ...channel,
      isForgotten: instance.personTexts.isForgotten,
    }),
    recordingsProcessor(instance.sounds),
    filesProcessor({ store: instance.fileStore }),
    templatesProcessor({
      provider: outside.templates,
      accountOf: accountOfStore(services.commandHandler, services.secretBox),
      caughtUp: caughtUpWith(instance),
      files: services.files,
      log: outside.log,
    }),
    webhooks(instance, outside),
    retentionProcessor({ retaining: instance.retaining, caughtUp: caughtUpWith(instance) }),
  ];
  const { isForgotten } = instance.personTexts;
  return processors.map((one) => eventTasks(one, { log: services.eventStore, isForgotten }));
}

const NONE: ProcessorRuntime = { start: async () => {}, stop: async () => {}, status: () => [] };

/** Opens what the processors and the delivery log need; `start` begins. */
export async function prepareProcessors(
  instance: Instance,
  outside: Outside,
  metrics: ProcessorMetrics,
  log: Log,
): Promise<ProcessorRuntime> {
  const { services, settings, name, shared, patient } = instance;
  for (const collection of webhookCollections) await patient(() => services.work.open(collection));
  if (!settings.roles.includes('processors')) return NONE;
  const leases = shared ? createLeases({ work: services.work, clock: steadyClock, instance: name, log }) : undefined;
  const runtime = createProcessorRuntime({
    eventStore: services.eventStore,
    work: services.work,
    processors: createProcessors(instance, outside),
    commands: services.commandHandler,
    reads: services.reads,
    clock: services.clock,
    log,
    metrics,
    tracing: outside.tracing,
    patient,
    ready: (signal) => instance.building.untilBuilt(signal),
    ...(leases && { leases, shards: instance.shards ?? SHARDS }),
  });
  if (leases === undefined) return runtime;
  return {
    async start() {
      await runtime.start();
      await patient(() => leases.start());
    },
    // The leases first: what is at hand is finished while it is still owned.
    async stop() {
      await leases.stop();
      await runtime.stop();
    },
    status: () => runtime.status(),
  };
}
