/** The people who are signed in to the console. */
import type { CurrentMember } from '../../application/access/principal.js';
import { endSession, openSessions, type Viewer } from '../../application/console/access.js';
import { defined } from '../../domain/defined.js';
import { members } from '../../projections/members.js';
import type { Services } from '../contract/services.js';
import type { ConsoleMemberBody, ConsoleSessionBody } from './contract.js';
import { PHONES } from './phone.js';
import { type ConsoleOperation, consoleChange, consoleRead, notFound, OPERATOR, WHOLE_STORE } from './request.js';
import { storesOperation } from './stores.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `sandbox`: whether there is one, with its phone. */
export const sessionBody =
  (services: Pick<Services, 'reads' | 'directory'>, version: string, sandbox: boolean) =>
  async ({ sessionId, role, workspaceId, expiresAt, csrf, member }: Viewer): Promise<ConsoleSessionBody> => {
    const mayPhone = PHONES.includes(role) && member?.scopes.has(WHOLE_STORE) !== false;
    return {
      ...{ sessionId, role, expiresAt, csrf, version },
      ...defined({ workspaceId, member: member && (await memberBody(services, workspaceId ?? '', member)) }),
      ...(sandbox && mayPhone && { phone: true }),
    };
  };

async function memberBody(
  { reads, directory }: Pick<Services, 'reads' | 'directory'>,
  workspaceId: string,
  { memberId, role, scopes, teamIds }: CurrentMember,
): Promise<ConsoleMemberBody> {
  const found = await reads.get(members, `${workspaceId}/${memberId}`);
  const storeStatus = (await directory.workspace(workspaceId))?.status ?? 'cancelled';
  return { memberId, name: found?.body.name ?? '', role, scopes: [...scopes], teamIds, storeStatus };
}

export const peopleOperations = (
  { reads, directory }: Services,
  bodyOf: (viewer: Viewer) => Promise<ConsoleSessionBody>,
): readonly ConsoleOperation[] => [
  consoleRead({
    id: 'console.getSession',
    path: '/session',
    members: 'every member',
    silent: true,
    answer: ({ viewer }) => bodyOf(viewer),
  }),
  storesOperation(reads, directory),
  consoleRead({
    id: 'console.listSessions',
    path: '/sessions',
    roles: OPERATOR,
    answer: async ({ viewer, now }) => ({
      sessions: (await openSessions(reads, now)).map((session) => ({
        ...session,
        current: session.id === viewer.sessionId,
      })),
    }),
  }),
  consoleChange({
    id: 'console.endSession',
    path: '/sessions/{id}/end',
    roles: OPERATOR,
    async answer({ params, commands }) {
      if (!UUID.test(params.id!)) return notFound('session');
      await endSession(commands, params.id!, 'ended_by_operator');
    },
  }),
  consoleChange({
    id: 'console.signOut',
    path: '/sign-out',
    members: 'every member',
    answer: async ({ commands, viewer }) => void (await endSession(commands, viewer.sessionId, 'signed_out')),
  }),
];
