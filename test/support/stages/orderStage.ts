import { itemsFrom } from '../../../application/catalog/sellableItems.js';
import { customerFrom } from '../../../application/channel/customerMessages.js';
import { abandonedCarts } from '../../../application/orders/abandonedCarts.js';
import type { StatusTemplates } from '../../../application/orders/customerNotices.js';
import { sellsAll } from '../../../application/orders/orderChanges.js';
import type { OrderDependencies } from '../../../application/orders/orderDependencies.js';
import { orderIntake } from '../../../application/orders/orderIntake.js';
import { orderMessages } from '../../../application/orders/orderMessages.js';
import { unpaidOrders } from '../../../application/orders/unpaidOrders.js';
import { saveAccount } from '../../../application/payments/paymentAccounts.js';
import { paymentsProcessor } from '../../../application/payments/paymentsProcessor.js';
import type { PaymentProvider } from '../../../application/ports/paymentProvider.js';
import { createOrderPromotions } from '../../../application/promotions/orderPromotions.js';
import { releaseUses } from '../../../application/promotions/releaseUses.js';
import type { CatalogEvent, ProductContent } from '../../../domain/catalog/catalogEvents.js';
import { conversation } from '../../../domain/channel/conversation.js';
import type { ConversationEvent, InboundContent } from '../../../domain/channel/conversationEvents.js';
import { receiveMessages } from '../../../domain/channel/conversationReceiving.js';
import { acceptMessage, failMessage } from '../../../domain/channel/conversationSending.js';
import { delivery, type SaveDeliverySettings, saveDeliverySettings } from '../../../domain/delivery/delivery.js';
import { derivedId } from '../../../domain/ids.js';
import { createList, numberList } from '../../../domain/numberLists/numberList.js';
import type { WalletId } from '../../../domain/payments/paymentEvents.js';
import { payments, savePaymentWallets } from '../../../domain/payments/payments.js';
import { createPromotion, deletePromotion, exists, promotion } from '../../../domain/promotions/promotion.js';
import { definitionOf, type PromotionFields } from '../../../domain/promotions/promotionDefinition.js';
import type { Locale } from '../../../domain/stores/storeEvents.js';
import { bindCommands } from '../../../engine/commandHandler/boundCommands.js';
import type { CommandContext, CommandHandler } from '../../../engine/commandHandler/commands.js';
import { type Clock, systemClock } from '../../../engine/ports/clock.js';
import type { DocumentStore } from '../../../engine/ports/documents.js';
import type { EventStore } from '../../../engine/ports/eventStore.js';
import { silentLog } from '../../../engine/ports/log.js';
import type { ProcessorRuntime } from '../../../engine/processors/runtime.js';
import type { Reads } from '../../../engine/projections/reads.js';
import type { ProjectionRuntime } from '../../../engine/projections/runtime.js';
import { createSecretBox } from '../../../infrastructure/secrets/secretBox.js';
import { automaticPromotions } from '../../../projections/automaticPromotions.js';
import { catalogItems } from '../../../projections/catalogItems.js';
import { deliverySettings } from '../../../projections/deliverySettings.js';
import { orderRows, orders, type StoreOrderBody } from '../../../projections/orders.js';
import { paidOrders } from '../../../projections/paidOrders.js';
import { promotions } from '../../../projections/promotions.js';
import { openStage } from './stage.js';

export const STORE = '00000000-0000-4000-8000-000000000001';
export const NUMBER = '00000000-0000-4000-8000-0000000000f1';

type Queued = Extract<ConversationEvent, { type: 'MessageQueued' }>['data'];

export interface OrderStage {
  readonly events: EventStore;
  readonly commands: CommandHandler;
  readonly reads: Reads;
  readonly views: DocumentStore;
  readonly work: DocumentStore;
  readonly projections: ProjectionRuntime;
  readonly store: { locale: Locale; country: string; open: boolean };
  readonly dependencies: OrderDependencies;
  context(name: string, workspaceId?: string): CommandContext;
  addProducts(products: Readonly<Record<string, Partial<ProductContent>>>): Promise<void>;
  /** Lets customers pay with these wallets from now on. */
  takePayments(wallets: readonly WalletId[], apiKey?: string): Promise<void>;
  saveDelivery(settings: SaveDeliverySettings): Promise<void>;
  /** Creates a promotion of the store and returns its id. `phones`: numbers on its number list. */
  addPromotion(fields: PromotionFields, phones?: readonly string[]): Promise<string>;
  removePromotion(id: string): Promise<void>;
  /** Returns the orders that use a promotion. */
  usesOf(promotionId: string): Promise<readonly string[]>;
  /** Receives a customer's message. The conversation is named after the customer. */
  receive(customer: string, id: string, content: InboundContent, repliesTo?: string, sentAt?: string): Promise<void>;
  accept(customer: string, messageId: string): Promise<void>;
  fail(customer: string, messageId: string, reason: string): Promise<void>;
  /** Returns the messages queued for a customer, oldest first. */
  queued(customer: string): Promise<Queued[]>;
  /** Returns the token of the newest form that was queued for a customer. */
  newestForm(customer: string): Promise<string>;
  /** Waits until every processor and view has caught up and no task is due. */
  quiet(): Promise<void>;
  order(id: string): Promise<StoreOrderBody | undefined>;
  startProcessors(): Promise<ProcessorRuntime>;
  /** Restarts the processors from the beginning: every task is noted and performed once more. */
  restartProcessorsFromTheBeginning(): Promise<void>;
  close(): Promise<void>;
}

export const conversationOf = (customer: string): string => derivedId('conversation', customer);

const PRODUCT: ProductContent = {
  name: 'Linen shirt',
  description: '',
  imageUrls: ['https://img.example.com/1.jpg'],
  priceCents: 12_00,
  availability: 'in_stock',
  active: true,
  variants: [],
};

const PROJECTIONS = [orders, orderRows, deliverySettings, catalogItems, paidOrders, promotions, automaticPromotions];
const PROCESSORS = ['orderIntake', 'orderMessages', 'promotionUses', 'payments'];
/** Limit in ms: tasks due later are timers. */
const SOON = 60_000;
/** Processors whose tasks are due much later. */
const TIMERS = ['abandonedCarts', 'unpaidOrders'];
const NAMES = PROJECTIONS.map(({ name }) => name);

export interface OrderStageOptions {
  /** Payment provider; none when absent. */
  readonly provider?: PaymentProvider;
  /** See PaymentsDependencies.unknownMs. */
  readonly unknownMs?: number;
  readonly statusTemplates?: StatusTemplates;
  /** Default: the system's clock. */
  readonly clock?: Clock;
}

export async function orderStage(options: OrderStageOptions = {}): Promise<OrderStage> {
  const { provider, unknownMs = 200, statusTemplates = {}, clock = systemClock } = options;
  const stage = await openStage('orders', { projections: PROJECTIONS, clock });
  const { eventStore: events, views, work, commands, projections, reads } = stage;
  let openSince = 0;
  let open = true;
  const store = {
    locale: 'en' as Locale,
    country: 'SO',
    get open() {
      return open;
    },
    set open(is: boolean) {
      if (is && !open) openSince = clock.now();
      open = is;
    },
  };
  const dependencies: OrderDependencies = {
    itemsOf: itemsFrom(reads),
    storeOf: async () => store,
    takesOrders: async (_, since = Number.POSITIVE_INFINITY) => store.open && openSince <= since,
    promotions: createOrderPromotions({ commands, reads }),
    customerOf: customerFrom(commands),
    takesPayments: provider !== undefined,
    statusTemplates,
  };
  const secretBox = createSecretBox(new Uint8Array(32).fill(7));
  const runtimes: ProcessorRuntime[] = [];
  let count = 0;
  const context = (name: string, workspaceId = STORE): CommandContext => ({
    commandId: derivedId('test', name, count++),
    actor: { type: 'customer' },
    correlationId: name,
    workspaceId,
  });
  const seen = async (): Promise<boolean> => projections.waitFor(NAMES, await events.head(), 15_000);
  const pending = async (): Promise<number> => {
    const counts = await Promise.all([
      ...PROCESSORS.map((name) => work.count(`tasks_${name}`, { dueAt: { lt: clock.now() + SOON } }, 1_000)),
      ...TIMERS.map((name) => work.count(`tasks_${name}`, { dueAt: { lt: clock.now() + 1 } }, 1_000)),
    ]);
    return counts.reduce((sum, one) => sum + one, 0);
  };
  const print = (customer: string, decision: Parameters<typeof commands.decide<never, ConversationEvent>>[3]) =>
    commands.decide(context(customer), conversation, conversationOf(customer), decision as never);
  const queued = async (customer: string): Promise<Queued[]> => {
    const all = await events.readStream(`conversation-${conversationOf(customer)}`);
    return all.filter(({ type }) => type === 'MessageQueued').map(({ data }) => data as Queued);
  };
  async function startProcessors(): Promise<ProcessorRuntime> {
    const { takesOrders } = dependencies;
    const selling = sellsAll(dependencies.itemsOf);
    const paying = { provider, secretBox, takesOrders, sellsAll: selling, log: silentLog, waitMs: () => 20, unknownMs };
    const runtime = await stage.start([
      orderIntake(dependencies),
      orderMessages(dependencies),
      abandonedCarts(),
      unpaidOrders(),
      releaseUses(),
      paymentsProcessor(paying),
    ]);
    runtimes.push(runtime);
    return runtime;
  }
  return {
    events,
    commands,
    reads,
    views,
    work,
    projections,
    store,
    dependencies,
    context,
    async addProducts(products) {
      const data = Object.entries(products).map(([externalId, product]): CatalogEvent => {
        const content = { ...PRODUCT, ...product };
        const variants = content.variants.map((variant) => variant.externalId);
        const retailerIds = variants.length === 0 ? [externalId] : variants;
        return { type: 'ProductAdded', data: { externalId, product: content, retailerIds } };
      });
      const meta = {
        at: new Date(clock.now()).toISOString(),
        actor: { type: 'system' as const },
        correlationId: 'c',
        workspaceId: STORE,
      };
      await events.append(
        `catalog-${STORE}`,
        'any',
        data.map((event) => ({ ...event, id: derivedId('p', count++), meta })),
      );
      await seen();
    },
    async takePayments(wallets, apiKey = 'API-1901083745AHX') {
      const bound = bindCommands(commands, context('payments'));
      await saveAccount({ commands: bound, secretBox }, STORE, { merchantId: 'M0912269', apiKey });
      await commands.decide(context('wallets'), payments, STORE, savePaymentWallets(wallets));
    },
    async saveDelivery(settings) {
      await commands.decide(context('delivery'), delivery, STORE, saveDeliverySettings(settings));
      await seen();
    },
    async addPromotion(fields, phones) {
      const id = derivedId('promotion', fields.name);
      const listed = phones === undefined ? {} : { numberListId: derivedId('list', id) };
      if (phones !== undefined) {
        const terms = { name: `List of ${fields.name}`, kind: 'uploaded' as const };
        await commands.decide(context('list'), numberList, derivedId('list', id), createList(terms, phones));
      }
      const definition = definitionOf({ ...fields, ...listed });
      await commands.decide(context('promotion'), promotion, id, createPromotion(definition));
      await seen();
      return id;
    },
    async removePromotion(id) {
      await commands.decide(context('promotion'), promotion, id, deletePromotion(STORE));
      await seen();
    },
    usesOf: (id) => commands.query(promotion, id, (state) => (exists(state) ? [...state.uses.keys()] : [])),
    async receive(customer, id, content, repliesTo, sentAt = new Date(clock.now()).toISOString()) {
      const message = {
        messageId: derivedId('message', id),
        channelMessageId: id,
        sentAt,
        content,
        customer: { phone: customer, name: 'Asha' },
        ...(repliesTo === undefined ? {} : { repliesTo }),
      };
      await print(customer, receiveMessages({ numberId: NUMBER, messages: [message] }) as never);
    },
    async accept(customer, messageId) {
      await print(customer, acceptMessage({ messageId, channelMessageId: `wamid.${messageId}` }) as never);
    },
    async fail(customer, messageId, reason) {
      await print(customer, failMessage({ messageId, errorCode: '131047', reason }) as never);
    },
    queued,
    async newestForm(customer) {
      const tokens = (await queued(customer)).flatMap(({ content }) => (content.type === 'flow' ? content.token : []));
      const newest = tokens.at(-1);
      if (newest === undefined) throw new Error(`${customer} got no form`);
      return newest;
    },
    async quiet() {
      const end = Date.now() + 50_000;
      for (let head = -2; ; ) {
        const now = await events.head();
        const noted =
          runtimes
            .at(-1)
            ?.status()
            .every(({ position }) => position >= now) ?? false;
        if (noted && now === head && (await pending()) === 0 && (await seen())) return;
        head = now;
        if (Date.now() > end) throw new Error(`not quiet: ${JSON.stringify(runtimes.at(-1)?.status())}`);
        await new Promise((resolve) => setTimeout(resolve, 3));
      }
    },
    order: async (id) => (await reads.get<StoreOrderBody>(orders, id))?.body,
    startProcessors,
    async restartProcessorsFromTheBeginning() {
      await runtimes.at(-1)?.stop();
      for (const name of [...PROCESSORS, ...TIMERS]) await work.dropCheckpoint(`processor_${name}`);
      await startProcessors();
    },
    close: stage.close,
  };
}
