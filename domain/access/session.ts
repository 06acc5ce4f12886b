/** A user's way into the stores of its user token. Stream `session-{sessionId}`. */
import { type Aggregate, type Decision, never, refuse } from '../decider.js';
import type { SessionEndReason, SessionEvent, SessionTerms, SessionToken } from './sessionEvents.js';

// Events: SessionEvent in sessionEvents.ts -------------------------------------------------------------------------

// State ------------------------------------------------------------------------------------------------------------
/** `from`: hash of the token that it was refreshed from. */
export type KnownToken = SessionToken & { readonly from?: string };

export type Session =
  | { readonly status: 'absent' | 'ended' }
  | {
      readonly status: 'open';
      readonly refreshUntil: string;
      readonly tokens: readonly KnownToken[];
      readonly workspaceIds: readonly string[];
    };

/** Tokens of one session that may be refreshed: each tab that refreshes by itself has two. */
export const MAX_TOKENS = 12;

/** The tokens after a refresh: also what the read model keeps. */
export function refreshedTokens(
  tokens: readonly KnownToken[],
  { tokenHash, expiresAt, from, fromUntil, forgotten }: Extract<SessionEvent, { type: 'SessionRefreshed' }>['data'],
): readonly KnownToken[] {
  const kept = tokens
    .filter((token) => !forgotten.includes(token.tokenHash))
    .map((token) => (token.tokenHash === from ? { ...token, expiresAt: fromUntil } : token));
  return [...kept, { tokenHash, expiresAt, from }];
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

/** Opening a session that exists changes nothing. */
export const openSession =
  (command: SessionTerms & SessionToken): Decide =>
  ({ status }) =>
    status === 'absent' ? [{ type: 'SessionOpened', data: command }] : [];

export interface RefreshSession extends SessionToken {
  /** Hash of the token that was shown. */
  readonly from: string;
  /** The longest that token stays good, RFC 3339. */
  readonly fromUntil: string;
  /** RFC 3339, UTC. */
  readonly now: string;
}

const over = (): never => refuse('session_ended', 'The session has ended: exchange a new user token.');

/**
 * A new token. The one that was shown can be refreshed again until its successor has been: an answer that is lost locks nobody
 * out, and tabs that refresh at once do not shut each other out. Refuses `session_ended`.
 */
export const refreshSession =
  ({ from, fromUntil, now, tokenHash, expiresAt }: RefreshSession): Decide =>
  (state) => {
    if (state.status !== 'open' || now >= state.refreshUntil) return over();
    const shown = state.tokens.find((token) => token.tokenHash === from) ?? over();
    const parents = state.tokens.filter((token) => token.tokenHash === shown.from);
    const kept = state.tokens.filter((token) => token !== shown && !parents.includes(token));
    const surplus = kept.slice(0, Math.max(0, kept.length + 2 - MAX_TOKENS));
    const forgotten = [...parents, ...surplus].map((token) => token.tokenHash);
    const until = shown.expiresAt < fromUntil ? shown.expiresAt : fromUntil;
    return [{ type: 'SessionRefreshed', data: { tokenHash, expiresAt, from, fromUntil: until, forgotten } }];
  };

/** For good: who opens a new session comes in again. Ending again changes nothing. */
export const endSession =
  (reason: SessionEndReason): Decide =>
  (state) =>
    state.status === 'open' ? [{ type: 'SessionEnded', data: { reason, left: state.workspaceIds } }] : [];

/** For good; a session that is left with no store ends. (Specification 2, 'Partner API', rule 3.) */
export const leaveStore =
  (workspaceId: string, reason: SessionEndReason): Decide =>
  (state) => {
    if (state.status !== 'open' || !state.workspaceIds.includes(workspaceId)) return [];
    if (state.workspaceIds.length === 1) return endSession(reason)(state);
    return [{ type: 'SessionLeftStore', data: { workspaceId, reason } }];
  };
