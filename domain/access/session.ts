/** A user's access to the stores of its user token. Stream `session-{sessionId}`. */
import { type Aggregate, type Decision, never, refuse } from '../decider.js';
import type { SessionEndReason, SessionEvent, SessionTerms, SessionToken } from './sessionEvents.js';

// Events: SessionEvent in sessionEvents.ts -------------------------------------------------------------------------

// State ------------------------------------------------------------------------------------------------------------
/** `from`: hash of the token that was exchanged for this one. */
export type KnownToken = SessionToken & { readonly from?: string };

export type Session =
  | { readonly status: 'absent' | 'ended' }
  | {
      readonly status: 'open';
      readonly refreshUntil: string;
      readonly tokens: readonly KnownToken[];
      readonly workspaceIds: readonly string[];
    };

/** Maximum tokens of one session that can be refreshed. Each tab that refreshes by itself has two. */
export const MAX_TOKENS = 12;

/** Returns the tokens after a refresh. The read model uses it too. */
export function refreshedTokens(
  tokens: readonly KnownToken[],
  { tokenHash, expiresAt, from, fromUntil, forgotten }: Extract<SessionEvent, { type: 'SessionRefreshed' }>['data'],
): readonly KnownToken[] {
  const retained = tokens
    .filter((token) => !forgotten.includes(token.tokenHash))
    .map((token) => (token.tokenHash === from ? { ...token, expiresAt: fromUntil } : token));
  return [...retained, { tokenHash, expiresAt, from }];
}

function evolve(session: Session, event: SessionEvent): Session {
  if (event.type === 'SessionOpened') {
    const { refreshUntil, tokenHash, expiresAt, stores } = event.data;
    const workspaceIds = stores.map(({ workspaceId }) => workspaceId);
    return { status: 'open', refreshUntil, tokens: [{ tokenHash, expiresAt }], workspaceIds };
  }
  if (session.status !== 'open') return session;
  switch (event.type) {
    case 'SessionRefreshed':
      return { ...session, tokens: refreshedTokens(session.tokens, event.data) };
    case 'SessionLeftStore':
      return { ...session, workspaceIds: session.workspaceIds.filter((id) => id !== event.data.workspaceId) };
    case 'SessionEnded':
      return { status: 'ended' };
    default:
      return never(event);
  }
}

export const session: Aggregate<Session, SessionEvent> = {
  name: 'session',
  initial: () => ({ status: 'absent' }),
  evolve,
};

// Decisions --------------------------------------------------------------------------------------------------------
type Decide = Decision<Session, SessionEvent>;

/** Opens the session. Opening a session that exists changes nothing. */
export const openSession =
  (command: SessionTerms & SessionToken): Decide =>
  ({ status }) =>
    status === 'absent' ? [{ type: 'SessionOpened', data: command }] : [];

export interface RefreshSession extends SessionToken {
  /** Hash of the token to refresh. */
  readonly from: string;
  /** Latest expiry of that token, RFC 3339. */
  readonly fromUntil: string;
  /** RFC 3339, UTC. */
  readonly now: string;
}

const over = (): never => refuse('session_ended', 'The session has ended. Exchange a new user token.');

/**
 * Issues a new token. The old token can be refreshed until its successor has been refreshed: a lost response locks nobody out, and tabs
 * that refresh at the same time do not lock each other out. Refuses `session_ended`.
 */
export const refreshSession =
  ({ from, fromUntil, now, tokenHash, expiresAt }: RefreshSession): Decide =>
  (state) => {
    if (state.status !== 'open' || now >= state.refreshUntil) return over();
    const shown = state.tokens.find((token) => token.tokenHash === from) ?? over();
    const parents = state.tokens.filter((token) => token.tokenHash === shown.from);
    const retained = state.tokens.filter((token) => token !== shown && !parents.includes(token));
    const surplus = retained.slice(0, Math.max(0, retained.length + 2 - MAX_TOKENS));
    const forgotten = [...parents, ...surplus].map((token) => token.tokenHash);
    const until = shown.expiresAt < fromUntil ? shown.expiresAt : fromUntil;
    return [{ type: 'SessionRefreshed', data: { tokenHash, expiresAt, from, fromUntil: until, forgotten } }];
  };

/** Ends the session for good. Ending an ended session changes nothing. */
export const endSession =
  (reason: SessionEndReason): Decide =>
  (state) =>
    state.status === 'open' ? [{ type: 'SessionEnded', data: { reason, left: state.workspaceIds } }] : [];

/** Removes the store from the session for good. A session without stores ends. (Specification 2, 'Partner API', rule 3.) */
export const leaveStore =
  (workspaceId: string, reason: SessionEndReason): Decide =>
  (state) => {
    if (state.status !== 'open' || !state.workspaceIds.includes(workspaceId)) return [];
    if (state.workspaceIds.length === 1) return endSession(reason)(state);
    return [{ type: 'SessionLeftStore', data: { workspaceId, reason } }];
  };
