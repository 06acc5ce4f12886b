/** A session that opens while something it rests on ends. */
import { existingMember, members } from '../../domain/access/members.js';
import { endSession, leaveStore, session } from '../../domain/access/session.js';
import type { SessionStore } from '../../domain/access/sessionEvents.js';
import { refuse } from '../../domain/decider.js';
import { partner } from '../../domain/partners/partner.js';
import { isClosedStore, store } from '../../domain/stores/store.js';
import type { BoundCommands } from './boundCommands.js';

/** The same words whether the sign-in came a moment earlier or later. */
export const storeClosed = (): never => refuse('store_closed', 'The store is closed.');
const memberDisabled = (): never => refuse('member_disabled', 'The member is disabled in this store.');
const partnerSuspended = (): never => refuse('permission_denied', 'The partner account is suspended.');

type Ended = 'store_closed' | 'member_disabled';

async function endedAt(commands: BoundCommands, { workspaceId, memberId }: SessionStore): Promise<Ended | undefined> {
  if (await commands.query(store, workspaceId, isClosedStore)) return 'store_closed';
  const isDisabled = (people: Parameters<typeof existingMember>[0]): boolean =>
    existingMember(people, memberId).status === 'disabled';
  return (await commands.query(members, workspaceId, isDisabled)) ? 'member_disabled' : undefined;
}

/**
 * Called once the session is stored: whatever ended before now may have looked for its sessions before this one was there, and
 * would revive it when it comes back; whatever ends later finds it. Answers the stores that are left. Refuses, with the session
 * ended, `store_closed`, `member_disabled` and `permission_denied` when it is left with none.
 */
export async function leaveEnded(
  commands: BoundCommands,
  sessionId: string,
  partnerId: string | undefined,
  opened: readonly SessionStore[],
): Promise<readonly SessionStore[]> {
  if (partnerId !== undefined && (await commands.query(partner, partnerId, isSuspended))) {
    await commands.decide(session, sessionId, endSession('partner_suspended'));
    return partnerSuspended();
  }
  const ends = await Promise.all(opened.map((one) => endedAt(commands, one)));
  for (const [index, { workspaceId }] of opened.entries()) {
    const reason = ends[index];
    if (reason !== undefined) await commands.decide(session, sessionId, leaveStore(workspaceId, reason));
  }
  const left = opened.filter((_, index) => ends[index] === undefined);
  if (left.length > 0) return left;
  return ends.includes('member_disabled') ? memberDisabled() : storeClosed();
}

const isSuspended = ({ status }: { readonly status: string }): boolean => status === 'suspended';
