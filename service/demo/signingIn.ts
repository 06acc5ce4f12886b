/** The demo's chapter on sessions: a user of the partner's platform works in the store. */
import { createHmac, randomUUID } from 'node:crypto';
import { Client, expect, holds } from './client.js';
import { type Scene, STORE_REF } from './story.js';

/** A user as the partner's own server vouches for them: a JWT, signed with the secret key. */
function userToken(secretKey: string, claims: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1_000) + 300;
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ exp, jti: randomUUID(), ...claims })}`;
  return `${signed}.${createHmac('sha256', secretKey).update(signed).digest('base64url')}`;
}

export interface Member {
  readonly client: Client;
  readonly memberId: string;
}

/** A person of the partner's platform, who works in the store. */
export async function signIn({ stage, workspaceId, tell }: Scene): Promise<Member> {
  tell('# A user of the partner signs in');
  const { partner, baseUrl } = stage.keys;
  const nobody = new Client(baseUrl);
  const token = userToken(partner.secretKey, {
    sub: 'user-17',
    name: 'Sahra Nur',
    email: 'sahra@example.com',
    stores: [{ externalRef: STORE_REF, role: 'supervisor' }],
  });
  const exchange = (userToken: string) =>
    nobody.post('/api/v1/sdk/sessions', { publishableKey: partner.publishableKey, userToken });
  const session = await exchange(token);
  expect('createSDKSession', session.status, 201);
  const [store] = session.body.stores;
  expect('her store', [store.workspaceId, store.role], [workspaceId, 'supervisor']);
  const again = await exchange(token);
  holds('a user token opens one session', again.status >= 400 && again.body.code === 'user_token_replayed', again.body);
  tell(
    `  createSDKSession → ${session.body.name}, ${store.role} of ${store.name}, for 15 minutes; the token works once`,
  );
  return { client: new Client(baseUrl, session.body.token), memberId: store.memberId };
}
