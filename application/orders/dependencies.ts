/** What the order processors need of the rest of the service, and how they reach the customer. */
import { conversation, partyOf, queueMessage } from '../../domain/channel/conversation.js';
import type { ChannelCustomer, MessagePurpose, OutboundContent } from '../../domain/channel/conversationEvents.js';
import { derivedId } from '../../domain/ids.js';
import type { SellableItem } from '../../domain/pricing/pricing.js';
import type { PromotionsFor } from '../../domain/pricing/promotions.js';
import type { Locale } from '../../domain/stores/storeEvents.js';
import type { CommandContext, CommandHandler } from '../../engine/commandHandler/commands.js';
import type { Cause } from '../../engine/processors/cause.js';
import type { ProcessorContext, Task } from '../../engine/processors/processor.js';
import type { Readable, Reads } from '../../engine/projections/reads.js';
import type { StatusTemplates } from './notifying.js';

export interface OrderDependencies {
  /** The store's catalog items by retailer id; unknown ones are left out. */
  readonly itemsOf: (workspaceId: string, retailerIds: readonly string[]) => Promise<Map<string, SellableItem>>;
  /** `country`: ISO 3166-1. Undefined: there is no such store. */
  readonly storeOf: (workspaceId: string) => Promise<{ locale: Locale; country: string } | undefined>;
  /** Whether the store takes orders at this moment, and has since `since`, where that is given: see takingOrders.ts. */
  readonly takesOrders: (workspaceId: string, since?: number) => Promise<boolean>;
  readonly promotions: OrderPromotions;
  /** Whether a payment provider is configured: without one no store takes payments. */
  readonly takesPayments: boolean;
  /** For messages outside the 24-hour window. */
  readonly statusTemplates: StatusTemplates;
  /** Both ends of a conversation. */
  readonly partyOf: (conversationId: string) => Promise<Party>;
}

/** Why a promotion takes no use by an order: see `Standing` in domain/pricing/promotions.ts. */
export type UseRefused = 'limit' | 'customer_limit';

/**
 * Promotions as orders meet them. A use belongs to its order: at most one for each promotion, so that a repeated `reserve`
 * finds the first and answers 'reserved', and a repeated `release` changes nothing. A use that was given back can be
 * reserved again. `reserve` looks only at the limits: whether the promotion is open was decided by pricing. For a promotion
 * that was deleted it answers 'reserved' without an event: there is no limit left to guard.
 */
export interface OrderPromotions {
  readonly promotionsFor: PromotionsFor;
  reserve(
    by: CommandContext,
    promotionId: string,
    use: { readonly orderId: string; readonly customerPhone: string },
  ): Promise<'reserved' | UseRefused>;
  release(by: CommandContext, promotionId: string, orderId: string): Promise<void>;
}

/** A business number and the customer who writes to it. */
export interface Party {
  readonly numberId: string;
  readonly customer: ChannelCustomer;
}

/** Items from the read model `catalogItems`, whose documents are named `{workspaceId}/{retailerId}`; no removed ones. */
export const itemsFrom =
  (reads: Reads, catalogItems: Readable<SellableItem & { readonly removed?: true }>): OrderDependencies['itemsOf'] =>
  async (workspaceId, retailerIds) => {
    const found = await reads.getMany(
      catalogItems,
      retailerIds.map((id) => `${workspaceId}/${id}`),
    );
    const items = [...found.values()].map(({ body }) => body);
    return new Map(items.filter(({ removed }) => !removed).map((item) => [item.retailerId, item]));
  };

/** From the conversation itself, however far the read models are: the customer as the channel told of them last. */
export const partyFrom =
  (commands: Pick<CommandHandler, 'query'>): OrderDependencies['partyOf'] =>
  async (conversationId) => {
    const party = await commands.query(conversation, conversationId, partyOf);
    if (party === undefined) throw new Error(`conversation ${conversationId} has no beginning`);
    return party;
  };

/** Queues one message of a task. The same task queues it once, however often it is performed. */
export async function send(
  dependencies: OrderDependencies,
  context: ProcessorContext,
  task: Task<Cause>,
  to: { readonly conversationId: string; readonly messageId?: string },
  content: OutboundContent,
  purpose: MessagePurpose,
): Promise<void> {
  const { numberId, customer } = await dependencies.partyOf(to.conversationId);
  const messageId = to.messageId ?? messageIdOf(task);
  await context.commands.decide(
    context.contextFor(task, task.payload),
    conversation,
    to.conversationId,
    queueMessage({ messageId, numberId, to: customer, content, purpose }),
  );
}

/** The message that a task leads to. */
export const messageIdOf = (task: Task<unknown>): string => derivedId('orderMessage', task.id);
