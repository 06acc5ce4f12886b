/** Access to the console: links that work once, and the sessions that they open. */
import { randomBytes, randomUUID } from 'node:crypto';
import { joinByLink, seeMember } from '../../domain/access/memberJoining.js';
import { members } from '../../domain/access/members.js';
import type { ConsoleEndReason, ConsoleTerms } from '../../domain/console/consoleEvents.js';
import {
  type ConsoleSession,
  consoleSession,
  endConsoleSession,
  makeConsoleLink,
  openConsoleSession,
} from '../../domain/console/consoleSession.js';
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import type { BoundCommands } from '../../engine/commandHandler/boundCommands.js';
import type { Reads } from '../../engine/projections/reads.js';
import { type ConsoleSessionDocument, consoleSessions } from '../../projections/consoleSessions.js';
import { hashOf } from '../access/keys.js';
import { seatsOf } from '../access/members.js';
import type { CurrentMember, Principal } from '../access/principal.js';

/** Lifetime of an unused link, in ms. */
const LINK_MS = 10 * 60_000;
/** Lifetime of a session of an operator or an auditor, in ms. */
export const SESSION_MS = 12 * 3_600_000;
const LONGEST_BROWSER = 200;

/** A secret that includes its session id: `{32 hex digits}.{43 characters}`. */
const TOKEN = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})\.[A-Za-z0-9_-]{43}$/;

const makeToken = (sessionId: string): string =>
  `${sessionId.replaceAll('-', '')}.${randomBytes(32).toString('base64url')}`;

/** Returns the session id in a token, or undefined if the text is not a token. */
function sessionIdOf(token: string): string | undefined {
  const found = TOKEN.exec(token);
  return found === null ? undefined : found.slice(1).join('-');
}

export interface ConsoleLink {
  /** Secret in the link, shown once. */
  readonly token: string;
  readonly sessionId: string;
  /** Expiry, ms since 1970. */
  readonly until: number;
}

/** Puts the secret after the #, which browsers do not send, so that it is in no log. */
export const enterUrl = (consoleUrl: string, token: string): string => `${consoleUrl}/enter#${token}`;

/** Creates a link for one person. `lastsMs`: lifetime of the session, counted from now, even if the link is followed late. */
export async function makeLink(
  commands: BoundCommands,
  terms: ConsoleTerms,
  { now, lastsMs = SESSION_MS }: { readonly now: number; readonly lastsMs?: number },
): Promise<ConsoleLink> {
  const sessionId = randomUUID();
  const token = makeToken(sessionId);
  const until = now + Math.min(LINK_MS, lastsMs);
  const link = {
    ...terms,
    linkHash: hashOf(token),
    linkUntil: new Date(until).toISOString(),
    sessionUntil: new Date(now + lastsMs).toISOString(),
  };
  await commands.decide(consoleSession, sessionId, makeConsoleLink(link));
  return { token, sessionId, until };
}

/** Returns the terms of a link that nobody has followed and that has not expired. */
const termsOf =
  (linkHash: string, now: number) =>
  (state: ConsoleSession): ConsoleTerms | undefined =>
    state.status === 'waiting' && state.link.linkHash === linkHash && Date.parse(state.link.linkUntil) > now
      ? state.link
      : undefined;

/**
 * Signs in the member that a link is for, before the link is used up: an invited member becomes active. Refuses
 * `member_disabled` and `no_free_seat`.
 */
export async function joinMember(
  { reads, commands }: { readonly reads: Reads; readonly commands: BoundCommands },
  link: string,
  now: number,
): Promise<void> {
  const sessionId = sessionIdOf(link);
  const terms = sessionId && (await commands.query(consoleSession, sessionId, termsOf(hashOf(link), now)));
  if (!terms || terms.workspaceId === undefined || terms.memberId === undefined) return;
  const { workspaceId, memberId } = terms;
  const seats = await seatsOf(reads, workspaceId);
  await commands.decide(members, workspaceId, joinByLink(memberId, seats));
  await commands.decide(members, workspaceId, seeMember(memberId, new Date(now).toISOString().slice(0, 10)));
}

/** Exchanges a link's secret for a session's token. Refuses `console_link_unknown`, `console_link_used`, `console_link_expired`. */
export async function openSession(
  commands: BoundCommands,
  link: string,
  { now, browser }: { readonly now: number; readonly browser?: string | undefined },
): Promise<{ readonly token: string; readonly sessionId: string; readonly expiresAt: string }> {
  const sessionId = sessionIdOf(link) ?? refuse('console_link_unknown', 'The link does not exist. Create a new one.');
  const token = makeToken(sessionId);
  const { events } = await commands.decide(
    consoleSession,
    sessionId,
    openConsoleSession({
      linkHash: hashOf(link),
      tokenHash: hashOf(token),
      now: new Date(now).toISOString(),
      ...defined({ browser: browser?.slice(0, LONGEST_BROWSER) }),
    }),
  );
  const opened = events.find((event) => event.type === 'ConsoleSessionOpened')!;
  return { token, sessionId, expiresAt: opened.data.expiresAt };
}

/** An active session. */
export interface Viewer extends ConsoleTerms {
  readonly sessionId: string;
  readonly expiresAt: string;
  /** Token that changes need besides the cookie. Pages of other sites cannot know it. */
  readonly csrf: string;
  /** Present for the role `member`: the member as it is now. */
  readonly member?: CurrentMember;
  /** Present for an SDK session, in a partner's frame. It may open several stores. */
  readonly principal?: Principal;
}

const openedSession = (state: ConsoleSession) => (state.status === 'open' ? state.session : undefined);

/** Returns the session of a token. Undefined: unknown, ended or expired. */
export async function viewerOf(
  { commands }: { readonly commands: Pick<BoundCommands, 'query'> },
  token: string,
  now: number,
): Promise<Viewer | undefined> {
  const sessionId = sessionIdOf(token);
  if (sessionId === undefined) return undefined;
  // Not from the read model, which may be late: a session that has ended opens nothing any more.
  const found = await commands.query(consoleSession, sessionId, openedSession);
  if (found === undefined) return undefined;
  const { tokenHash, expiresAt, role, workspaceId, memberId } = found;
  if (tokenHash !== hashOf(token) || Date.parse(expiresAt) <= now) return undefined;
  return { sessionId, expiresAt, role, ...defined({ workspaceId, memberId }), csrf: hashOf(`csrf ${token}`) };
}

export interface ListedSession extends Omit<ConsoleSessionDocument, 'tokenHash'> {
  readonly id: string;
}

const MOST_LISTED = 200;

/** Returns active sessions, the one with the latest expiry first, at most 200. */
export async function openSessions(reads: Reads, now: number): Promise<readonly ListedSession[]> {
  const rows = await reads.find(consoleSessions, {
    where: { expiresAt: { gt: new Date(now).toISOString() } },
    sort: ['-expiresAt'],
    limit: MOST_LISTED,
  });
  return rows.map(({ id, body: { tokenHash: _, ...body } }) => ({ id, ...body }));
}

export const endSession = (commands: BoundCommands, sessionId: string, reason: ConsoleEndReason) =>
  commands.decide(consoleSession, sessionId, endConsoleSession(reason));
