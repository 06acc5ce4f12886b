/** A session that opens while something it rests on ends. */
import { existingMember, members } from '../../domain/access/members.js';
import { endSession, leaveStore, session } from '../../domain/access/session.js';
import type { SessionStore, StoreLeftOut } from '../../domain/access/sessionEvents.js';
import { refuse } from '../../domain/decider.js';
import { partner } from '../../domain/partners/partner.js';
import { isClosedStore, store } from '../../domain/stores/store.js';
import type { BoundCommands } from './boundCommands.js';

/** The same words whether the sign-in came a moment earlier or later. */
export const STORE_CLOSED = 'The store is closed.';
export const storeClosed = (): never => refuse('store_closed', STORE_CLOSED);
const MEMBER_DISABLED = 'The member is disabled in this store.';
const memberDisabled = (): never => refuse('member_disabled', MEMBER_DISABLED);
const partnerSuspended = (): never => refuse('permission_denied', 'The partner account is suspended.');

const DETAILS = { store_closed: STORE_CLOSED, member_disabled: MEMBER_DISABLED };
type Ended = keyof typeof DETAILS;

/** What the session opens after all, and what it does not. */
export interface StillOpen {
  readonly stores: readonly SessionStore[];
  readonly leftOut: readonly StoreLeftOut[];
}

async function endedAt(commands: BoundCommands, { workspaceId, memberId }: SessionStore): Promise<Ended | undefined> {
  if (await commands.query(store, workspaceId, isClosedStore)) return 'store_closed';
  const isDisabled = (people: Parameters<typeof existingMember>[0]): boolean =>
    existingMember(people, memberId).status === 'disabled';
  return (await commands.query(members, workspaceId, isDisabled)) ? 'member_disabled' : undefined;
}

/**
 * Called once the session is stored: whatever ended before now may have looked for its sessions before this one was there, and
 * would revive it when it comes back; whatever ends later finds it. Answers the stores that are left, and those of a partner that
 * are not. Refuses, with the session ended, `store_closed`, `member_disabled` and `permission_denied` when it is left with none.
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
  const ends = await Promise.all(opened.map((one) => endedAt(commands, one)));
  for (const [index, { workspaceId }] of opened.entries()) {
    const reason = ends[index];
    if (reason !== undefined) await commands.decide(session, sessionId, leaveStore(workspaceId, reason));
  }
  const stores = opened.filter((_, index) => ends[index] === undefined);
  const leftOut = opened.flatMap(({ externalRef }, index) => {
    const code = ends[index];
    return code === undefined || externalRef === undefined ? [] : [{ externalRef, code, detail: DETAILS[code] }];
  });
  if (stores.length > 0) return { stores, leftOut };
  return ends.includes('member_disabled') ? memberDisabled() : storeClosed();
}

const isSuspended = ({ status }: { readonly status: string }): boolean => status === 'suspended';
