/**
 * Types of the console's own operations, shared by the server and the pages in `console/`. It imports nothing outside
 * of this folder, so that the pages depend only on these types and the API's document. Times are in RFC 3339.
 */
import type { ConsoleCommandAnswerBody, ConsoleCommandBody } from './contract/commands.js';
import type {
  ConsoleDocumentStepsBody,
  ConsoleDocumentsBody,
  ConsoleMomentsBody,
  ConsoleQuoteBody,
} from './contract/documents.js';
import type {
  ConsoleAreaBody,
  ConsoleDeliveryBody,
  ConsoleEffectsBody,
  ConsoleEventsBody,
  ConsoleTimelineBody,
  ConsoleWholeEventBody,
} from './contract/events.js';
import type {
  ConsoleMachineBody,
  ConsoleSettingsBody,
  ConsoleStatusBody,
  ConsoleTaskBody,
} from './contract/machine.js';
import type { ConsoleRequestsBody } from './contract/requests.js';

export type * from './contract/commands.js';
export type * from './contract/documents.js';
export type * from './contract/events.js';
export type * from './contract/machine.js';
export type * from './contract/requests.js';

export type ConsoleRoleName = 'operator' | 'auditor' | 'store' | 'member';

/** The signed-in person, and the token that every change must carry (`X-CSRF-Token`). */
export interface ConsoleSessionBody {
  readonly sessionId: string;
  readonly role: ConsoleRoleName;
  /** Present for the roles `store` and `member`. */
  readonly workspaceId?: string;
  /** Present for the role `member`. */
  readonly member?: ConsoleMemberBody;
  readonly expiresAt: string;
  readonly csrf: string;
  readonly version: string;
  /** The channel is the sandbox, and this person may be a customer there. */
  readonly phone?: true;
}

/** The signed-in member of a store. */
export interface ConsoleMemberBody {
  readonly memberId: string;
  readonly name: string;
  readonly role: 'owner' | 'admin' | 'supervisor' | 'agent' | 'viewer';
  /** The scopes of the role. */
  readonly scopes: readonly string[];
  readonly teamIds: readonly string[];
  /** A store that is suspended or cancelled is read-only. */
  readonly storeStatus: string;
}

/** A message of the tail of a session, at its begin and whenever it is another. */
export interface ConsoleLiveSessionBody {
  readonly session: ConsoleSessionBody;
  readonly left: number;
  readonly missed?: undefined;
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

export interface ConsoleListedSessionBody {
  readonly id: string;
  readonly role: ConsoleRoleName;
  readonly workspaceId?: string;
  readonly memberId?: string;
  readonly openedAt: string;
  readonly expiresAt: string;
  readonly browser?: string;
  /** True for the session of this request. */
  readonly current: boolean;
}

/** The demo's store and its keys, of the test mode. */
export interface ConsoleDemoBody {
  readonly store: { readonly workspaceId: string; readonly externalRef: string; readonly secretKey: string };
  readonly partner: { readonly secretKey: string };
}

/** Answers to GET, by the path below `/console/api`. */
export interface ConsoleReads {
  '/session': ConsoleSessionBody;
  '/demo': ConsoleDemoBody;
  /** The newest first; `next`: `after` of the next page, where there is one. */
  '/stores': { readonly stores: readonly ConsoleStoreBody[]; readonly next?: string };
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
  /** Those that are due first. */
  '/processors/{name}/tasks': { readonly tasks: readonly ConsoleTaskBody[] };
  '/projections/{name}/documents': ConsoleDocumentsBody;
  '/projections/{name}/steps': ConsoleDocumentStepsBody;
  '/sessions': { readonly sessions: readonly ConsoleListedSessionBody[] };
}

/** Bodies of POST, by path. The answer is 204. */
export interface ConsoleChanges {
  '/enter': { readonly link: string };
  '/sign-out': Record<string, never>;
  '/sessions/{id}/end': Record<string, never>;
  '/projections/{name}/rebuild': Record<string, never>;
  '/projections/{name}/skip': { readonly event: string; readonly reason: string };
  '/processors/{name}/skip': { readonly event: string; readonly reason: string };
}

/** Bodies and answers of POST, by path. An Idempotency-Key makes each run once. */
export interface ConsoleActs {
  /** Fields as they are typed. */
  '/commands/{name}': {
    readonly body: Readonly<Record<string, string | readonly string[]>>;
    readonly answer: ConsoleCommandAnswerBody;
  };
  /** `since` retries all failed tasks noted since that time; `task` retries one. */
  '/processors/{name}/retry': {
    readonly body: { readonly task?: string; readonly since?: string };
    readonly answer: { readonly tasks: number; readonly event?: string };
  };
  /** The file's bytes; the other fields are in the query, as they are typed. */
  '/commands/{name}/file': { readonly body: Blob; readonly answer: ConsoleCommandAnswerBody };
}
