/** Types of a console operation: route, roles and answer. */

import type { Viewer } from '../../application/console/access.js';
import type { WORKSPACE_SCOPES } from '../../domain/access/scopes.js';
import type { ConsoleRole } from '../../domain/console/consoleEvents.js';
import type { BoundCommands } from '../../engine/commandHandler/boundCommands.js';
import { timeMs } from '../contract/formats.js';
import { Refusal } from '../contract/problems.js';
import type { ConsoleActs, ConsoleChanges, ConsoleReads } from './contract.js';

export interface ConsoleRequest<Body = unknown> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Body;
  readonly viewer: Viewer;
  readonly commands: BoundCommands;
  /** Determines the ids that an act makes. The same when a request is repeated with its Idempotency-Key; absent without one. */
  readonly seed?: string;
  /** ms since 1970. */
  readonly now: number;
}

/** The scope that a member needs. */
export type MemberAccessTo = (typeof WORKSPACE_SCOPES)[number] | 'every member';

/** Scope for everything of a store, whatever its team. Owners and admins have it. */
export const WHOLE_STORE: MemberAccessTo = 'console:open';

/** Returns the only store that a person sees; undefined: every store. */
export const onlyStoreOf = ({ role, workspaceId = '' }: Pick<Viewer, 'role' | 'workspaceId'>): string | undefined =>
  role === 'store' || role === 'member' ? workspaceId : undefined;

/** Returns whether the person sees a store. */
export const seesStore = (viewer: Pick<Viewer, 'role' | 'workspaceId'>, workspaceId: string | undefined): boolean =>
  (onlyStoreOf(viewer) ?? workspaceId) === workspaceId;

interface Declared {
  /** For metrics, and for what is recorded of an auditor's reading. */
  readonly id: string;
  /** Everybody who is signed in when absent. */
  readonly roles?: readonly ConsoleRole[];
  /** Access for members of a store; `WHOLE_STORE` when absent. */
  readonly members?: MemberAccessTo;
  /** Skips the audit record, for an operation that reveals nothing about a store. */
  readonly silent?: true;
}

export interface ConsoleRead extends Declared {
  readonly method: 'GET';
  readonly path: keyof ConsoleReads;
  answer(request: ConsoleRequest<undefined>): Promise<object>;
}

export interface ConsoleChange extends Declared {
  readonly method: 'POST';
  readonly path: keyof ConsoleChanges;
  answer(request: ConsoleRequest): Promise<void>;
}

/** The answer of an act. `stored` is the stored answer for repetitions, if it has to be shorter. */
export interface Acted<A = object> {
  readonly answer: A;
  readonly stored?: A;
}

/** A change that answers something, and once to an Idempotency-Key. */
export interface ConsoleAct extends Declared {
  readonly method: 'POST';
  readonly path: keyof ConsoleActs;
  readonly acts: true;
  /** Present where the body is a file: returns its maximum size in bytes. The bytes are in the body's `file`. */
  readonly file?: (request: Pick<ConsoleRequest, 'params' | 'viewer'>) => number;
  answer(request: ConsoleRequest<Readonly<Record<string, unknown>>>): Promise<Acted>;
}

export type ConsoleOperation = ConsoleRead | ConsoleChange | ConsoleAct;

/** Gives `answer` the type that the pages expect of the path. */
export const consoleRead = <P extends keyof ConsoleReads>(
  declared: Omit<ConsoleRead, 'method' | 'path' | 'answer'> & {
    readonly path: P;
    answer(request: ConsoleRequest<undefined>): Promise<ConsoleReads[P]>;
  },
): ConsoleOperation => ({ ...declared, method: 'GET' }) as ConsoleRead;

/** The body is checked by the operation. */
export const consoleChange = <P extends keyof ConsoleChanges>(
  declared: Omit<ConsoleChange, 'method' | 'path' | 'answer'> & {
    readonly path: P;
    answer(request: ConsoleRequest<Partial<ConsoleChanges[P]>>): Promise<void>;
  },
): ConsoleOperation => ({ ...declared, method: 'POST' }) as ConsoleChange;

/** The body is checked by the operation. */
export const consoleAct = <P extends keyof ConsoleActs>(
  declared: Omit<ConsoleAct, 'method' | 'acts' | 'path' | 'answer'> & {
    readonly path: P;
    answer(request: ConsoleRequest<Readonly<Record<string, unknown>>>): Promise<Acted<ConsoleActs[P]['answer']>>;
  },
): ConsoleOperation => ({ ...declared, method: 'POST', acts: true }) as ConsoleAct;

export const OPERATOR: readonly ConsoleRole[] = ['operator'];
/** Roles that see every store, and the System page. */
export const EVERYTHING: readonly ConsoleRole[] = ['operator', 'auditor'];

/** Refuses a value of the query. */
export const wrong = (name: string, must: string): never => {
  throw new Refusal('validation_failed', `${name} ${must}.`, {
    problems: [{ message: must, location: `query.${name}` }],
  });
};

/** A whole number of the query; undefined when it is not there. */
export function wholeOf(query: URLSearchParams, name: string, most = Number.MAX_SAFE_INTEGER): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  const value = Number(text);
  return /^\d{1,16}$/.test(text) && value <= most ? value : wrong(name, `must be a whole number up to ${most}`);
}

/** A time of the query, in ms since 1970. */
export function timeOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  return timeMs(text) ?? wrong(name, 'must be a time, such as 2026-03-01T09:00:00Z');
}

const LONGEST = 300;

/** Text of the query. */
export function textOf(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name)?.trim();
  if (text === undefined || text === '') return undefined;
  return text.length <= LONGEST ? text : wrong(name, `must not be longer than ${LONGEST} characters`);
}

export const notFound = (what: string): never => {
  throw new Refusal('not_found', `There is no such ${what}.`);
};
