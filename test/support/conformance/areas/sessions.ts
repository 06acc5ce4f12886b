/**
 * Conformance rows for SDK sessions, copied by hand from specification 1 ('SDK session creation'; paths follow the
 * plan), and the users who sign in.
 */
import { randomUUID } from 'node:crypto';
import { jwt } from '../../stages/sessionStage.js';
import type { Body } from '../answers.js';
import type { Specified } from '../rows.js';
import type { ConformanceStage } from '../stage.js';

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
  SDKSessionBody:
    'token sessionId userId mode expiresAt refreshUntil workspaceId? memberId? name? stores? appearance? storesLeftOut?',
};

const ORIGINS = ['https://shop.example', 'https://app.example'] as const;
/** Two publishable keys of each stage's main store. Dummies until `prepareSessions`; nobody signs in before. */
const publishable = new WeakMap<ConformanceStage, readonly [string, string]>();
const UNMADE = ['pk_test_unmade', 'pk_test_unmade'] as const;

/** Creates publishable keys for the main store, so that its user can sign in. */
export async function prepareSessions(stage: ConformanceStage): Promise<void> {
  const made = { workspace: stage.main.store.workspaceId, mode: 'test', kind: 'publishable', origins: ORIGINS };
  const one = await stage.operator('keys.create', made);
  const other = await stage.operator('keys.create', made);
  publishable.set(stage, [one.key, other.key]);
}

/** Returns a token for one user of the main store. `claims` override the defaults. A token opens one session. */
export const userToken = ({ main }: ConformanceStage, claims: object = {}): string =>
  jwt(
    {
      sub: 'asha',
      jti: randomUUID(),
      exp: Math.floor(Date.now() / 1000) + 300,
      email: 'asha@example.com',
      email_verified: true,
      ...claims,
    },
    main.store.key,
  );

export const sessionsFields: Readonly<Record<string, (stage: ConformanceStage) => object>> = {
  createSDKSession: (stage) => ({
    publishableKey: (publishable.get(stage) ?? UNMADE)[0],
    userToken: userToken(stage),
    embedOrigin: ORIGINS[0],
  }),
};

/** Returns sign-ins of the same user that would also succeed, each with the place where it differs. */
export const otherSignIns = (stage: ConformanceStage, body: Body): [string, Body][] => [
  ['body.publishableKey', { ...body, publishableKey: publishable.get(stage)![1] }],
  ['body.userToken', { ...body, userToken: userToken(stage) }],
  ['body.embedOrigin', { ...body, embedOrigin: ORIGINS[1] }],
];
