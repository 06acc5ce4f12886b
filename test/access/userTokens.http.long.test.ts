/** Everything that is wrong with a user token, over HTTP. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { expect } from 'chai';
import { jwt, type Keys, openSessionStage, type SessionStage } from '../support/stages/sessionStage.js';

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

describe('a user token', () => {
  let stage: SessionStage;
  let store: Keys;
  let other: Keys;
  let partner: Keys;
  let revoked: string;
  let test: { id: string; key: string };
  let scopeless: { id: string; key: string };
  let count = 0;
  before(async () => {
    stage = await openSessionStage();
    store = await stage.store('Hodan');
    other = await stage.store('Rival');
    partner = await stage.partner('acme');
    await stage.partnerStore(partner.id, 'main-street');
    const gone = await stage.key({ workspace: store.id }, { scopes: ['orders:view'] });
    revoked = gone.key;
    await stage.operator('keys.revoke', { id: gone.id });
    test = await stage.key({ workspace: store.id }, { mode: 'test', scopes: ['orders:view'] });
    scopeless = await stage.key({ partner: partner.id }, { scopes: ['orders:view', 'partner.stores:view'] });
  });
  after(() => stage.close());

  const claims = (more: object = {}) => stage.claims(`u-${++count}`, more);
  const without = (name: string) => {
    const { [name]: _, ...rest } = claims();
    return rest;
  };
  const partnerClaims = (more: object = {}) =>
    claims({ name: 'Asha', stores: [{ externalRef: 'main-street', role: 'owner' }], ...more });
  async function refused(token: string, code: string, reported?: string, keys = store): Promise<void> {
    const answer = await stage.signIn(keys, token);
    expect([answer.status, answer.body.code], `${answer.body.detail}`).to.deep.equal([401, code]);
    if (reported !== undefined) expect(answer.body.detail).to.include(reported);
    const { text } = { text: JSON.stringify(answer.body) };
    for (const secret of [token, store.secret.key, partner.secret.key]) expect(text).to.not.include(secret);
    expect(answer.headers.get('www-authenticate') ?? '').to.not.include('sdk_');
  }
  const invalid = (token: string, reported?: string, keys = store) =>
    refused(token, 'user_token_invalid', reported, keys);

  const key = () => store.secret.key;
  const rs256 = (): string => {
    const signed = `${base64url({ alg: 'RS256' })}.${base64url(claims())}`;
    return `${signed}.${sign('sha256', Buffer.from(signed), rsa.privateKey).toString('base64url')}`;
  };
  const unsigned = (alg: string) => `${base64url({ alg })}.${base64url(claims())}.`;

  const algorithms: Readonly<Record<string, () => string>> = {
    none: () => unsigned('none'),
    None: () => unsigned('None'),
    nOnE: () => unsigned('nOnE'),
    'none with a signature': () => jwt(claims(), key(), { alg: 'none' }),
    RS256: rs256,
    'RS256 by HMAC': () => jwt(claims(), key(), { alg: 'RS256' }),
    HS384: () => jwt(claims(), key(), { alg: 'HS384' }, 'sha384'),
    HS512: () => jwt(claims(), key(), { alg: 'HS512' }, 'sha512'),
    'HS384 called HS256': () => jwt(claims(), key(), {}, 'sha384'),
    hs256: () => jwt(claims(), key(), { alg: 'hs256' }),
    'a list of algorithms': () => jwt(claims(), key(), { alg: ['HS256'] }),
    'no algorithm': () => jwt(claims(), key(), { alg: undefined }),
    'an unknown crit': () => jwt(claims(), key(), { crit: ['exp'], exp: 1 }),
    'crit of b64': () => jwt(claims(), key(), { crit: ['b64'], b64: true }),
    'b64 false': () => jwt(claims(), key(), { b64: false }),
  };
  for (const [name, make] of Object.entries(algorithms)) it(`is rejected with ${name}`, () => invalid(make()));

  const foreign: Readonly<Record<string, (key: string) => string>> = {
    'a kid that is a path': (by) => jwt(claims(), by, { kid: '../../../dev/null' }),
    'a kid that is SQL': (by) => jwt(claims(), by, { kid: "x' UNION SELECT 'key" }),
    jku: (by) => jwt(claims(), by, { jku: 'http://127.0.0.1:9/keys.json' }),
    x5u: (by) => jwt(claims(), by, { x5u: 'http://127.0.0.1:9/cert.pem' }),
    'an embedded key': (by) =>
      jwt(claims(), by, { jwk: { kty: 'oct', k: Buffer.from(by).toString('base64url'), alg: 'HS256' } }),
  };
  for (const [name, make] of Object.entries(foreign))
    it(`is verified with our keys whatever the header contains: ${name}`, async () => {
      await invalid(make('attacker'), 'signature');
      await invalid(make(''), 'signature');
      expect((await stage.signIn(store, make(key()))).status, 'signed by ours').to.equal(201);
    });

  it("is rejected if signed with others' keys", async () => {
    for (const by of [other.secret.key, partner.secret.key, store.publishable.key, revoked, `${key()}x`, store.id])
      await invalid(jwt(claims(), by), 'signature');
    await invalid(jwt(partnerClaims(), store.secret.key), 'signature', partner);
    await invalid(jwt(partnerClaims(), scopeless.key), 'partner.stores:manage', partner);
    expect((await stage.signIn(partner, jwt(partnerClaims(), partner.secret.key))).status).to.equal(201);
  });

  it('is rejected if signed with a key of the other mode', () =>
    refused(jwt(claims(), test.key), 'key_mode_mismatch', 'signed with a test key'));

  it('requires an active publishable key', async () => {
    const gone = await stage.key({ workspace: store.id }, { kind: 'publishable' });
    await stage.operator('keys.revoke', { id: gone.id });
    for (const publishableKey of [
      gone.key,
      store.secret.key,
      partner.secret.key,
      'pk_live_x',
      `pk_live_${'0'.repeat(43)}`,
    ]) {
      const body = { publishableKey, userToken: jwt(claims(), key()) };
      const answer = await stage.call(undefined, 'POST', '/sdk/sessions', body);
      expect([answer.status, answer.body.code], publishableKey.slice(0, 8)).to.deep.equal([401, 'unauthenticated']);
      expect(JSON.stringify(answer.body)).to.not.include(publishableKey);
    }
  });

  const seconds = () => stage.seconds();
  const wrong: Readonly<Record<string, readonly [() => object, string]>> = {
    'without sub': [() => without('sub'), 'sub is missing'],
    'without jti': [() => without('jti'), 'jti is missing'],
    'without exp': [() => without('exp'), 'exp is missing'],
    'with sub null': [() => claims({ sub: null }), 'sub'],
    'with sub empty': [() => claims({ sub: '' }), 'sub'],
    'with sub a number': [() => claims({ sub: 7 }), 'sub'],
    'with sub too long': [() => claims({ sub: '😀'.repeat(256) }), 'sub'],
    'with sub a lone surrogate': [() => claims({ sub: 'a\ud800' }), 'sub'],
    'with sub and NUL': [() => claims({ sub: 'a\0b' }), 'sub'],
    'with jti a list': [() => claims({ jti: ['x'] }), 'jti'],
    'with jti too long': [() => claims({ jti: 'x'.repeat(256) }), 'jti'],
    'with exp as text': [() => claims({ exp: `${seconds() + 60}` }), 'exp'],
    'with exp in milliseconds': [() => claims({ exp: seconds() * 1000 }), 'exp'],
    'with exp far in the future': [() => claims({ exp: 1e300 }), 'exp'],
    'with exp negative': [() => claims({ exp: -1 }), 'exp'],
    'expired for as long as clocks may differ': [() => claims({ exp: seconds() - 30 }), 'expired'],
    'with exp 10 min and 31 s ahead': [() => claims({ exp: seconds() + 631 }), '10 minutes'],
    'with nbf in the future': [() => claims({ nbf: seconds() + 31 }), 'nbf'],
    'with nbf as text': [() => claims({ nbf: 'now' }), 'nbf'],
    'with iat in the future': [() => claims({ iat: seconds() + 31 }), 'iat'],
    'with name an object': [() => claims({ name: {} }), 'name'],
    'with name too long': [() => claims({ name: 'x'.repeat(121) }), 'name'],
    'with an invalid email': [() => claims({ email: 'asha' }), 'email'],
    'with two emails': [() => claims({ email: ['a@example.com', 'b@example.com'] }), 'email'],
    'with email_verified as text': [() => claims({ email_verified: 'true' }), 'email_verified'],
    'with email_verified a number': [() => claims({ email_verified: 1 }), 'email_verified'],
    'with an unknown role': [() => claims({ role: 'root' }), 'role'],
  };
  for (const [name, [make, reported]] of Object.entries(wrong))
    it(`is rejected ${name}`, () => invalid(jwt(make(), key()), reported));

  const wrongPartner: Readonly<Record<string, readonly [object, string]>> = {
    'without name': [{ name: undefined }, 'name is missing'],
    'with an unknown locale': [{ locale: 'fr' }, 'locale'],
    'without stores': [{ stores: undefined }, 'stores'],
    'with no stores': [{ stores: [] }, 'stores'],
    'with 51 stores': [
      { stores: Array.from({ length: 51 }, (_, n) => ({ externalRef: `s-${n}`, role: 'agent' })) },
      'stores',
    ],
    'with a store that is text': [{ stores: ['main-street'] }, 'stores[0]'],
    'with an invalid reference': [{ stores: [{ externalRef: 'a b', role: 'agent' }] }, 'stores[0].externalRef'],
    'with a store twice': [
      {
        stores: [
          { externalRef: 'main-street', role: 'agent' },
          { externalRef: 'main-street', role: 'owner' },
        ],
      },
      'stores[1].externalRef',
    ],
    'with an unknown role in a store': [{ stores: [{ externalRef: 'main-street', role: 'boss' }] }, 'stores[0].role'],
    'with teams as text': [
      { stores: [{ externalRef: 'main-street', role: 'agent', teams: 'door' }] },
      'stores[0].teams',
    ],
    'with 51 teams': [
      { stores: [{ externalRef: 'main-street', role: 'agent', teams: Array(51).fill('t') }] },
      'stores[0].teams',
    ],
  };
  for (const [name, [more, reports]] of Object.entries(wrongPartner))
    it(`of a partner is rejected ${name}`, () =>
      invalid(jwt(partnerClaims(more), partner.secret.key), reports, partner));

  it('of a partner reports every store that the partner does not have', async () => {
    const rival = await stage.partner('rival');
    await stage.partnerStore(rival.id, 'theirs');
    const stores = ['theirs', 'nowhere'].map((externalRef) => ({ externalRef, role: 'agent' }));
    const answer = await stage.signIn(partner, jwt(partnerClaims({ stores }), partner.secret.key));
    expect([answer.status, answer.body.code]).to.deep.equal([422, 'validation_failed']);
    expect(answer.body.errors.map((one: { location: string }) => one.location)).to.deep.equal([
      'userToken.stores[0].externalRef',
      'userToken.stores[1].externalRef',
    ]);
  });

  it('is rejected in every form that is not a JWT', async () => {
    const nested = jwt(jwt(claims(), key()), key(), { cty: 'JWT' });
    const [head, payload, signature] = jwt(claims(), key()).split('.') as [string, string, string];
    const forms = [
      'x',
      '..',
      'a.b',
      nested,
      `${head}.${payload}`,
      `${head}.${payload}.`,
      `${head}.${payload}.${signature}.x.y`,
      `${head}.${payload}.${signature.slice(0, -4)}`,
      `${head}.${base64url([])}.${signature}`,
      `${head}.${base64url('text')}.${signature}`,
      `${head}.e30.${signature}`,
      `${Buffer.from('{').toString('base64url')}.${payload}.${signature}`,
      `${head}.${Buffer.from([0xff, 0xfe]).toString('base64url')}.${signature}`,
      ` ${head}.${payload}.${signature}`,
      `${head}.${payload}.${signature}\u0000`.replace('\u0000', ' '),
      randomBytes(24_000).toString('base64url'),
      JSON.stringify({ payload, signatures: [{ protected: head, signature }] }),
    ];
    for (const token of forms) await invalid(token);
  });

  it('of 32 KB is cheap to reject, and a longer one is not read', async () => {
    const big = claims({ padding: 'x'.repeat(23_000) });
    const token = jwt(big, 'attacker');
    expect(token.length).to.be.within(30_000, 32_768);
    const began = performance.now();
    for (let n = 0; n < 50; n += 1) await invalid(token, 'signature');
    expect((performance.now() - began) / 50, 'ms each').to.be.lessThan(100);
    const crowd = await stage.store('Crowd');
    for (let n = 0; n < 98; n += 1) await stage.key({ workspace: crowd.id }, { scopes: ['orders:view'] });
    await invalid(token, 'signature', crowd);
    const before = performance.now();
    for (let n = 0; n < 20; n += 1) await invalid(token, 'signature', crowd);
    expect((performance.now() - before) / 20, 'ms each, by a hundred keys').to.be.lessThan(100);
    const long = await stage.signIn(store, 'x'.repeat(32_769));
    expect([long.status, long.body.code]).to.deep.equal([422, 'validation_failed']);
    const flood = await stage.signIn(store, 'x'.repeat(300_000));
    expect([flood.status, flood.body.code]).to.deep.equal([413, 'payload_too_large']);
    expect((await stage.signIn(store, jwt(big, key()))).status, 'a good one').to.equal(201);
  });

  it('is accepted at its limits', async () => {
    for (const good of [
      claims({ sub: '😀'.repeat(255), email: 'emoji@example.com' }),
      claims({ exp: seconds() - 29 }),
      claims({ exp: seconds() + 630 }),
      claims({ exp: seconds() + 60.5 }),
      claims({ nbf: seconds() + 30, iat: seconds() + 30 }),
      claims({ name: '', role: null, custom: { a: [1] }, iss: 'us', aud: 'them' }),
    ])
      expect((await stage.signIn(store, jwt(good, key()))).status, JSON.stringify(good)).to.equal(201);
  });

  it('opens one session, of twenty at once and after a restart', async () => {
    const token = jwt(claims(), key());
    const answers = await Promise.all(Array.from({ length: 20 }, () => stage.signIn(store, token)));
    expect(answers.filter(({ status }) => status === 201)).to.have.length(1);
    expect(answers.filter(({ body }) => body.code === 'user_token_replayed')).to.have.length(19);
    await stage.restart();
    await refused(token, 'user_token_replayed');
    const sameId = claims({ jti: JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()).jti });
    await refused(jwt(sameId, key()), 'user_token_replayed');
    expect((await stage.signIn(other, jwt(sameId, other.secret.key))).status, 'of another store').to.equal(201);
  });

  it('is not used up by an invalid request', async () => {
    const token = jwt(claims(), key());
    const framed = await stage.signIn(store, token, { embedOrigin: 'https://shop.example' });
    expect([framed.status, framed.body.code]).to.deep.equal([403, 'origin_not_allowed']);
    expect((await stage.signIn(store, token)).status).to.equal(201);
  });

  it('with an Idempotency-Key is answered again, without the session’s token', async () => {
    const token = jwt(claims(), key());
    const headers = { 'idempotency-key': 'sign-in-1' };
    const body = { publishableKey: store.publishable.key, userToken: token };
    const first = await stage.call(undefined, 'POST', '/sdk/sessions', body, headers);
    const again = await stage.call(undefined, 'POST', '/sdk/sessions', body, headers);
    expect([first.status, again.status, again.headers.get('idempotent-replayed')]).to.deep.equal([201, 201, 'true']);
    expect(first.body.token).to.match(/^sdk_/);
    expect(again.body).to.deep.equal({ ...first.body, token: '' });
    const sub = { sub: JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()).sub };
    const changed = { ...body, userToken: jwt(claims(sub), key()) };
    const reused = await stage.call(undefined, 'POST', '/sdk/sessions', changed, headers);
    expect(reused.body.code).to.equal('idempotency_key_reused');
    const stranger = await stage.call(
      undefined,
      'POST',
      '/sdk/sessions',
      { ...body, userToken: jwt(claims(), key()) },
      headers,
    );
    expect(stranger.status, 'another user with the same key').to.equal(201);
  });

  it('allows framing by the origins of its publishable key', async () => {
    const publishable = await stage.key(
      { workspace: store.id },
      { kind: 'publishable', origins: ['https://Shop.example', 'https://other.example:8443', 'http://localhost:5173'] },
    );
    const at = (embedOrigin: string) => stage.signIn({ publishable }, jwt(claims(), key()), { embedOrigin });
    for (const origin of [
      'https://shop.example',
      'https://SHOP.example:443',
      'https://other.example:8443',
      'http://localhost:5173',
    ])
      expect((await at(origin)).status, origin).to.equal(201);
    for (const origin of [
      'http://shop.example',
      'https://shop.example.evil.example',
      'https://evil.example/https://shop.example',
      'https://shop.example/',
      'null',
      '',
      'https://other.example',
      '*',
    ])
      expect((await at(origin)).body.code, origin).to.equal('origin_not_allowed');
  });
});
