/** Documents through time. */
import type { ConsoleEventBody } from './events.js';

/** A document of a read model: the keys that it is found by, and what is answered of it. */
export interface ConsoleDocumentBody {
  readonly keys: Readonly<Record<string, string | number | null>>;
  readonly body: unknown;
}

export interface ConsoleDocumentStepBody {
  readonly event: ConsoleEventBody;
  /** Right after the event; absent when it leaves none. */
  readonly document?: ConsoleDocumentBody;
  /** The handler threw, and the document stayed as it was. */
  readonly error?: string;
}

/** A document after each of its events, rebuilt from the log. */
export interface ConsoleDocumentStepsBody {
  readonly projection: string;
  readonly version: number;
  readonly id: string;
  /** The streams that were searched. Absent: all streams of the projection's categories. */
  readonly streams?: readonly string[];
  /** Steps before these. */
  readonly from: number;
  readonly before?: ConsoleDocumentBody;
  readonly steps: readonly ConsoleDocumentStepBody[];
  readonly more: boolean;
  /** The log was gone through as far as one request goes: there may be more. */
  readonly bounded: boolean;
  readonly seen: number;
  /** The stored document differs from the last step: events of other streams change it, or other handlers stored it. */
  readonly differs?: true;
}

export interface ConsoleDocumentsBody {
  /** Some of those that are stored. */
  readonly ids: readonly string[];
}

/** Something of a store at two moments. */
export interface ConsoleMomentsBody {
  readonly kind: 'store' | 'order' | 'product';
  readonly workspaceId: string;
  readonly id: string;
  /** Two. */
  readonly moments: readonly {
    readonly at: string;
    /** Bodies by the name of what they are, such as `store`; what was not there yet is absent. */
    readonly documents: Readonly<Record<string, unknown>>;
    /** The history is longer than a request goes through. */
    readonly bounded?: true;
  }[];
}

/** The price of a cart, with money in cents. */
export interface ConsoleQuoteBody {
  readonly lines: readonly {
    readonly retailerId: string;
    readonly name: string;
    readonly quantity: number;
    readonly unitPriceCents: number;
    readonly listPriceCents?: number;
    readonly withoutFlashSaleCents?: number;
  }[];
  readonly totals: {
    readonly subtotalCents: number;
    readonly discountCents: number;
    readonly deliveryFeeCents: number;
    readonly totalCents: number;
  };
  readonly leftOut: readonly { readonly retailerId: string; readonly reason: string }[];
  readonly discountReason?: string;
  readonly promotions?: readonly object[];
  readonly flashSales?: readonly object[];
  readonly passedOver?: readonly object[];
  readonly deliveryArea?: string;
}
