/** A link into the console and the session that it opens. Stream `consoleSession-{sessionId}`. */
import { type Aggregate, type Decision, never, refuse } from '../decider.js';
import { defined } from '../defined.js';
import type { ConsoleEndReason, ConsoleReadEvent, ConsoleSessionEvent } from './consoleEvents.js';

// Events: ConsoleSessionEvent in consoleEvents.ts ------------------------------------------------------------------

// State ------------------------------------------------------------------------------------------------------------
type LinkMade = Extract<ConsoleSessionEvent, { type: 'ConsoleLinkMade' }>['data'];
type SessionOpened = Extract<ConsoleSessionEvent, { type: 'ConsoleSessionOpened' }>['data'];

export type ConsoleSession =
  | { readonly status: 'absent' }
  | { readonly status: 'waiting'; readonly link: LinkMade }
  | { readonly status: 'open'; readonly session: SessionOpened }
  | { readonly status: 'ended' };

function evolve(_: ConsoleSession, event: ConsoleSessionEvent): ConsoleSession {
  switch (event.type) {
    case 'ConsoleLinkMade':
      return { status: 'waiting', link: event.data };
    case 'ConsoleSessionOpened':
      return { status: 'open', session: event.data };
    case 'ConsoleSessionEnded':
      return { status: 'ended' };
    default:
      return never(event);
  }
}

export const consoleSession: Aggregate<ConsoleSession, ConsoleSessionEvent> = {
  name: 'consoleSession',
  initial: () => ({ status: 'absent' }),
  evolve,
};

/** Aggregate of recorded reads. No decision depends on its state. */
export const consoleReads: Aggregate<null, ConsoleReadEvent> = {
  name: 'consoleReads',
  initial: () => null,
  evolve: () => null,
};

// Decisions --------------------------------------------------------------------------------------------------------
type Decide = Decision<ConsoleSession, ConsoleSessionEvent>;

/** Creates the link. Repeating it changes nothing. */
export const makeConsoleLink =
  (link: LinkMade): Decide =>
  ({ status }) =>
    status === 'absent' ? [{ type: 'ConsoleLinkMade', data: link }] : [];

export interface OpenConsoleSession {
  /** Hash of the link that the caller followed. */
  readonly linkHash: string;
  readonly tokenHash: string;
  readonly browser?: string;
  /** RFC 3339, UTC. */
  readonly now: string;
}

/** Opens the session, once and before the link expires. Refuses `console_link_unknown`, `console_link_used` and `console_link_expired`. */
export const openConsoleSession =
  ({ linkHash, tokenHash, browser, now }: OpenConsoleSession): Decide =>
  (session) => {
    if (session.status === 'absent')
      return refuse('console_link_unknown', 'The link does not exist. Create a new one.');
    if (session.status !== 'waiting')
      return refuse('console_link_used', 'The link was already used. Create a new one.');
    const { role, workspaceId, memberId, linkUntil, sessionUntil, linkHash: made } = session.link;
    if (made !== linkHash) return refuse('console_link_unknown', 'The link does not exist. Create a new one.');
    if (now >= linkUntil) return refuse('console_link_expired', 'The link has expired. Create a new one.');
    const terms = { role, ...defined({ workspaceId, memberId }) };
    return [
      { type: 'ConsoleSessionOpened', data: { ...terms, tokenHash, expiresAt: sessionUntil, ...defined({ browser }) } },
    ];
  };

/** Ends the session for good, or invalidates a link that nobody has followed. Ending an ended session changes nothing. */
export const endConsoleSession =
  (reason: ConsoleEndReason): Decide =>
  ({ status }) =>
    status === 'open' || status === 'waiting' ? [{ type: 'ConsoleSessionEnded', data: { reason } }] : [];

export const noteConsoleRead =
  (read: ConsoleReadEvent['data']): Decision<null, ConsoleReadEvent> =>
  () => [{ type: 'ConsoleRead', data: read }];
