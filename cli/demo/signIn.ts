/** The demo's chapter on sessions: a user of the partner's platform works in the store. */
import { createUserToken, openSession, type Suuq } from '../../client/src/index.js';
import { expect, refusal } from './client.js';
import { PATIENT } from './retries.js';
import { type Scene, STORE_REF } from './story.js';

export interface Member {
  readonly client: Suuq;
  readonly memberId: string;
}

/** A person of the partner's platform, who works in the store. */
export async function signIn({ stage, workspaceId, print }: Scene): Promise<Member> {
  print('# A user of the partner signs in');
  const { partner, baseUrl } = stage.keys;
  const userToken = await createUserToken(partner.secretKey, {
    sub: 'user-17',
    name: 'Sahra Nur',
    email: 'sahra@example.com',
    stores: [{ externalRef: STORE_REF, role: 'supervisor' }],
  });
  const exchange = () => openSession({ baseUrl, publishableKey: partner.publishableKey, userToken, ...PATIENT });
  const session = await exchange();
  const { name, stores = [] } = session.current();
  const store = stores[0]!;
  expect('her store', [store.workspaceId, store.role], [workspaceId, 'supervisor']);
  expect('a user token opens one session', await refusal(exchange()), 'user_token_replayed');
  print(`  createSDKSession → ${name}, ${store.role} of ${store.name}, for 15 minutes; the token works once`);
  return { client: session.client, memberId: store.memberId };
}
