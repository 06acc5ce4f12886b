/** A session over HTTP: how it begins, what it opens, how it goes on and ends. */
import { expect } from 'chai';
import { session } from '../../domain/access/session.js';
import { until } from '../support/doubles/fakeClock.js';
import { type Any, jwt, type Keys, openSessionStage, type SessionStage } from '../support/stages/sessionStage.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('a session', () => {
  let stage: SessionStage;
  let store: Keys;
  before(async () => {
    stage = await openSessionStage();
    store = await stage.store('Hodan');
  });
  after(() => stage.close());

  const orders = (token: string, workspaceId = store.id) =>
    stage.call(token, 'GET', `/workspaces/${workspaceId}/commerce/orders`);
  const refresh = (token: string) => stage.call(token, 'POST', '/sdk/sessions/refresh');
  async function signedIn(sub: string, more: object = {}, keys = store): Promise<Any> {
    const answer = await stage.signIn(keys, jwt(stage.claims(sub, more), keys.secret.key));
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return answer.body;
  }

  it('begins with a user token of the store, as in the specification', async () => {
    const body = await signedIn('asha', { name: 'Asha', role: 'supervisor' });
    expect(body).to.have.all.keys(
      'token',
      'sessionId',
      'userId',
      'mode',
      'expiresAt',
      'refreshUntil',
      'workspaceId',
      'memberId',
      'name',
    );
    expect(body).to.include({
      mode: 'live',
      workspaceId: store.id,
      name: 'Asha',
      expiresAt: '2026-03-01T08:15:00.000Z',
      refreshUntil: '2026-03-31T08:00:00.000Z',
    });
    expect(body.token).to.match(/^sdk_[0-9a-f]{32}[0-9A-Za-z]{43}$/);
    for (const id of ['sessionId', 'userId', 'memberId']) expect(body[id], id).to.match(UUID);
    const { members } = (await stage.call(body.token, 'GET', `/workspaces/${store.id}/members`)).body;
    expect(members.find((one: Any) => one.id === body.memberId)).to.deep.include({
      email: 'asha@example.com',
      role: 'supervisor',
      status: 'active',
      lastActiveAt: '2026-03-01T00:00:00.000Z',
    });
  });

  it('links a member by the email once, and then by the sub', async () => {
    const invited = await stage.operator('members.add', {
      workspace: store.id,
      email: 'bile@example.com',
      role: 'agent',
    });
    const unverified = await stage.signIn(
      store,
      jwt(stage.claims('bile', { email_verified: false }), store.secret.key),
    );
    expect([unverified.status, unverified.body.code]).to.deep.equal([403, 'email_not_verified']);
    expect((await signedIn('bile')).memberId).to.equal(invited.id);
    const later = await signedIn('bile', { email: 'other@example.com', email_verified: undefined });
    expect(later.memberId).to.equal(invited.id);
  });

  it('ignores the email of later sign-ins', async () => {
    const { memberId } = await signedIn('ebyan');
    for (const later of [
      { email: '' },
      { email: 'ebyan' },
      { email: ['e@example.com'], email_verified: 'yes' },
      { email: null },
    ])
      expect((await signedIn('ebyan', later)).memberId, JSON.stringify(later)).to.equal(memberId);
  });

  it('acts as its member', async () => {
    const { token, memberId } = await signedIn('cali', { role: 'owner' });
    const id = await stage.order(store.id);
    const moved = await stage.call(token, 'POST', `/workspaces/${store.id}/commerce/orders/${id}/cancel`, {});
    expect(moved.status).to.equal(200);
    expect(moved.body.events.at(-1)).to.include({ actorType: 'member', actorId: memberId, toStatus: 'cancelled' });
  });

  it('lasts 15 minutes, and up to 30 days with refreshes', async () => {
    let { token, refreshUntil, sessionId } = await signedIn('deeqa', { role: 'agent' });
    await stage.clock.advance(15 * MINUTE - 1);
    expect((await orders(token)).status).to.equal(200);
    await stage.clock.advance(1);
    const expired = await orders(token);
    expect([expired.status, expired.body.code]).to.deep.equal([401, 'session_expired']);
    for (let day = 0; day < 29; day += 7) {
      const refreshed = await refresh(token);
      expect(refreshed.status).to.equal(200);
      expect(refreshed.body).to.include({ refreshUntil, sessionId, workspaceId: store.id });
      expect(refreshed.body.token).to.not.equal(token);
      token = refreshed.body.token;
      expect((await orders(token)).status).to.equal(200);
      await stage.clock.advance(7 * DAY);
    }
    const over = await refresh(token);
    expect([over.status, over.body.code]).to.deep.equal([401, 'session_ended']);
    expect((await orders(token)).body.code).to.equal('session_ended');
  });

  it('gives a token near its end that does not outlive it', async () => {
    const { token } = await signedIn('fadumo');
    await stage.clock.advance(30 * DAY - 5 * MINUTE);
    const { expiresAt, refreshUntil } = (await refresh(token)).body;
    expect(expiresAt).to.equal(refreshUntil);
  });

  it('accepts requests in flight with the previous token for a minute', async () => {
    const { token } = await signedIn('geedi');
    await refresh(token);
    await stage.clock.advance(MINUTE - 1);
    expect((await orders(token)).status).to.equal(200);
    await stage.clock.advance(1);
    expect((await orders(token)).body.code).to.equal('session_expired');
  });

  it('survives a lost refresh response', async () => {
    const { token } = await signedIn('hodan');
    const lost = (await refresh(token)).body.token;
    await stage.clock.advance(2 * DAY);
    const again = await refresh(token);
    expect(again.status).to.equal(200);
    expect((await orders(again.body.token)).status).to.equal(200);
    expect((await refresh(again.body.token)).status).to.equal(200);
    expect((await refresh(token)).body.code, 'its successor has been refreshed').to.equal('session_ended');
    expect((await refresh(lost)).status, 'another tab may have it').to.equal(200);
  });

  it('allows ten tabs to refresh at once', async () => {
    const { token } = await signedIn('idil');
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(token)));
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(10).fill(200));
    for (const { body } of answers) expect((await orders(body.token)).status).to.equal(200);
  });

  it('ends with all its tokens when its user signs out', async () => {
    const { token } = await signedIn('jama');
    const next = (await refresh(token)).body.token;
    expect((await stage.call(token, 'DELETE', '/sdk/sessions/current')).status).to.equal(204);
    for (const one of [token, next]) expect((await orders(one)).body.code).to.equal('session_ended');
    expect((await refresh(next)).body.code).to.equal('session_ended');
    expect((await stage.call(next, 'DELETE', '/sdk/sessions/current')).body.code).to.equal('session_ended');
  });

  it('is refreshed and ended only with its own token', async () => {
    for (const [method, path] of [
      ['POST', '/sdk/sessions/refresh'],
      ['DELETE', '/sdk/sessions/current'],
    ] as const) {
      const byKey = await stage.call(store.secret.key, method, path);
      expect([byKey.status, byKey.body.code], path).to.deep.equal([403, 'permission_denied']);
      expect((await stage.call(undefined, method, path)).body.code, path).to.equal('unauthenticated');
      expect((await stage.call('sdk_unknown', method, path)).body.code, path).to.equal('unauthenticated');
      expect((await stage.call(`sdk_${'0'.repeat(75)}`, method, path)).body.code, path).to.equal('session_ended');
    }
  });

  const later = (what: string, token: string) =>
    until(what, async () => (await refresh(token)).body.code === 'session_ended');

  it('ends at once when its member is disabled, permanently', async () => {
    await signedIn('owner', { role: 'owner' });
    const { token, sessionId, memberId: id } = await signedIn('kaafi', { role: 'agent' });
    await stage.operator('members.disable', { workspace: store.id, id });
    expect((await orders(token)).body.code).to.equal('session_ended');
    expect((await refresh(token)).body.code).to.equal('session_ended');
    const { commandHandler } = stage.instance().services;
    await until('the session has ended', () =>
      commandHandler.query(session, sessionId, ({ status }) => status === 'ended'),
    );
    await stage.operator('members.enable', { workspace: store.id, id });
    expect((await orders(token)).body.code, 'for good').to.equal('session_ended');
    const refused = await stage.signIn(store, jwt(stage.claims('kaafi'), store.secret.key));
    expect(refused.status, 'enabled again').to.equal(201);
  });

  it('continues if it was opened after its member was enabled again', async () => {
    const old = await signedIn('liban', { role: 'agent' });
    const { memberId: id } = old;
    const release = stage.holdEndings();
    await stage.operator('members.disable', { workspace: store.id, id });
    await stage.operator('members.enable', { workspace: store.id, id });
    const next = await signedIn('liban');
    release();
    const { commandHandler, eventStore } = stage.instance().services;
    const hasEnded = (id: string) =>
      until('it has ended', () => commandHandler.query(session, id, ({ status }) => status === 'ended'));
    await hasEnded(old.sessionId);
    // Endings of one member come one after another: when the second has ended a session, the first is over.
    await stage.operator('members.disable', { workspace: store.id, id });
    await hasEnded(next.sessionId);
    const [, second] = (await eventStore.readStream(`members-${store.id}`)).filter(
      ({ type, data }) => type === 'MemberDisabled' && (data as Any).memberId === id,
    );
    const ended = (await eventStore.readStream(`session-${next.sessionId}`)).at(-1)!;
    expect([ended.type, ended.meta.causationId]).to.deep.equal(['SessionEnded', `${second!.id}.memberId`]);
  });

  for (const which of ['secret', 'publishable'] as const)
    it(`ends at once with its ${which} key`, async () => {
      const own = await stage.store(`Keys ${which}`);
      const { token } = await signedIn('leyla', {}, own);
      expect((await orders(token, own.id)).status).to.equal(200);
      await stage.operator('keys.revoke', { id: own[which].id });
      expect((await orders(token, own.id)).body.code).to.equal('session_ended');
      await later('it is known as ended', token);
    });

  it('is read-only in a closed store, and writes again when the store reopens', async () => {
    const own = await stage.store('Closing');
    const { token } = await signedIn('maryan', { role: 'owner' }, own);
    const { token: retained, memberId } = await signedIn('nimco', { role: 'admin' }, own);
    const write = async (one: string, name: string) => {
      const list = { name, kind: 'uploaded', phones: [] };
      const { status, body } = await stage.call(one, 'POST', `/workspaces/${own.id}/commerce/number-lists`, list);
      return body.code ?? status;
    };
    await stage.operator('stores.suspend', { workspace: own.id });
    expect((await orders(token, own.id)).status).to.equal(200);
    expect(await write(token, 'Closed')).to.equal('store_closed');
    const next = await refresh(token);
    expect([next.status, next.body.workspaceId]).to.deep.equal([200, own.id]);
    expect((await orders(next.body.token, own.id)).status).to.equal(200);
    await stage.operator('members.disable', { workspace: own.id, id: memberId });
    expect((await orders(retained, own.id)).body.code, 'a member who is disabled').to.equal('session_ended');
    await stage.restart();
    await stage.operator('stores.reinstate', { workspace: own.id });
    expect(await write(next.body.token, 'Open')).to.equal(201);
    expect((await orders(retained, own.id)).body.code, 'for good').to.equal('session_ended');
  });

  it('opens read-only in a closed store for existing members', async () => {
    const own = await stage.store('Closed');
    const before = await signedIn('maryan', { role: 'agent' }, own);
    const { memberId: id } = await signedIn('nimco', {}, own);
    await stage.operator('members.disable', { workspace: own.id, id });
    await stage.operator('members.add', { workspace: own.id, email: 'invited@example.com', role: 'owner' });
    const all = async () => (await stage.operator('members.list', { workspace: own.id })).members;
    const members = await all();
    await stage.operator('stores.suspend', { workspace: own.id });
    const again = await signedIn('maryan', { role: 'owner', name: 'Another' }, own);
    expect(again.memberId).to.equal(before.memberId);
    expect((await orders(again.token, own.id)).status).to.equal(200);
    for (const [sub, code] of [
      ['nimco', 'member_disabled'],
      ['invited', 'store_closed'],
      ['stranger', 'store_closed'],
    ] as const) {
      const refused = await stage.signIn(own, jwt(stage.claims(sub), own.secret.key));
      expect([refused.status, refused.body.code], sub).to.deep.equal([403, code]);
    }
    expect(await all(), 'nobody was changed').to.deep.equal(members);
    await stage.operator('stores.reinstate', { workspace: own.id });
    await signedIn('invited', {}, own);
  });

  it('applies a change of its member’s role and teams at once', async () => {
    const { token, memberId } = await signedIn('nuur', { role: 'agent' });
    const templates = `/workspaces/${store.id}/commerce/products`;
    expect((await stage.call(token, 'GET', templates)).body.code).to.equal('permission_denied');
    await stage.operator('members.role', { workspace: store.id, id: memberId, role: 'admin' });
    expect((await stage.call(token, 'GET', templates)).status).to.equal(200);
  });
});
