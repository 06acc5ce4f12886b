/** What the sandbox's own endpoints tell, as far as the page shows it. */
export interface Store {
  readonly phoneNumberId: string;
  readonly displayPhoneNumber: string;
  readonly catalogId: string;
  readonly name?: string;
}

export interface Item {
  readonly retailerId: string;
  readonly review: string;
  readonly reasons?: readonly string[];
  readonly data: {
    readonly title?: string;
    readonly size?: string;
    readonly color?: string;
    readonly link?: string;
    readonly price?: string;
    readonly availability?: string;
    readonly sale_price?: string;
    readonly sale_price_effective_date?: string;
  };
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

export interface Order {
  readonly product_items: readonly { readonly product_retailer_id: string; readonly quantity: number }[];
  readonly text?: string;
}

export interface Interactive {
  readonly nfm_reply?: { readonly response_json?: string };
  readonly button_reply?: { readonly title: string };
  readonly list_reply?: { readonly title: string };
  readonly action?: { readonly button?: string };
}

export interface Call {
  readonly duration?: number;
}

/** What the channel carried. */
export interface Payload {
  readonly type: string;
  readonly context?: { readonly forwarded?: boolean };
  readonly order?: Order;
  readonly contacts?: readonly Contact[];
  readonly location?: Place;
  readonly call?: Call;
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
  readonly url?: string;
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

/** A form that the customer fills in. */
export interface Flow {
  readonly token: string;
  readonly cta: string;
  readonly screen?: string;
  readonly data?: {
    readonly orderNumber?: string | number;
    readonly totalText?: string;
    readonly delivery?: boolean;
    readonly pickup?: boolean;
    readonly areas?: readonly Option[];
    readonly wallets?: readonly Option[];
    readonly walletPhone?: string;
  };
}

export interface Message {
  readonly wamid: string;
  readonly at: string;
  /** By the customer: sent or received. */
  readonly direction: 'sent' | 'received';
  readonly type: string;
  readonly text?: string;
  readonly replyTo?: string;
  readonly file?: File;
  readonly flow?: Flow;
  readonly options?: readonly (Option & { readonly description?: string; readonly list: boolean })[];
  readonly template?: {
    readonly header?: string;
    readonly footer?: string;
    readonly buttons?: readonly { readonly type: string; readonly text: string; readonly payload?: string }[];
  };
  readonly statuses: readonly string[];
  readonly payload: Payload;
}

/** What came of an act: the webhook's answer, or what was wrong with the act. */
export interface Acted {
  readonly error?: string;
  readonly webhook?: { readonly status: number };
}

/** GET, or POST with a body. */
export async function call<T>(path: string, body?: object): Promise<T> {
  const answer = await fetch(
    path,
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  );
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}
