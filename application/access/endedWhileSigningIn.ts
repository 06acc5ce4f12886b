/** A session that opens while something it rests on ends. */
import { existingMember, members } from '../../domain/access/members.js';
import { endSession, leaveStore, session } from '../../domain/access/session.js';
import type { SessionStore, StoreLeftOut } from '../../domain/access/sessionEvents.js';
import { refuse } from '../../domain/decider.js';
import { partner } from '../../domain/partners/partner.js';
import type { BoundCommands } from '../../engine/commandHandler/boundCommands.js';

/** The same words whether the sign-in came a moment earlier or later. */
const MEMBER_DISABLED = 'The member is disabled in this store.';
const memberDisabled = (): never => refuse('member_disabled', MEMBER_DISABLED);
const partnerSuspended = (): never => refuse('permission_denied', 'The partner account is suspended.');

/** What the session opens after all, and what it does not. */
export interface StillOpen {
  readonly stores: readonly SessionStore[];
  readonly leftOut: readonly StoreLeftOut[];
}

const isDisabled = (commands: BoundCommands, { workspaceId, memberId }: SessionStore): Promise<boolean> =>
  commands.query(members, workspaceId, (people) => existingMember(people, memberId).status === 'disabled');

/**
 * Called once the session is stored: whatever ended before now may have looked for its sessions before this one was there, and
 * would revive it when it comes back; whatever ends later finds it. Answers the stores that are left, and those of a partner that
 * are not. Refuses, with the session ended, `member_disabled` and `permission_denied` when it is left with none.
 */
export async function leaveEnded(
  commands: BoundCommands,
  sessionId: string,
  partnerId: string | undefined,
  opened: readonly SessionStore[],
): Promise<StillOpen> {
  if (partnerId !== undefined && (await commands.query(partner, partnerId, isSuspended))) {
    await commands.decide(session, sessionId, endSession('partner_suspended'));
    return partnerSuspended();
  }
  const disabled = await Promise.all(opened.map((one) => isDisabled(commands, one)));
  for (const [index, { workspaceId }] of opened.entries())
    if (disabled[index]) await commands.decide(session, sessionId, leaveStore(workspaceId, 'member_disabled'));
  const stores = opened.filter((_, index) => !disabled[index]);
  const leftOut = opened.flatMap(({ externalRef }, index) =>
    disabled[index] && externalRef !== undefined
      ? [{ externalRef, code: 'member_disabled', detail: MEMBER_DISABLED }]
      : [],
  );
  return stores.length > 0 ? { stores, leftOut } : memberDisabled();
}

const isSuspended = ({ status }: { readonly status: string }): boolean => status === 'suspended';
