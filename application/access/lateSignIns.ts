/** A session that opens while something that it depends on ends. */
import { existingMember, members } from '../../domain/access/members.js';
import { endSession, leaveStore, session } from '../../domain/access/session.js';
import type { SessionStore, StoreLeftOut } from '../../domain/access/sessionEvents.js';
import { refuse } from '../../domain/decider.js';
import { partner } from '../../domain/partners/partner.js';
import type { BoundCommands } from '../../engine/commandHandler/boundCommands.js';

/** The detail is the same whether the sign-in came shortly before or after. */
const MEMBER_DISABLED = 'The member is disabled in this store.';
const memberDisabled = (): never => refuse('member_disabled', MEMBER_DISABLED);
const partnerSuspended = (): never => refuse('permission_denied', 'The partner account is suspended.');

/** Stores that the session opens after all, and those that it does not. */
export interface StillOpen {
  readonly stores: readonly SessionStore[];
  readonly leftOut: readonly StoreLeftOut[];
}

const isDisabled = (commands: BoundCommands, { workspaceId, memberId }: SessionStore): Promise<boolean> =>
  commands.query(members, workspaceId, (people) => existingMember(people, memberId).status === 'disabled');

/**
 * Removes stores that ended during the sign-in. Call it after the session is stored: an ending before that time may have looked for
 * sessions too early, and an ending after it finds this one. Returns the remaining stores, and the removed ones of a partner. If none
 * remains, ends the session and refuses `member_disabled` or `permission_denied`.
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
