/** Sessions of a partner's users over several stores, and what a session never reaches. */
import { expect } from 'chai';
import fc from 'fast-check';
import { ROLES } from '../../domain/access/members.js';
import { ROLE_SCOPES } from '../../domain/access/roles.js';
import { WORKSPACE_SCOPES } from '../../domain/access/scopes.js';
import { sessions } from '../../projections/sessions.js';
import { until } from '../support/doubles/fakeClock.js';
import { type Any, jwt, type Keys, openSessionStage, type SessionStage } from '../support/stages/sessionStage.js';

const QUEUE = { strategy: 'all', ringTimeoutSeconds: 30, maxWaitSeconds: 300, secondsPerPerson: 20 };

describe('a session of a partner’s user', () => {
  let stage: SessionStage;
  let partner: Keys;
  let count = 0;
  before(async () => {
    stage = await openSessionStage();
    partner = await stage.partner('acme');
  });
  after(() => stage.close());

  const orders = (token: string, workspaceId: string) =>
    stage.call(token, 'GET', `/workspaces/${workspaceId}/commerce/orders`);
  const refresh = (token: string) => stage.call(token, 'POST', '/sdk/sessions/refresh');
  const newStore = async (owner = partner) => {
    const externalRef = `s-${++count}`;
    return { externalRef, id: await stage.partnerStore(owner.id, externalRef) };
  };
  const exchange = (sub: string, stores: object[], more: object = {}, keys = partner) =>
    stage.signIn(keys, jwt(stage.claims(sub, { name: 'Asha', stores, ...more }), keys.secret.key));
  async function signedIn(sub: string, stores: object[], more: object = {}, keys = partner): Promise<Any> {
    const answer = await exchange(sub, stores, more, keys);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return answer.body;
  }
  const disable = ({ externalRef }: { externalRef: string }, sub: string) =>
    stage.call(partner.secret.key, 'DELETE', `/partner/stores/${externalRef}/members/${sub}`);

  it('opens each listed store with its role, in the token’s order', async () => {
    const [a, b] = [await newStore(), await newStore()];
    const expected = [
      { externalRef: b.externalRef, role: 'owner' },
      { externalRef: a.externalRef, role: 'viewer' },
    ];
    const body = await signedIn('asha', expected, { locale: 'so' });
    expect(body).to.have.all.keys(
      ...['token', 'sessionId', 'userId', 'mode', 'expiresAt', 'refreshUntil', 'name', 'stores', 'appearance'],
    );
    expect(body.stores.map(({ memberId: _, ...one }: Any) => one)).to.deep.equal([
      { externalRef: b.externalRef, name: `Store ${b.externalRef}`, role: 'owner', workspaceId: b.id },
      { externalRef: a.externalRef, name: `Store ${a.externalRef}`, role: 'viewer', workspaceId: a.id },
    ]);
    for (const { id } of [a, b]) expect((await orders(body.token, id)).status).to.equal(200);
    const { appearance: _, token: __, expiresAt: ___, ...rest } = body;
    const refreshed = (await refresh(body.token)).body;
    expect(refreshed).to.deep.include(rest);
    expect(refreshed, 'of the exchange only').to.not.have.property('appearance');
    const next = await signedIn('asha', expected);
    expect(next.userId).to.equal(body.userId);
    expect(next.stores).to.deep.equal(body.stores);
  });

  it('is not opened for a user id that cannot appear in a path', async () => {
    const store = await newStore();
    for (const sub of ['.', '..']) {
      const { status, body } = await exchange(sub, [{ externalRef: store.externalRef, role: 'owner' }], {
        email: 'dots@example.com',
      });
      expect([status, body.code, body.errors[0].location]).to.deep.equal([401, 'user_token_invalid', 'userToken.sub']);
    }
  });

  it('has the appearance that the partner has set', async () => {
    const own = await stage.partner('styled');
    const store = await newStore(own);
    const stores = [{ externalRef: store.externalRef, role: 'owner' }];
    const before = { primaryColor: '#0F766E', radius: 8, font: 'system', colorMode: 'auto' };
    expect((await signedIn('asha', stores, {}, own)).appearance).to.deep.equal(before);
    await stage.operator('partners.appearance', { id: own.id, primaryColor: '#aa00ff', radius: '24' });
    const after = { ...before, primaryColor: '#AA00FF', radius: 24 };
    expect((await signedIn('asha', stores, {}, own)).appearance).to.deep.equal(after);
    for (const wrong of [{ primaryColor: 'red' }, { radius: '25' }, { radius: '1.5' }, { font: 'serif' }])
      expect(
        await stage.operator('partners.appearance', { id: own.id, ...wrong }).then(
          () => 'taken',
          ({ code }) => code,
        ),
      ).to.equal('validation_failed');
  });

  it('adds the user to the listed teams, and leaves out a store without them', async () => {
    const [a, b] = [await newStore(), await newStore()];
    const owner = await signedIn('owner', [{ externalRef: a.externalRef, role: 'owner' }]);
    const team = { name: 'Door', color: 'chart-1', queue: QUEUE, workingHours: null };
    const members = [{ memberId: owner.stores[0].memberId }];
    const { id } = await stage.operator('teams.put', { workspace: a.id, team: { ...team, members } });
    const inStore = ({ externalRef }: { externalRef: string }) => ({ externalRef, role: 'agent', teams: [id] });
    const unknown = await exchange('bile', [inStore(b)]);
    expect([unknown.status, unknown.body.code]).to.deep.equal([422, 'validation_failed']);
    expect(unknown.body.errors[0].location).to.equal('userToken.stores[0].teams[0]');
    expect(unknown.body.detail).to.include(b.externalRef);
    const list = async () => (await stage.call(owner.token, 'GET', `/workspaces/${a.id}/members`)).body.members;
    expect(await list(), 'nobody was joined').to.have.length(1);
    const { stores, storesLeftOut } = await signedIn('bile', [inStore(a), inStore(b)]);
    expect(stores.map((one: Any) => one.externalRef)).to.deep.equal([a.externalRef]);
    const detail =
      'The store does not have all of these teams. userToken.stores[1].teams[0] is not a team of the store.';
    expect(storesLeftOut).to.deep.equal([{ externalRef: b.externalRef, code: 'validation_failed', detail }]);
    expect((await list())[1].teams).to.deep.equal([{ id, role: 'member' }]);
  });

  it('leaves out closed stores in which its user is not an active member, and opens the others read-only', async () => {
    const [a, b] = [await newStore(), await newStore()];
    const stores = [a, b].map(({ externalRef }) => ({ externalRef, role: 'owner' }));
    const viewer = { externalRef: a.externalRef, role: 'viewer' };
    for (const sub of ['asad', 'dalmar']) await signedIn(sub, [viewer]);
    await signedIn('boss', stores);
    expect((await disable(a, 'dalmar')).status).to.equal(204);
    await stage.call(partner.secret.key, 'POST', `/partner/stores/${a.externalRef}/close`);
    for (const sub of ['cali', 'dalmar']) {
      const opened = await signedIn(sub, stores);
      expect(opened.stores.map((one: Any) => one.workspaceId)).to.deep.equal([b.id]);
      expect(opened.storesLeftOut.map((one: Any) => [one.externalRef, one.code])).to.deep.equal([
        [a.externalRef, 'store_closed'],
      ]);
      const none = await exchange(sub, stores.slice(0, 1));
      expect([none.status, none.body.code]).to.deep.equal([403, 'store_closed']);
    }
    const { token, stores: opened } = await signedIn('asad', stores);
    expect(
      opened.map((one: Any) => [one.workspaceId, one.role]),
      'as before, not as the token says',
    ).to.deep.equal([
      [a.id, 'viewer'],
      [b.id, 'owner'],
    ]);
    expect((await orders(token, a.id)).status).to.equal(200);
  });

  it('loses access to a store at once, and ends with the last one', async () => {
    const [a, b, c] = [await newStore(), await newStore(), await newStore()];
    const stores = [a, b, c].map(({ externalRef }) => ({ externalRef, role: 'agent' }));
    const owners = [a, b, c].map(({ externalRef }) => ({ externalRef, role: 'owner' }));
    await signedIn('boss', owners);
    const { token } = await signedIn('deeqa', stores);
    const other = (await signedIn('deeqa', stores.slice(0, 1))).token;
    expect((await disable(a, 'deeqa')).status).to.equal(204);
    expect((await orders(token, a.id)).body.code).to.equal('not_found');
    expect((await orders(token, b.id)).status).to.equal(200);
    expect((await orders(other, a.id)).body.code, 'it was the only one').to.equal('session_ended');
    expect((await disable(b, 'deeqa')).status).to.equal(204);
    expect((await orders(token, b.id)).body.code).to.equal('not_found');
    const refreshed = (await refresh(token)).body;
    expect(refreshed.stores.map((one: Any) => one.workspaceId)).to.deep.equal([c.id]);
    expect((await disable(c, 'deeqa')).status).to.equal(204);
    expect((await orders(refreshed.token, c.id)).body.code).to.equal('session_ended');
    expect((await refresh(refreshed.token)).body.code).to.equal('session_ended');
    const again = await signedIn('deeqa', stores.slice(0, 1));
    expect((await orders(again.token, a.id)).status, 'enabled by the later token').to.equal(200);
    expect((await orders(token, a.id)).body.code, 'by that alone').to.equal('session_ended');
  });

  it('continues when a later token leaves a store out', async () => {
    const [a, b] = [await newStore(), await newStore()];
    const stores = [a, b].map(({ externalRef }) => ({ externalRef, role: 'agent' }));
    const { token } = await signedIn('fadumo', stores);
    await signedIn('fadumo', stores.slice(0, 1));
    expect((await orders(token, b.id)).status).to.equal(200);
  });

  it('ends at once and permanently when the partner is suspended', async () => {
    const own = await stage.partner('pausing');
    const store = await newStore(own);
    const stores = [{ externalRef: store.externalRef, role: 'owner' }];
    const { token } = await signedIn('geedi', stores, {}, own);
    await stage.operator('partners.suspend', { id: own.id });
    expect((await orders(token, store.id)).body.code).to.equal('session_ended');
    const refused = await exchange('geedi', stores, {}, own);
    expect([refused.status, refused.body.code]).to.deep.equal([403, 'permission_denied']);
    const { reads } = stage.instance().services;
    await until(
      'it has ended',
      async () => (await reads.find(sessions, { where: { partnerId: own.id }, limit: 1 })).length === 0,
    );
    await stage.operator('partners.reinstate', { id: own.id });
    expect((await orders(token, store.id)).body.code).to.equal('session_ended');
    await signedIn('geedi', stores, {}, own);
  });

  it('never reaches another store, nor the Partner API', async () => {
    const rival = await stage.partner('rival');
    const [mine, sibling, theirs] = [await newStore(), await newStore(), await newStore(rival)];
    const alone = await stage.store('Alone');
    const { token } = await signedIn('hodan', [{ externalRef: mine.externalRef, role: 'owner' }]);
    await signedIn('hodan', [{ externalRef: sibling.externalRef, role: 'owner' }]);
    await signedIn('hodan', [{ externalRef: theirs.externalRef, role: 'owner' }], {}, rival);
    for (const { id } of [sibling, theirs, alone]) {
      const answer = await orders(token, id);
      expect([answer.status, answer.body.code]).to.deep.equal([404, 'not_found']);
    }
    for (const [method, path] of [
      ['GET', '/partner'],
      ['GET', '/partner/stores'],
      ['POST', `/partner/stores/${mine.externalRef}/close`],
    ] as const) {
      const answer = await stage.call(token, method, path);
      expect([answer.status, answer.body.code], path).to.deep.equal([403, 'permission_denied']);
    }
  });

  it('is limited to its member’s teams if the role does not see every team', async () => {
    const store = await newStore();
    const owner = await signedIn('owner', [{ externalRef: store.externalRef, role: 'owner' }]);
    const ring = [{ memberId: owner.stores[0].memberId }];
    const put = async (name: string): Promise<string> => {
      const team = { name, color: 'chart-1', members: ring, queue: QUEUE, workingHours: null };
      return (await stage.operator('teams.put', { workspace: store.id, team })).id;
    };
    const [door, till] = [await put('Door'), await put('Till')];
    const ids = {
      door: await stage.order(store.id, door),
      till: await stage.order(store.id, till),
      nobody: await stage.order(store.id),
    };
    const agent = await signedIn('idil', [{ externalRef: store.externalRef, role: 'agent', teams: [door] }]);
    const base = `/workspaces/${store.id}/commerce/orders`;
    const listed = async (token: string, query = ''): Promise<string[]> =>
      (await stage.call(token, 'GET', `${base}${query}`)).body.orders.map((one: Any) => one.id);
    for (const query of ['', '?status=new', '?phone=252611000001', '?status=new&phone=252611000001']) {
      expect(await listed(agent.token, query), query).to.have.members([ids.door, ids.nobody]);
      expect(await listed(owner.token, query), query).to.have.members(Object.values(ids));
    }
    expect(await listed(agent.token, '?number=1'), 'by number').to.have.members([ids.door, ids.nobody]);
    const seen = async (token: string, id: string) => (await stage.call(token, 'GET', `${base}/${id}`)).status;
    expect([await seen(agent.token, ids.door), await seen(agent.token, ids.nobody)]).to.deep.equal([200, 200]);
    expect([await seen(agent.token, ids.till), await seen(owner.token, ids.till)]).to.deep.equal([404, 200]);
    for (const [path, body] of [
      ['cancel', {}],
      ['status', { status: 'cancelled' }],
    ] as const) {
      const answer = await stage.call(agent.token, 'POST', `${base}/${ids.till}/${path}`, body);
      expect([answer.status, answer.body.code], path).to.deep.equal([404, 'not_found']);
    }
    const member = `/partner/stores/${store.externalRef}/members/idil`;
    await stage.call(partner.secret.key, 'PUT', member, { role: 'agent', teams: [till] });
    expect(await listed(agent.token), 'at once').to.have.members([ids.till, ids.nobody]);
    await stage.call(partner.secret.key, 'PUT', member, { role: 'supervisor' });
    expect(await listed(agent.token), 'sees every team').to.have.members(Object.values(ids));
  });

  it('has its own Idempotency-Keys per member, across sessions', async () => {
    const store = await newStore();
    const stores = [{ externalRef: store.externalRef, role: 'owner' }];
    const [one, again, other] = [
      await signedIn('jama', stores),
      await signedIn('jama', stores),
      await signedIn('kaafi', stores),
    ];
    const create = (token: string, name: string) =>
      stage.call(
        token,
        'POST',
        `/workspaces/${store.id}/commerce/number-lists`,
        { name, kind: 'uploaded', phones: [] },
        { 'idempotency-key': 'same' },
      );
    const first = await create(one.token, 'Best');
    expect(first.status, JSON.stringify(first.body)).to.equal(201);
    expect((await create(again.token, 'Best')).body).to.deep.equal(first.body);
    expect((await create(other.token, 'Worst')).status).to.equal(201);
    expect((await create(partner.secret.key, 'Key')).status).to.equal(201);
  });

  it('never does more than its role, nor more than the signing key', async () => {
    const store = await newStore();
    const stores = [{ externalRef: store.externalRef, role: 'owner' }];
    await signedIn('owner', stores);
    const { directory } = stage.instance().services;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...ROLES), fc.subarray([...WORKSPACE_SCOPES]), async (role, scopes) => {
        const secret = await stage.key({ partner: partner.id }, { scopes: ['partner.stores:manage', ...scopes] });
        const listed = [{ externalRef: store.externalRef, role }];
        const { token } = await signedIn(`p-${++count}`, listed, {}, { ...partner, secret });
        const principal = (await directory.principal(token))!;
        expect([...principal.scopes].sort()).to.deep.equal([...scopes].sort());
        const answers = {
          'orders:view': await orders(token, store.id),
          'commerce:manage': await stage.call(token, 'GET', `/workspaces/${store.id}/commerce/products`),
          'members:view': await stage.call(token, 'GET', `/workspaces/${store.id}/teams`),
          'payments:manage': await stage.call(token, 'GET', `/workspaces/${store.id}/commerce/payments`),
          'developers:manage': await stage.call(token, 'GET', `/workspaces/${store.id}/webhook-event-types`),
        } as const;
        for (const [scope, { status }] of Object.entries(answers)) {
          const may = (ROLE_SCOPES[role] as readonly string[]).includes(scope) && (scopes as string[]).includes(scope);
          expect(status, `${role} with ${scopes} asks for ${scope}`).to.equal(may ? 200 : 403);
        }
        await stage.operator('keys.revoke', { id: secret.id });
      }),
      { numRuns: 25, seed: 7 },
    );
  });
});

describe('rate limits of sessions', () => {
  let stage: SessionStage;
  let store: Keys;
  before(async () => {
    stage = await openSessionStage({ rates: { user: 5, key: 8 } });
    store = await stage.store('Limited');
  });
  after(() => stage.close());

  const teams = async (token: string) => (await stage.call(token, 'GET', `/workspaces/${store.id}/teams`)).status;

  it('apply per user across sessions, and per publishable key to user tokens', async () => {
    const signIn = (sub: string) => stage.signIn(store, jwt(stage.claims(sub), store.secret.key));
    const [first, second, other] = [await signIn('asha'), await signIn('asha'), await signIn('bile')];
    for (let n = 0; n < 5; n += 1) expect(await teams((n % 2 === 0 ? first : second).body.token)).to.equal(200);
    const over = await stage.call(first.body.token, 'GET', `/workspaces/${store.id}/teams`);
    expect([over.status, over.body.code, over.headers.get('retry-after')]).to.deep.equal([429, 'rate_limited', '12']);
    expect(over.headers.get('ratelimit-policy')).to.equal('"user";q=5;w=60');
    expect(await teams(second.body.token)).to.equal(429);
    expect(await teams(other.body.token), 'another user').to.equal(200);
    expect(await teams(store.secret.key), 'the key that signed').to.equal(200);
    for (let n = 0; n < 5; n += 1) expect((await signIn('cali')).status).to.equal(201);
    expect((await signIn('cali')).body.code).to.equal('rate_limited');
  });

  it('cannot be used up by strangers with the publishable key', async () => {
    const own = await stage.store('Besieged');
    const forged = () => stage.signIn(own, jwt(stage.claims('asha'), 'sk_live_guessed'));
    for (let n = 0; n < 20; n += 1) expect((await forged()).body.code).to.equal('user_token_invalid');
    expect((await stage.signIn(own, jwt(stage.claims('asha'), own.secret.key))).status).to.equal(201);
  });
});
