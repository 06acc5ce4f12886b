/** Types of the sandbox's chat and catalog, as far as the phone shows them (docs/guides/sandbox.md). */

export interface Customer {
  /** Digits with '+'. */
  readonly phone?: string;
  readonly userId?: string;
  readonly name?: string;
}

export interface ItemData {
  readonly title?: string;
  readonly size?: string;
  readonly color?: string;
  /** Such as `12.00 USD`. */
  readonly price?: string;
  readonly availability?: string;
  readonly sale_price?: string;
  readonly sale_price_effective_date?: string;
  readonly image_link?: string;
}

export interface Item {
  readonly retailerId: string;
  readonly review: 'PENDING' | 'APPROVED' | 'REJECTED' | 'OUTDATED';
  readonly reasons?: readonly string[];
  readonly data: ItemData;
}

export interface Place {
  readonly latitude: number;
  readonly longitude: number;
  readonly name?: string;
  readonly address?: string;
}

export interface Contact {
  readonly name: { readonly formatted_name: string };
  readonly phones: readonly { readonly phone: string }[];
}

export interface Cart {
  readonly product_items: readonly {
    readonly product_retailer_id: string;
    readonly quantity: number;
    readonly item_price?: number;
    readonly currency?: string;
  }[];
  readonly text?: string;
}

export interface Interactive {
  readonly nfm_reply?: { readonly response_json?: string };
  readonly button_reply?: { readonly title: string };
  readonly list_reply?: { readonly title: string };
  readonly action?: { readonly button?: string };
}

/** Payload of the channel. */
export interface Payload {
  readonly type: string;
  readonly context?: { readonly forwarded?: boolean };
  readonly order?: Cart;
  readonly contacts?: readonly Contact[];
  readonly location?: Place;
  readonly call?: { readonly duration?: number };
  readonly button?: { readonly text: string };
  readonly system?: { readonly body: string };
  readonly interactive?: Interactive;
  readonly template?: {
    readonly components?: readonly { readonly parameters?: readonly { readonly type: string }[] }[];
  };
  readonly reaction?: { readonly message_id: string; readonly emoji?: string };
  readonly edit?: {
    readonly original_message_id: string;
    readonly message?: { readonly text?: { readonly body?: string } };
  };
  readonly revoke?: { readonly original_message_id: string };
}

export interface File {
  readonly id?: string;
  readonly link?: string;
  readonly filename?: string;
  readonly caption?: string;
  readonly voice?: boolean;
}

export interface Option {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
}

export interface FlowData {
  readonly orderNumber?: string | number;
  readonly totalText?: string;
  readonly delivery?: boolean;
  readonly pickup?: boolean;
  readonly areas?: readonly Option[];
  readonly wallets?: readonly Option[];
  readonly walletPhone?: string;
}

/** A form that the customer fills in. */
export interface Flow {
  readonly token: string;
  readonly cta: string;
  readonly screen?: string;
  readonly data?: FlowData;
}

export interface Message {
  readonly wamid: string;
  readonly at: string;
  /** Direction from the customer's view. */
  readonly direction: 'sent' | 'received';
  readonly type: string;
  readonly text?: string;
  readonly replyTo?: string;
  readonly file?: File;
  readonly flow?: Flow;
  readonly options?: readonly (Option & { readonly list: boolean })[];
  readonly template?: {
    readonly header?: string;
    readonly footer?: string;
    readonly buttons?: readonly { readonly type: string; readonly text: string; readonly payload?: string }[];
  };
  readonly statuses: readonly string[];
  readonly payload: Payload;
}

/** Result of an act: the webhook's answer. */
export interface Acted {
  readonly webhook?: { readonly status: number };
}
