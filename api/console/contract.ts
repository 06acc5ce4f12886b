/**
 * What only the console asks, beside the API: types alone, for the server and for the pages in `console/`. It imports nothing,
 * so that the pages' types come from here and from the API's document. Times in RFC 3339.
 */

export type ConsoleRoleName = 'operator' | 'auditor' | 'store';

/** Who looks, and the token that every change has to bear (`X-CSRF-Token`). */
export interface ConsoleSessionBody {
  readonly sessionId: string;
  readonly role: ConsoleRoleName;
  /** Of `store`. */
  readonly workspaceId?: string;
  readonly expiresAt: string;
  readonly csrf: string;
  readonly version: string;
  /** The channel is the sandbox, and this person may be a customer there. */
  readonly phone?: true;
}

/** A store's number, which the sandbox's customer writes to. */
export interface ConsoleNumberBody {
  readonly phoneNumberId: string;
  readonly displayPhoneNumber: string;
}

export interface ConsoleStoreBody {
  readonly workspaceId: string;
  readonly name: string;
  readonly status: string;
  readonly country: string;
  readonly timezone: string;
  readonly externalRef?: string;
}

/** An event as it is stored, and who did it by name. */
export interface ConsoleEventBody {
  readonly id: string;
  readonly position: number;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly at: string;
  readonly actor: { readonly type: string; readonly id?: string; readonly name: string };
  readonly correlationId: string;
  readonly causationId?: string;
  readonly workspaceId?: string;
  /** What the list shows of its data: at most 160 characters of JSON. */
  readonly summary: string;
}

/** The same with all of its data, unless that is too large to be shown. */
export interface ConsoleWholeEventBody extends ConsoleEventBody {
  readonly data: unknown;
  /** Bytes of the data as JSON. */
  readonly bytes: number;
  /** The data was too large: `data` is its beginning, as text. */
  readonly cut?: true;
}

export interface ConsoleEventsBody {
  readonly events: readonly ConsoleEventBody[];
  /** `before` of the next page; absent at the beginning of the log. */
  readonly next?: number;
  /** How many events were gone through for it. */
  readonly seen: number;
  /** Of the newest page: where the log ended then, for the tail to go on from. */
  readonly head?: number;
}

export interface ConsoleTimelineStepBody {
  readonly event: ConsoleWholeEventBody;
  /** The order right after the event: the API's `StoreOrderBody`. */
  readonly order?: object;
}

export interface ConsoleTimelineBody {
  readonly orderId: string;
  readonly workspaceId: string;
  readonly steps: readonly ConsoleTimelineStepBody[];
  readonly more: boolean;
}

export interface ConsoleWebhookBody {
  readonly endpointId: string;
  readonly url: string;
  readonly eventType: string;
  readonly attempt: number;
  readonly attemptedAt: string;
  readonly latencyMs: number;
  readonly status: 'succeeded' | 'failed';
  readonly trigger: string;
  readonly responseCode?: number;
  readonly error?: string;
  readonly nextRetryAt?: string;
}

/** One event to one endpoint: every attempt, the newest first, and what is posted. */
export interface ConsoleDeliveryBody {
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly attempts: readonly Omit<ConsoleWebhookBody, 'endpointId' | 'url'>[];
  /** The text that is posted, rendered anew; absent when it cannot be any more. */
  readonly body?: string;
}

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

/** A document step by step, folded anew from the log. */
export interface ConsoleDocumentStepsBody {
  readonly projection: string;
  readonly version: number;
  readonly id: string;
  /** Where its events were looked for; absent: in all of the projection's categories. */
  readonly streams?: readonly string[];
  /** Steps before these. */
  readonly from: number;
  readonly before?: ConsoleDocumentBody;
  readonly steps: readonly ConsoleDocumentStepBody[];
  readonly more: boolean;
  /** The log was gone through as far as one request goes: there may be more. */
  readonly bounded: boolean;
  readonly seen: number;
  /** What is stored is not what the last step leaves: events of other streams touch it, or it was stored by other handlers. */
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

/** What a cart would cost; money in cents. */
export interface ConsoleQuoteBody {
  readonly lines: readonly {
    readonly retailerId: string;
    readonly name: string;
    readonly quantity: number;
    readonly unitPriceCents: number;
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

/** What `suuq status` answers. */
/** Settings in force, of the instance that answers; of a secret, only that it is set. */
export interface ConsoleSettingsBody {
  readonly settings: readonly { readonly name: string; readonly value: string; readonly isSet: boolean }[];
}

export interface ConsoleStatusBody {
  readonly instances: readonly {
    readonly name: string;
    readonly version: string;
    readonly address: string;
    readonly roles: readonly string[];
    readonly startedAt: string;
    readonly uptimeSeconds: number;
  }[];
  readonly engines: readonly {
    readonly name: string;
    readonly engine: string;
    readonly ok: boolean;
    readonly detail?: string;
  }[];
  readonly projections: {
    readonly count: number;
    readonly lag: number;
    readonly behind: readonly string[];
    readonly rebuilding: readonly string[];
    readonly stopped: readonly string[];
  };
  readonly processors: {
    readonly count: number;
    readonly owed: number;
    readonly firstDueAt?: string;
    readonly late: readonly string[];
    readonly stopped: readonly string[];
  };
  readonly storage: {
    readonly bytes: number;
    readonly items: number;
    readonly disks: readonly { readonly name: string; readonly free?: number; readonly total?: number }[];
  };
}

/** What an event led to. */
export interface ConsoleEffectsBody {
  /** What led to the event, the first of all first; each was caused by the one before. */
  readonly causes: readonly ConsoleEventBody[];
  readonly events: readonly ConsoleEventBody[];
  readonly webhooks: readonly ConsoleWebhookBody[];
  readonly bounded: boolean;
}

/** Areas with their streams' categories and types of events, for filters. */
export interface ConsoleAreaBody {
  readonly area: string;
  readonly categories: readonly string[];
  readonly types: readonly { readonly type: string; readonly causedBy: string }[];
}

export interface ConsolePoisonBody {
  readonly eventId?: string;
  readonly type?: string;
  readonly stream?: string;
  readonly position: number;
  readonly error: string;
}

export interface ConsoleProjectionBody {
  readonly name: string;
  readonly version: number;
  readonly state: string;
  readonly position: number;
  readonly head: number;
  readonly lag: number;
  readonly eventsPerSecond: number;
  readonly etaMs?: number;
  readonly owner?: string;
  readonly skipped?: number;
  readonly poison?: ConsolePoisonBody;
  readonly handlersChanged?: true;
}

export interface ConsoleProcessorBody {
  readonly name: string;
  readonly state: 'running' | 'stopped';
  readonly position: number;
  readonly head: number;
  readonly owed: number;
  readonly skipped: number;
  readonly stop?: ConsolePoisonBody;
}

export interface ConsoleMachineBody {
  readonly projections: readonly ConsoleProjectionBody[];
  readonly processors: readonly ConsoleProcessorBody[];
}

export interface ConsoleListedSessionBody {
  readonly id: string;
  readonly role: ConsoleRoleName;
  readonly workspaceId?: string;
  readonly openedAt: string;
  readonly expiresAt: string;
  readonly browser?: string;
  /** It is the one that asks. */
  readonly current: boolean;
}

/** What passed while a browser did not follow, and is told in one sentence. */
export interface ConsoleMissedBody {
  readonly count: number;
  /** More passed than was counted. */
  readonly atLeast: boolean;
  /** When the first of them happened, and a moment after the last; absent where that is not known. */
  readonly from?: string;
  readonly to?: string;
}

/** Of the live tail, one message: `data` of the server-sent event, whose id is the place to go on from. */
export interface ConsoleLiveBody {
  readonly events: readonly ConsoleEventBody[];
  /** Events that were left out, since there were too many at once or the tab was slow. */
  readonly left: number;
  /** To a browser that comes again: what passed meanwhile beside these. */
  readonly missed?: ConsoleMissedBody;
}

/** A request that came with a key, as the process that took it remembers it. */
export interface ConsoleRequestBody {
  /** Counted from 1 by each process. */
  readonly number: number;
  /** When it was answered. */
  readonly at: string;
  readonly key: { readonly id: string; readonly name: string };
  /** Of a session in a store. */
  readonly member?: string;
  /** The store that it reached, or that its key belongs to. */
  readonly workspaceId?: string;
  readonly operation: string;
  readonly status: number;
  readonly code?: string;
  readonly ms: number;
  readonly requestId: string;
  /** How many events it appended: those with its id as their correlation id. */
  readonly events: number;
}

export interface ConsoleRequestsBody {
  /** Newest first. */
  readonly requests: readonly ConsoleRequestBody[];
  /** `before` of the next page. */
  readonly next?: number;
  /** From where the tail goes on. */
  readonly since: string;
}

/** Of the tail of requests, one message. */
export interface ConsoleLiveRequestsBody {
  readonly requests: readonly ConsoleRequestBody[];
  readonly left: number;
  readonly missed?: ConsoleMissedBody;
}

/** One field of what an operator's command takes. */
export interface ConsoleCommandFieldBody {
  readonly name: string;
  /** What is typed for it on the command line, such as `--slug` or `FILE`. */
  readonly typedAs: string;
  /** How its value is written in the usage. */
  readonly value: string;
  readonly about: string;
  readonly required: boolean;
  readonly many: boolean;
  readonly choices?: readonly string[];
  /** Its value is JSON. */
  readonly json?: true;
}

/** A command of `suuq admin`, as a form needs it. */
export interface ConsoleCommandBody {
  /** Such as `partners.create`. */
  readonly name: string;
  /** As it is typed, such as `suuq admin partners create`. */
  readonly typed: string;
  readonly about: string;
  readonly changes: boolean;
  readonly fields: readonly ConsoleCommandFieldBody[];
  /** Two fields of which one is given, with `required` exactly one. */
  readonly either?: { readonly of: readonly [string, string]; readonly required: boolean };
  /** The list in its result, whose rows are those of the table that is shown. */
  readonly list?: string;
  /** The field in whose place a file is sent, and the most bytes that it may have. */
  readonly upload?: { readonly field: string; readonly mostBytes: number };
  /** It cannot be taken back: the field that says what is gone. */
  readonly final?: string;
  /** Of the result, what is shown once. */
  readonly secrets?: readonly string[];
  /** Only at the command line, since it reads or writes a file there, or goes on for long. */
  readonly machine?: true;
}

/** How a result is shown: lines, a table, a name with what is said of it, or several of these. */
export type ConsoleShown =
  | string
  | {
      readonly head: readonly string[];
      readonly rows: readonly (readonly (string | number | boolean | undefined)[])[];
      readonly none: string;
    }
  | { readonly lead: string; readonly note: string }
  | readonly ConsoleShown[];

/** What a command answered: what `--json` says, and what people read. */
export interface ConsoleCommandAnswerBody {
  readonly result: Readonly<Record<string, unknown>>;
  readonly shown: ConsoleShown;
}

/** The demo's store and its keys, of the test mode. */
export interface ConsoleDemoBody {
  readonly store: { readonly workspaceId: string; readonly externalRef: string; readonly secretKey: string };
  readonly partner: { readonly secretKey: string };
}

/** What each path below `/console/api` answers to GET. */
export interface ConsoleReads {
  '/session': ConsoleSessionBody;
  '/demo': ConsoleDemoBody;
  '/stores': { readonly stores: readonly ConsoleStoreBody[] };
  '/areas': { readonly areas: readonly ConsoleAreaBody[] };
  '/events': ConsoleEventsBody;
  '/events/{position}': ConsoleWholeEventBody;
  '/events/{position}/effects': ConsoleEffectsBody;
  '/orders/{orderId}/timeline': ConsoleTimelineBody;
  '/webhooks/{endpointId}/events/{eventId}': ConsoleDeliveryBody;
  '/moments': ConsoleMomentsBody;
  '/phone': { readonly numbers: readonly ConsoleNumberBody[] };
  '/requests': ConsoleRequestsBody;
  '/commands': { readonly commands: readonly ConsoleCommandBody[] };
  '/commands/{name}': ConsoleCommandAnswerBody;
  '/product-steps': ConsoleDocumentStepsBody;
  '/quote': ConsoleQuoteBody;
  '/status': ConsoleStatusBody;
  '/settings': ConsoleSettingsBody;
  '/machine': ConsoleMachineBody;
  '/projections/{name}/documents': ConsoleDocumentsBody;
  '/projections/{name}/steps': ConsoleDocumentStepsBody;
  '/sessions': { readonly sessions: readonly ConsoleListedSessionBody[] };
}

/** What each path takes by POST; the answer is 204. */
export interface ConsoleChanges {
  '/enter': { readonly link: string };
  '/sign-out': Record<string, never>;
  '/sessions/{id}/end': Record<string, never>;
  '/projections/{name}/rebuild': Record<string, never>;
  '/projections/{name}/skip': { readonly event: string; readonly reason: string };
  '/processors/{name}/skip': { readonly event: string; readonly reason: string };
}

/** What each path takes by POST and answers; with an Idempotency-Key, once. */
export interface ConsoleActs {
  /** Fields as they are typed. */
  '/commands/{name}': {
    readonly body: Readonly<Record<string, string | readonly string[]>>;
    readonly answer: ConsoleCommandAnswerBody;
  };
  /** The file's bytes; the other fields are in the query, as they are typed. */
  '/commands/{name}/file': { readonly body: Blob; readonly answer: ConsoleCommandAnswerBody };
}
