import { type SignedIn, signIn } from '../../../application/access/signIn.js';
import { defined } from '../../../domain/defined.js';
import { type MemberBody, members } from '../../../projections/members.js';
import { stores } from '../../../projections/stores.js';
import { operation, type RequestReads } from '../../contract/operation.js';
import { appearanceOf, type ShownStore, sessionBodies } from './bodies.js';
import { CreateSessionInputBody, SDKSessionBody } from './schemas.js';

/** Names and roles as the views show them once they have seen the sign-in. */
async function shownStores(read: RequestReads, signedIn: SignedIn): Promise<ShownStore[]> {
  const idOf = (one: SignedIn['stores'][number]): string => `${one.workspaceId}/${one.memberId}`;
  const found = await read.getMany<MemberBody>(members, signedIn.stores.map(idOf));
  const named = await read.getMany(
    stores,
    signedIn.stores.map(({ workspaceId }) => workspaceId),
  );
  return signedIn.stores.map((one) => ({
    externalRef: one.externalRef!,
    memberId: one.memberId,
    name: named.get(one.workspaceId)?.body.name ?? '',
    role: found.get(idOf(one))!.body.role,
    workspaceId: one.workspaceId,
  }));
}

/** (Specification 1, 'SDK session creation'.) */
export const createSDKSession = operation({
  id: 'createSDKSession',
  route: 'POST {S}',
  summary: 'Exchanges a user token, signed by your server, for a session of that user.',
  tag: 'SDK sessions',
  scope: null,
  feature: 'workspace.core',
  credential: 'user_token',
  idempotent: true,
  body: CreateSessionInputBody,
  answers: { 201: SDKSessionBody },
  problems: [
    'user_token_invalid',
    'user_token_replayed',
    'key_mode_mismatch',
    'origin_not_allowed',
    'email_not_verified',
    'member_disabled',
    'store_closed',
    'member_limit_reached',
    'member_links_limit_reached',
    'no_free_seat',
    'last_owner',
    'team_full',
    'team_needs_member',
  ],
  async handle({ user, commands, read, now, newId, services }) {
    const signedIn = await signIn({ commands, reads: read, now, newId, token: user.token }, user);
    await read.shown();
    services.directory.forget({ members: signedIn.stores });
    const { workspaceId, partnerId, mode, claims } = user;
    const { stores: opened, leftOut, ...session } = signedIn;
    const [first] = opened;
    const appearance = partnerId === undefined ? undefined : await appearanceOf(commands, partnerId);
    const owner =
      partnerId === undefined
        ? { member: { workspaceId: workspaceId!, memberId: first!.memberId } }
        : { stores: await shownStores(read, signedIn), leftOut, ...defined({ appearance }) };
    return { status: 201, ...sessionBodies({ ...session, mode, name: claims.name, ...owner }) };
  },
});
