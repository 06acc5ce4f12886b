/** Events as the console shows them, and what they led to. */

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
  /** Start of the event's data as JSON, at most 160 characters. */
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
  /** End of the log when the newest page was read. The tail continues from there. */
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
  /** The body of the webhook, rendered from the event; absent when it can no longer be rendered. */
  readonly body?: string;
}

/** The causes and the effects of an event. */
export interface ConsoleEffectsBody {
  /** The chain of causes, the first cause first. */
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

/** Events that a browser missed while it was not connected, summarised in one sentence. */
export interface ConsoleMissedBody {
  readonly count: number;
  /** More passed than was counted. */
  readonly atLeast: boolean;
  /** When the first of them happened, and a moment after the last; absent where that is not known. */
  readonly from?: string;
  readonly to?: string;
}

/** One message of the live tail: `data` of the server-sent event. The event's id is the position to continue from. */
export interface ConsoleLiveBody {
  readonly events: readonly ConsoleEventBody[];
  /** Events that were left out, since there were too many at once or the tab was slow. */
  readonly left: number;
  /** Events that a reconnecting browser missed, apart from `events`. */
  readonly missed?: ConsoleMissedBody;
}
