/** From a request to who looks: host and origin, cookie, CSRF token, role; and what an auditor reads is noted. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Principal } from '../../application/access/principal.js';
import { type Viewer, viewerOf } from '../../application/console/access.js';
import { PARTNER_SCOPES, WORKSPACE_SCOPES } from '../../domain/access/scopes.js';
import type { ConsoleRole } from '../../domain/console/consoleEvents.js';
import { consoleReads, noteConsoleRead } from '../../domain/console/consoleSession.js';
import type { Actor } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { derivedId } from '../../domain/ids.js';
import { type BoundCommands, bindCommands } from '../../engine/commandHandler/boundCommands.js';
import type { ForeignRequest } from '../../infrastructure/http/ownHosts.js';
import { Refusal } from '../contract/problems.js';
import type { Services } from '../contract/services.js';
import { challenge, checkSession, reachedStores, sessionEnded } from '../http/sessionAccess.js';
import { checkCsrf, signedOut, tokenOf } from './cookies.js';
import { type MemberAccessTo, notFound, onlyStoreOf, WHOLE_STORE } from './request.js';

/** Longest path that is noted, in characters. */
const LONGEST_PATH = 500;
const SCOPES: ReadonlySet<string> = new Set(WORKSPACE_SCOPES);
const OF_PARTNERS: ReadonlySet<string> = new Set(PARTNER_SCOPES);

export interface Viewing {
  /** Refuses a request for another host, or from a page of another site. */
  checkForeign(request: IncomingMessage): void;
  /** Returns the signed-in person. Refuses `console_signed_out`. */
  viewer(request: IncomingMessage): Promise<Viewer>;
  /**
   * Refuses who has none of the roles, a member without the scope, and a change without its token. `forMembers`: see
   * `Declared.members`.
   */
  check(
    request: IncomingMessage,
    viewer: Viewer,
    roles: readonly ConsoleRole[] | undefined,
    forMembers?: MemberAccessTo,
  ): void;
  /** Records what an auditor reads, before the answer is sent. */
  note(request: IncomingMessage, viewer: Viewer, operation: string): Promise<void>;
  commands(viewer: Viewer, reached?: (position: number, category: string) => void): BoundCommands;
}

/** Requests of a partner's frame, which bear the token of an SDK session. */
const framed = new WeakSet<IncomingMessage>();

/** Marks a request of a frame: a cookie does not count there. */
export const markFramed = (request: IncomingMessage): void => void framed.add(request);

const STORE_HEADER = 'x-suuq-store';

/** Returns the session's token of a frame. Refuses `unauthenticated`. */
function bearerOf({ headers }: IncomingMessage): string {
  const [, token] = /^Bearer (sdk_\S{1,200})$/.exec(headers.authorization ?? '') ?? [];
  return token ?? refused('A session token (sdk_…) is required.');
}

const refused = (why: string): never => {
  throw new Refusal('unauthenticated', why, challenge());
};

/** The SDK session of a request, as the member of the store that the frame shows. Refuses `session_expired` and `session_ended`. */
async function framedViewer(
  request: IncomingMessage,
  { directory, clock }: Pick<Services, 'directory' | 'clock'>,
): Promise<Viewer> {
  const principal = (await directory.principal(bearerOf(request))) ?? refused('The session token is unknown or ended.');
  const { session } = principal;
  if (session === undefined) return refused('A session token (sdk_…) is required.');
  checkSession(principal, clock.now(), false);
  const requested = String(request.headers[STORE_HEADER] ?? '').toLowerCase();
  const open = await reachedStores(principal, directory);
  if (open.length === 0) throw sessionEnded();
  const { workspace, member } =
    open.find((one) => one.workspace.workspaceId === requested) ?? (requested === '' ? open[0]! : notFound('store'));
  const scopes = new Set([...member.scopes].filter((scope) => principal.scopes.has(scope)));
  return {
    ...{ sessionId: session.sessionId, role: 'member', csrf: '', expiresAt: new Date(session.expiresAt).toISOString() },
    ...{ workspaceId: workspace.workspaceId, memberId: member.memberId, member: { ...member, scopes }, principal },
  };
}

const actorOf = ({ role, sessionId, memberId }: Viewer): Actor =>
  role === 'member' && memberId !== undefined
    ? { type: 'member', id: memberId }
    : { type: 'system', id: role === 'operator' ? 'operator' : `console-${role}-${sessionId.slice(0, 8)}` };

export function viewing(
  { clock, commandHandler, directory }: Pick<Services, 'clock' | 'commandHandler' | 'directory'>,
  foreign: (request: IncomingMessage) => ForeignRequest | undefined,
): Viewing {
  const commands: Viewing['commands'] = (viewer, reached) => {
    const correlationId = randomUUID();
    let turn = 0;
    const context = () => ({
      commandId: derivedId(correlationId, turn++),
      correlationId,
      actor: actorOf(viewer),
      ...defined({ workspaceId: viewer.workspaceId }),
    });
    return bindCommands(commandHandler, context, reached);
  };
  return {
    checkForeign(request) {
      const found = foreign(request);
      if (found !== undefined) throw new Refusal('foreign_request', found.message);
    },
    async viewer(request) {
      if (framed.has(request)) return framedViewer(request, { directory, clock });
      const token = tokenOf(request);
      const found = token === undefined ? undefined : await viewerOf({ commands: commandHandler }, token, clock.now());
      if (found === undefined) throw signedOut();
      if (found.role !== 'member') return found;
      const member = await directory.member(found.workspaceId ?? '', found.memberId ?? '');
      if (!member?.isActive) throw signedOut('You are no longer an active member of this store.');
      return { ...found, member };
    },
    check(request, viewer, roles, forMembers = WHOLE_STORE) {
      // No other page knows the token of a frame's session.
      const needsToken = viewer.principal === undefined && request.method !== 'GET' && request.method !== 'HEAD';
      if (needsToken) checkCsrf(request, viewer.csrf);
      if (roles !== undefined && !roles.includes(viewer.role))
        throw new Refusal(
          'permission_denied',
          `This requires the role ${roles.join(' or ')}; yours is ${viewer.role}.`,
        );
      const { member } = viewer;
      if (member !== undefined && forMembers !== 'every member' && !member.scopes.has(forMembers))
        throw new Refusal('permission_denied', `The role ${member.role} does not have the scope ${forMembers}.`);
    },
    async note({ url }, viewer, operation) {
      if (viewer.role !== 'auditor') return;
      const path = url!.slice(0, LONGEST_PATH);
      const read = noteConsoleRead({ operation, path, role: viewer.role });
      await commands(viewer).decide(consoleReads, viewer.sessionId, read);
    },
    commands,
  };
}

/**
 * Returns the principal for operations of the API. Members of a store always get their own store, others the requested
 * one.
 */
export function principalOf(viewer: Viewer, requested: string): Principal {
  const { sessionId, memberId, expiresAt } = viewer;
  if (viewer.principal !== undefined) return viewer.principal;
  const workspaceId = onlyStoreOf(viewer) ?? requested.toLowerCase();
  const common = { keyId: `console ${sessionId}`, mode: 'live', scopes: SCOPES, workspaceId } as const;
  if (memberId === undefined) return { ...common, kind: 'secret_key', actor: actorOf(viewer) };
  const until = Date.parse(expiresAt);
  const session = { sessionId, userId: memberId, tokenHash: '', expiresAt: until, refreshUntil: until };
  return { ...common, kind: 'session', session: { ...session, stores: [{ workspaceId, memberId }] } };
}

/** The same of a partner that an operator or an auditor looks at. */
export const partnerPrincipalOf = (viewer: Viewer, partnerId: string): Principal => ({
  kind: 'partner_key',
  keyId: `console ${viewer.sessionId}`,
  mode: 'live',
  scopes: OF_PARTNERS,
  partnerId,
  actor: actorOf(viewer),
});
