/** Promotions, number lists and orders as commands and views, on the embedded engines and with the real runtimes. */

import { createNumberList, type NumberListFields } from '../../../application/numberLists/numberLists.js';
import type { OrderPromotions } from '../../../application/orders/orderDependencies.js';
import { createOrderPromotions } from '../../../application/promotions/orderPromotions.js';
import { createPromotion, deletePromotion, updatePromotion } from '../../../application/promotions/promotions.js';
import { releaseUses } from '../../../application/promotions/releaseUses.js';
import { derivedId } from '../../../domain/ids.js';
import { order } from '../../../domain/orders/order.js';
import type { OrderEvent, OrderStatus } from '../../../domain/orders/orderEvents.js';
import { exists, promotion } from '../../../domain/promotions/promotion.js';
import type { PromotionFields } from '../../../domain/promotions/promotionDefinition.js';
import { bindCommands } from '../../../engine/commandHandler/boundCommands.js';
import type { CommandContext, CommandHandler } from '../../../engine/commandHandler/commands.js';
import type { EventStore } from '../../../engine/ports/eventStore.js';
import type { ProcessorRuntime } from '../../../engine/processors/runtime.js';
import { tasksCollection } from '../../../engine/processors/tasks/taskDocuments.js';
import type { Reads } from '../../../engine/projections/reads.js';
import { automaticPromotions } from '../../../projections/automaticPromotions.js';
import { numberLists } from '../../../projections/numberLists.js';
import { paidOrders } from '../../../projections/paidOrders.js';
import { promotions } from '../../../projections/promotions.js';
import { until } from '../doubles/fakeClock.js';
import { openStage } from './stage.js';

export const SHOP = '5f0c7a9e-1111-4000-8000-000000000001';
export const OTHER_SHOP = '5f0c7a9e-1111-4000-8000-000000000002';
const VIEWS = [automaticPromotions, promotions, paidOrders, numberLists];

export interface PromotionStage extends OrderPromotions {
  readonly commands: CommandHandler;
  readonly reads: Reads;
  readonly events: EventStore;
  /** Returns the command handler of another instance on the same log. */
  another(): CommandHandler;
  /** Returns the context of a customer's command. */
  by(): CommandContext;
  create(fields: PromotionFields): Promise<string>;
  update(promotionId: string, fields: PromotionFields): Promise<void>;
  remove(promotionId: string): Promise<void>;
  list(fields: NumberListFields): Promise<string>;
  /** Places an order of a customer, moves it through these statuses and returns its id. */
  order(name: string, phone: string, ...moves: OrderStatus[]): Promise<string>;
  move(orderId: string, from: OrderStatus, to: OrderStatus): Promise<void>;
  /** Returns the orders that use the promotion. */
  uses(promotionId: string): Promise<string[]>;
  /** Waits until the views show everything. */
  shown(): Promise<void>;
  startProcessor(): Promise<ProcessorRuntime>;
  /** Waits until the processor has nothing left to do. */
  quiet(): Promise<void>;
  close(): Promise<void>;
}

const line = { productExternalId: 'shirt', retailerId: 'shirt', name: 'Shirt', quantity: 1, unitPriceCents: 12_00 };
const totals = { subtotalCents: 12_00, discountCents: 0, deliveryFeeCents: 0, totalCents: 12_00 };

/** `sharedStore`: another instance appends too. */
export async function promotionStage({ sharedStore = false } = {}): Promise<PromotionStage> {
  const stage = await openStage('promotions', { projections: VIEWS, sharedStore });
  const { eventStore: events, work, commands, reads, shown } = stage;
  const orders = createOrderPromotions({ commands, reads });
  let runtime: ProcessorRuntime | undefined;
  let count = 0;
  const newId = (name: string): string => derivedId('test', name, count++);
  const by = (): CommandContext => ({
    commandId: newId('command'),
    actor: { type: 'customer' },
    correlationId: 'test',
    workspaceId: SHOP,
  });
  const context = () => ({
    commands: {
      ...bindCommands(commands, by()),
      decide: (aggregate: never, id: string, decision: never) => commands.decide(by(), aggregate, id, decision),
    } as ReturnType<typeof bindCommands>,
    read: reads,
    caughtUp: shown,
    workspaceId: SHOP,
    now: Date.now(),
    newId,
  });
  const append = async (orderId: string, ...happened: OrderEvent[]): Promise<void> => {
    await commands.decide(by(), order, orderId, () => happened);
  };
  const moved = (from: OrderStatus, to: OrderStatus): OrderEvent => ({
    type: 'OrderStatusChanged',
    data: { from, to },
  });
  return {
    ...orders,
    commands,
    reads,
    events,
    another: stage.commandHandler,
    by,
    shown,
    async create(fields) {
      const id = newId('promotion');
      await createPromotion(context(), id, fields);
      await shown();
      return id;
    },
    async update(id, fields) {
      await updatePromotion(context(), id, fields);
      await shown();
    },
    async remove(id) {
      await deletePromotion(context(), id);
      await shown();
    },
    async list(fields) {
      const id = newId('list');
      await createNumberList(context(), id, fields);
      return id;
    },
    async order(name, phone, ...moves) {
      const orderId = derivedId('order', name);
      const all: OrderStatus[] = ['new', ...moves];
      await append(
        orderId,
        {
          type: 'OrderPlaced',
          data: {
            number: count,
            lines: [line],
            totals,
            currency: 'USD',
            customerPhone: phone,
            conversationId: derivedId('conversation', name.replace(/\d/g, '')),
          },
        },
        ...moves.map((to, i) => moved(all[i]!, to)),
      );
      await shown();
      return orderId;
    },
    move: (orderId, from, to) => append(orderId, moved(from, to)),
    uses: (id) => commands.query(promotion, id, (state) => (exists(state) ? [...state.uses.keys()] : [])),
    async startProcessor() {
      runtime = await stage.start([releaseUses()]);
      return runtime;
    },
    quiet: () =>
      until('nothing is pending', async () => {
        const head = await events.head();
        const seen = runtime?.status().every(({ position }) => position >= head) ?? false;
        const pending = await work.count(tasksCollection('promotionUses'), {}, 1_000);
        return seen && pending === 0 && head === (await events.head());
      }),
    close: stage.close,
  };
}
