import type { StoreLeftOut } from '../../../domain/access/sessionEvents.js';
import { defined } from '../../../domain/defined.js';
import { partner } from '../../../domain/partners/partner.js';
import type { Appearance } from '../../../domain/partners/partnerEvents.js';
import type { Request } from '../../contract/operation.js';

/** A store of a partner's session, as it is now. */
export interface ShownStore {
  readonly externalRef: string;
  readonly memberId: string;
  readonly name: string;
  readonly role: string;
  readonly workspaceId: string;
}

interface Shown {
  readonly token: string;
  readonly sessionId: string;
  readonly userId: string;
  readonly mode: 'live' | 'test';
  readonly expiresAt: string;
  readonly refreshUntil: string;
  readonly name?: string | undefined;
  /** Present for a workspace's session. */
  readonly member?: { readonly workspaceId: string; readonly memberId: string };
  readonly stores?: readonly ShownStore[];
  /** Present for a partner's session: stores of the user token that were left out. */
  readonly leftOut?: readonly StoreLeftOut[] | undefined;
  readonly appearance?: Appearance;
}

/** `SDKSessionBody`, and what an idempotent replay shows of it: its token is required, so there it is empty. */
export function sessionBodies({ member, name, stores, leftOut = [], appearance, ...session }: Shown) {
  const body = {
    ...session,
    ...member,
    ...defined({ name, stores }),
    ...(leftOut.length === 0 ? {} : { storesLeftOut: leftOut }),
    ...defined({ appearance }),
  };
  return { body, replayBody: { ...body, token: '' } };
}

export const appearanceOf = (
  commands: Request<object>['commands'],
  partnerId: string,
): Promise<Appearance | undefined> =>
  commands.query(partner, partnerId, (state) => (state.status === 'absent' ? undefined : state.appearance));
