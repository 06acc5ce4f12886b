/** SDK sessions, copied by hand from specification 1 ('SDK session creation'); the paths are the plan's. */
import type { Specified } from './rows.js';

const base = '/api/v1/sdk/sessions';

export const sessionsSpecified: readonly Specified[] = [
  {
    id: 'createSDKSession',
    route: `POST ${base}`,
    feature: 'workspace.core',
    takes: 'CreateSessionInputBody',
    answers: { 201: 'SDKSessionBody' },
    others: [401, 403, 409, 422, 500],
  },
  {
    id: 'refreshSDKSession',
    route: `POST ${base}/refresh`,
    answers: { 200: 'SDKSessionBody' },
    others: [401, 403, 500],
  },
  { id: 'endSDKSession', route: `DELETE ${base}/current`, answers: { 204: null }, others: [401, 403, 500] },
];

export const sessionsSchemas: Readonly<Record<string, string>> = {
  CreateSessionInputBody: 'publishableKey userToken embedOrigin?',
  SDKSessionBody: 'token sessionId userId mode expiresAt refreshUntil workspaceId? memberId? name? stores? appearance?',
};
