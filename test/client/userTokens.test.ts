import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { createUserToken } from '../../client/src/index.js';

const NOW = Date.parse('2026-11-21T08:30:00Z');
const options = { now: () => NOW };
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());

describe('createUserToken', () => {
  it('signs what the server knows of the user, with a unique id and an expiry', async () => {
    const user = { sub: 'user-17', name: 'Asha Ünal 🌙', stores: [{ externalRef: 'shop-7', role: 'owner' }] } as const;
    const token = await createUserToken('psk_test_fixed', user, options);
    const [head, claims, signature] = token.split('.') as [string, string, string];
    expect(JSON.parse(Buffer.from(head, 'base64url').toString())).to.deep.equal({ alg: 'HS256', typ: 'JWT' });
    expect(claimsOf(token)).to.deep.include({ ...user, exp: NOW / 1000 + 300 });
    expect(signature).to.equal(createHmac('sha256', 'psk_test_fixed').update(`${head}.${claims}`).digest('base64url'));
  });

  it('never creates the same token twice', async () => {
    const tokens = await Promise.all([1, 2].map(() => createUserToken('sk_test_fixed', { sub: 'user-17' }, options)));
    expect(claimsOf(tokens[0]!).jti).to.not.equal(claimsOf(tokens[1]!).jti);
  });

  it('creates no token that lives longer than ten minutes', async () => {
    const token = await createUserToken('sk_test_fixed', { sub: 'u' }, { ...options, expiresInSeconds: 600 });
    expect(claimsOf(token).exp).to.equal(NOW / 1000 + 600);
    for (const expiresInSeconds of [601, 0, Number.NaN]) {
      let error: unknown;
      await createUserToken('sk_test_fixed', { sub: 'u' }, { expiresInSeconds }).catch((thrown) => (error = thrown));
      expect(error, String(expiresInSeconds)).to.be.instanceOf(RangeError);
    }
  });
});
