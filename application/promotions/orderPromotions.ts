/** Promotions for orders: those that a customer may use, and the uses that orders reserve. */
import { DomainError } from '../../domain/decider.js';
import { numberList } from '../../domain/numberLists/numberList.js';
import { isPlaced, order } from '../../domain/orders/order.js';
import type { Eligibility, PricingPromotion, PromotionsQuery } from '../../domain/pricing/promotions.js';
import { exists, limitFor, promotion, redeem, releaseUse } from '../../domain/promotions/promotion.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import type { Reads } from '../../engine/projections/reads.js';
import { paidOrders } from '../../projections/paidOrders.js';
import { phonesOf } from '../channel/customerIdentity.js';
import { currentConversation, withMerged } from '../channel/mergedConversations.js';
import type { OrderPromotions, UseRefused } from '../orders/orderDependencies.js';
import { type OfferedPromotion, promotionsForPricing } from './promotionsForPricing.js';

export interface OrderPromotionsParts {
  readonly commands: CommandHandler;
  readonly reads: Reads;
}

/** As in `redeem`. */
interface Customer {
  readonly customer: string | undefined;
  readonly others: readonly string[];
}

type Limited = Exclude<Eligibility, 'no_code'>;

export function createOrderPromotions({ commands, reads }: OrderPromotionsParts): OrderPromotions {
  const forPricing = promotionsForPricing(reads);

  /**
   * Returns the owner of a use: the number, or the conversation if the channel does not report the number, and all other current and former
   * names of the customer, whose uses count too.
   */
  async function customerOf(orderId: string, phone: string, workspaceId: string | undefined): Promise<Customer> {
    const conversationId = await commands.query(order, orderId, (state) =>
      isPlaced(state) ? state.conversationId : undefined,
    );
    const customer = phone === '' ? conversationId && `conversation ${conversationId}` : phone;
    if (workspaceId === undefined) return { customer, others: [] };
    const phones = phone === '' ? [] : await phonesOf(commands, workspaceId, phone);
    if (conversationId === undefined) return { customer, others: phones };
    const current = await currentConversation(commands, workspaceId, conversationId);
    const conversations = await withMerged(commands, workspaceId, current);
    return { customer, others: [...phones, ...conversations.map((id) => `conversation ${id}`)] };
  }

  /** Returns true if a number of the customer is currently on the store's list. */
  async function isListed(workspaceId: string, listId: string, phone: string): Promise<boolean> {
    if (phone === '') return false;
    const phones = await phonesOf(commands, workspaceId, phone);
    const minOrders = await commands.query(numberList, listId, (list) => {
      if (list.status !== 'standing' || list.workspaceId !== workspaceId) return false;
      if (list.terms.kind === 'past_orders') return list.terms.minOrders ?? 1;
      return phones.some((one) => list.phones.has(one));
    });
    if (typeof minOrders === 'boolean') return minOrders;
    return (await reads.count(paidOrders, { workspaceId, phone: { in: phones }, paid: 1 }, minOrders)) >= minOrders;
  }

  async function eligibilityOf({ definition, pricing }: OfferedPromotion, query: PromotionsQuery): Promise<Limited> {
    const { workspaceId, customerPhone, orderId } = query;
    const { kind, numberListId, maxPerCustomer, maxRedemptions } = definition;
    if (kind === 'flash_sale') return 'may';
    if (numberListId !== undefined && !(await isListed(workspaceId, numberListId, customerPhone))) return 'not_listed';
    if (maxPerCustomer === undefined && maxRedemptions === undefined) return 'may';
    const { customer, others } = await customerOf(orderId, customerPhone, workspaceId);
    const limit = await commands.query(promotion, pricing.promotionId, (state) =>
      exists(state) ? limitFor(state, orderId, customer, others) : undefined,
    );
    return limit ?? 'may';
  }

  async function forCustomer(offered: OfferedPromotion, query: PromotionsQuery): Promise<PricingPromotion> {
    const eligibility = await eligibilityOf(offered, query);
    return eligibility === 'may' ? offered.pricing : { ...offered.pricing, eligibility };
  }

  return {
    async promotionsFor(query) {
      const { workspaceId, couponCode, now } = query;
      const open = await Promise.all((await forPricing.open(workspaceId, now)).map((one) => forCustomer(one, query)));
      const mine = open.filter(({ eligibility }) => eligibility !== 'not_listed');
      const coupon = couponCode === undefined ? undefined : await forPricing.coupon(workspaceId, couponCode);
      return coupon === undefined ? mine : [...mine, await forCustomer(coupon, query)];
    },

    async reserve(by, promotionId, { orderId, customerPhone }) {
      const owner = await customerOf(orderId, customerPhone, by.workspaceId);
      try {
        await commands.decide(by, promotion, promotionId, redeem({ orderId, ...owner }));
        return 'reserved';
      } catch (error) {
        if (isUseRefused(error)) return error.code;
        throw error;
      }
    },

    async release(by, promotionId, orderId) {
      await commands.decide(by, promotion, promotionId, releaseUse(orderId));
    },
  };
}

const isUseRefused = (error: unknown): error is DomainError & { readonly code: UseRefused } =>
  error instanceof DomainError && (error.code === 'limit' || error.code === 'customer_limit');
