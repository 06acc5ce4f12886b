import { dayOf, freshToken } from '../../../application/access/signIn.js';
import { seeMember } from '../../../domain/access/memberJoining.js';
import { members } from '../../../domain/access/members.js';
import { refreshSession, session } from '../../../domain/access/session.js';
import { operation } from '../../contract/operation.js';
import { reachedStores, sessionEnded } from '../../http/sessionAccess.js';
import { sessionBodies } from './bodies.js';
import { SDKSessionBody } from './schemas.js';

/** How long the token that was shown stays good, in ms: requests that are on their way with it. */
const OVERLAP_MS = 60_000;

/**
 * The token that was shown can be refreshed again until its successor has been: an answer that is lost locks nobody out.
 * Members are seen once a day. (Specification 1, 'SDK session creation'; 2, 'Member', `lastActiveAt`.)
 */
export const refreshSDKSession = operation({
  id: 'refreshSDKSession',
  route: 'POST {S}/refresh',
  summary: 'Issues a new token for the session. Its last token is accepted even after it has expired.',
  tag: 'SDK sessions',
  scope: null,
  feature: null,
  credential: 'session',
  answers: { 200: SDKSessionBody },
  async handle({ principal, commands, now, services }) {
    const { session: access, mode, workspaceId } = principal;
    if (access === undefined) throw sessionEnded();
    const reached = await reachedStores(principal, services.directory);
    if (reached.length === 0) throw sessionEnded();
    const { sessionId, userId, name, refreshUntil, leftOut } = access;
    const { token, tokenHash, expiresAt } = freshToken(sessionId, now, refreshUntil);
    const fromUntil = new Date(now + OVERLAP_MS).toISOString();
    const command = { from: access.tokenHash, fromUntil, now: new Date(now).toISOString(), tokenHash, expiresAt };
    await commands.decide(session, sessionId, refreshSession(command));
    const today = dayOf(now);
    for (const { workspace, member } of reached)
      if (member.seenOn === undefined || member.seenOn < today)
        await commands.decide(members, workspace.workspaceId, seeMember(member.memberId, today));
    const stores = reached.map(({ workspace, member }) => ({
      externalRef: workspace.externalRef ?? '',
      memberId: member.memberId,
      name: workspace.name,
      role: member.role,
      workspaceId: workspace.workspaceId,
    }));
    const owner =
      workspaceId === undefined
        ? { stores, leftOut }
        : { member: { workspaceId, memberId: reached[0]!.member.memberId } };
    const until = new Date(refreshUntil).toISOString();
    const { body } = sessionBodies({ token, sessionId, userId, mode, expiresAt, refreshUntil: until, name, ...owner });
    return { status: 200, body };
  },
});
