/** A link into the console and the session that it opens. Stream `consoleSession-{sessionId}`. */
import { type Aggregate, type Decision, never, refuse } from '../decider.js';
import { defined } from '../defined.js';
import type { ConsoleEndReason, ConsoleReadEvent, ConsoleSessionEvent, ConsoleTerms } from './consoleEvents.js';

// Events: ConsoleSessionEvent in consoleEvents.ts ------------------------------------------------------------------

// State ------------------------------------------------------------------------------------------------------------
type LinkMade = Extract<ConsoleSessionEvent, { type: 'ConsoleLinkMade' }>['data'];

export type ConsoleSession =
  | { readonly status: 'absent' }
  | { readonly status: 'waiting'; readonly link: LinkMade }
  | { readonly status: 'open'; readonly terms: ConsoleTerms }
  | { readonly status: 'ended' };

function evolve(_: ConsoleSession, event: ConsoleSessionEvent): ConsoleSession {
  switch (event.type) {
    case 'ConsoleLinkMade':
      return { status: 'waiting', link: event.data };
    case 'ConsoleSessionOpened': {
      const { role, workspaceId } = event.data;
      return { status: 'open', terms: { role, ...defined({ workspaceId }) } };
    }
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

/** What somebody looked at: nothing is decided by it. */
export const consoleReads: Aggregate<null, ConsoleReadEvent> = {
  name: 'consoleReads',
  initial: () => null,
  evolve: () => null,
};

// Decisions --------------------------------------------------------------------------------------------------------
type Decide = Decision<ConsoleSession, ConsoleSessionEvent>;

/** Making the same link again changes nothing. */
export const makeConsoleLink =
  (link: LinkMade): Decide =>
  ({ status }) =>
    status === 'absent' ? [{ type: 'ConsoleLinkMade', data: link }] : [];

export interface OpenConsoleSession {
  /** Of what was shown. */
  readonly linkHash: string;
  readonly tokenHash: string;
  readonly browser?: string;
  /** RFC 3339, UTC. */
  readonly now: string;
}

/** Once, and in time. Refuses `console_link_unknown`, `console_link_used` and `console_link_expired`. */
export const openConsoleSession =
  ({ linkHash, tokenHash, browser, now }: OpenConsoleSession): Decide =>
  (session) => {
    if (session.status === 'absent') return refuse('console_link_unknown', 'There is no such link: make a new one.');
    if (session.status !== 'waiting') return refuse('console_link_used', 'The link has been used: make a new one.');
    const { role, workspaceId, linkUntil, sessionUntil, linkHash: made } = session.link;
    if (made !== linkHash) return refuse('console_link_unknown', 'There is no such link: make a new one.');
    if (now >= linkUntil) return refuse('console_link_expired', 'The link is too old: make a new one.');
    const terms = { role, ...defined({ workspaceId }) };
    return [
      { type: 'ConsoleSessionOpened', data: { ...terms, tokenHash, expiresAt: sessionUntil, ...defined({ browser }) } },
    ];
  };

/** For good. Ending again changes nothing; a link that nobody has followed opens nothing any more. */
export const endConsoleSession =
  (reason: ConsoleEndReason): Decide =>
  ({ status }) =>
    status === 'open' || status === 'waiting' ? [{ type: 'ConsoleSessionEnded', data: { reason } }] : [];

export const noteConsoleRead =
  (read: ConsoleReadEvent['data']): Decision<null, ConsoleReadEvent> =>
  () => [{ type: 'ConsoleRead', data: read }];
