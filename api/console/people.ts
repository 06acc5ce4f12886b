/** The people who are signed in to the console. */
import { endSession, openSessions } from '../../application/console/access.js';
import { defined } from '../../domain/defined.js';
import type { Services } from '../contract/services.js';
import { PHONES } from './phone.js';
import { type ConsoleOperation, consoleChange, consoleRead, notFound, OPERATOR } from './request.js';
import { storesOperation } from './stores.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `sandbox`: whether there is one, with its phone. */
export const peopleOperations = (
  { reads }: Services,
  version: string,
  sandbox: boolean,
): readonly ConsoleOperation[] => [
  consoleRead({
    id: 'console.getSession',
    path: '/session',
    silent: true,
    answer: async ({ viewer: { sessionId, role, workspaceId, expiresAt, csrf } }) => ({
      ...{ sessionId, role, expiresAt, csrf, version },
      ...defined({ workspaceId }),
      ...(sandbox && PHONES.includes(role) && { phone: true }),
    }),
  }),
  storesOperation(reads),
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
    answer: async ({ commands, viewer }) => void (await endSession(commands, viewer.sessionId, 'signed_out')),
  }),
];
