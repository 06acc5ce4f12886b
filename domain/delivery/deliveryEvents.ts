/** Stored for ever: a store's delivery settings, stream `delivery-{workspaceId}`. Add fields as optional. */
import type { DomainEvent } from '../decider.js';
import type { OrderStatus } from '../orders/orderEvents.js';

export interface DeliveryArea {
  readonly id: string;
  readonly name: string;
  readonly feeCents: number;
  readonly active: boolean;
}

/** (Specification 1, 'Delivery settings'.) */
export interface DeliverySettings {
  readonly deliveryEnabled: boolean;
  readonly pickupEnabled: boolean;
  readonly pickupAddress: string;
  readonly requestLocation: boolean;
  readonly notifyStatuses: readonly Exclude<OrderStatus, 'new'>[];
  /** In the order checkout lists them. */
  readonly areas: readonly DeliveryArea[];
  readonly freeDeliveryAboveCents?: number;
  /** Whether customers of a store with wallets may pay in cash instead; not when absent. An addition. */
  readonly cashOnDelivery?: boolean;
  /** Days for which the prices of a cart hold that nobody has checked out; 0: for ever; 7 when absent. */
  readonly cartValidDays?: number;
}

export type DeliveryEvent = DomainEvent<'DeliverySettingsSaved', DeliverySettings>;
