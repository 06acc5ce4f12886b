/** Sign-ins that are refused in all or some stores: whether the token can be used again, and the reported reasons. */
import { expect } from 'chai';
import {
  type Answered,
  type Any,
  jwt,
  type Keys,
  openSessionStage,
  type SessionStage,
} from '../support/stages/sessionStage.js';

const CORE = ['workspace.core', 'commerce.orders', 'commerce.catalog', 'channel.number'].map((key) => ({ key }));

describe('a rejected user token', () => {
  let stage: SessionStage;
  let store: Keys;
  let partner: Keys;
  let seated: Keys;
  let count = 0;
  before(async () => {
    stage = await openSessionStage();
    store = await stage.store('Hodan');
    partner = await stage.partner('acme');
    const features = [...CORE, { key: 'workspace.seats.max', limit: 1 }];
    await stage.operator('plans.put', { key: 'seated', name: 'Seated', features });
    const { id } = await stage.operator('partners.create', { name: 'Seated', slug: 'seated', plan: 'seated' });
    const secret = await stage.key({ partner: id }, { scopes: ['partner.stores:manage', 'members:view'] });
    seated = { id, secret, publishable: await stage.key({ partner: id }, { kind: 'publishable' }) };
  });
  after(() => stage.close());

  const newStore = async (owner = partner): Promise<{ id: string; externalRef: string }> => {
    const externalRef = `r-${++count}`;
    return { externalRef, id: await stage.partnerStore(owner.id, externalRef) };
  };
  const notify = ({ status, body }: Answered): unknown => [status, body.code];
  const listing = (...stores: { externalRef: string }[]) =>
    stores.map(({ externalRef }) => ({ externalRef, role: 'agent' }));
  const partnerToken = (sub: string, stores: object[], owner = partner): string =>
    jwt(stage.claims(sub, { name: sub, stores }), owner.secret.key);
  const leftOut = ({ body }: Answered) => body.storesLeftOut?.map((one: Any) => [one.externalRef, one.code]);

  it('may be retried when its member is enabled, by one of twenty at once', async () => {
    await stage.signIn(store, jwt(stage.claims('boss', { role: 'owner' }), store.secret.key));
    const first = await stage.signIn(store, jwt(stage.claims('asha'), store.secret.key));
    const member = { workspace: store.id, id: first.body.memberId };
    await stage.operator('members.disable', member);
    const token = jwt(stage.claims('asha'), store.secret.key);
    const all = () => Promise.all(Array.from({ length: 20 }, () => stage.signIn(store, token)));
    for (const answer of await all()) expect(notify(answer)).to.deep.equal([403, 'member_disabled']);
    await stage.restart();
    expect(notify(await stage.signIn(store, token)), 'after a restart').to.deep.equal([403, 'member_disabled']);
    await stage.operator('members.enable', member);
    const answers = await all();
    expect(answers.filter(({ status }) => status === 201)).to.have.length(1);
    expect(answers.filter(({ body }) => body.code === 'user_token_replayed')).to.have.length(19);
    await stage.operator('members.disable', member);
    expect(notify(await stage.signIn(store, token)), 'used').to.deep.equal([401, 'user_token_replayed']);
  });

  it('may be retried when its store reopens, and when a seat is free', async () => {
    const closing = await stage.store('Closing');
    const token = jwt(stage.claims('bile'), closing.secret.key);
    await stage.operator('stores.suspend', { workspace: closing.id });
    expect(notify(await stage.signIn(closing, token))).to.deep.equal([403, 'store_closed']);
    await stage.operator('stores.reinstate', { workspace: closing.id });
    expect((await stage.signIn(closing, token)).status).to.equal(201);

    const small = await newStore(seated);
    const invited = await stage.operator('members.add', { workspace: small.id, email: 'x@example.com', role: 'agent' });
    const waiting = partnerToken('cali', listing(small), seated);
    expect(notify(await stage.signIn(seated, waiting))).to.deep.equal([409, 'no_free_seat']);
    await stage.operator('members.disable', { workspace: small.id, id: invited.id });
    expect((await stage.signIn(seated, waiting)).status).to.equal(201);
  });

  it('may be retried when a listed store or team exists, with another Idempotency-Key', async () => {
    const externalRef = `r-${++count}`;
    const token = partnerToken('deeqa', listing({ externalRef }));
    const body = { publishableKey: partner.publishable.key, userToken: token };
    const request = (key: string) => stage.call(undefined, 'POST', '/sdk/sessions', body, { 'idempotency-key': key });
    expect(notify(await request('one'))).to.deep.equal([422, 'validation_failed']);
    await stage.partnerStore(partner.id, externalRef);
    expect(notify(await request('one')), 'the answer stands').to.deep.equal([422, 'validation_failed']);
    const opened = await request('two');
    expect(opened.status, JSON.stringify(opened.body)).to.equal(201);
    expect(notify(await request('three'))).to.deep.equal([401, 'user_token_replayed']);
    expect((await request('two')).body).to.deep.equal({ ...opened.body, token: '' });
  });

  it('in the race for the last seat may be retried too', async () => {
    const small = await newStore(seated);
    const tokens = Array.from({ length: 10 }, (_, n) => partnerToken(`racer-${n}`, listing(small), seated));
    const answers = await Promise.all(tokens.map((token) => stage.signIn(seated, token)));
    const won = answers.findIndex(({ status }) => status === 201);
    const lost = tokens.filter((_, n) => n !== won);
    for (const token of lost) expect(notify(await stage.signIn(seated, token))).to.deep.equal([409, 'no_free_seat']);
    expect(notify(await stage.signIn(seated, tokens[won]!))).to.deep.equal([401, 'user_token_replayed']);
    const [member] = (await stage.operator('members.list', { workspace: small.id })).members;
    await stage.operator('members.disable', { workspace: small.id, id: member.id });
    expect((await stage.signIn(seated, lost[0]!)).status).to.equal(201);
  });

  it('that was used before changes nothing, and enables no disabled member', async () => {
    const one = await newStore();
    await stage.signIn(partner, partnerToken('boss', [{ ...one, role: 'owner' }]));
    const token = partnerToken('ebyan', listing(one));
    expect((await stage.signIn(partner, token)).status).to.equal(201);
    await stage.call(partner.secret.key, 'DELETE', `/partner/stores/${one.externalRef}/members/ebyan`);
    expect(notify(await stage.signIn(partner, token))).to.deep.equal([401, 'user_token_replayed']);
    const { members } = await stage.operator('members.list', { workspace: one.id });
    expect(members.map(({ status }: Any) => status)).to.deep.equal(['active', 'disabled']);
  });

  it('in some of its stores opens the others, and reports the omitted ones with reasons', async () => {
    const [full, open, closed] = [await newStore(seated), await newStore(seated), await newStore(seated)];
    await stage.operator('members.add', {
      workspace: full.id,
      email: 'x@example.com',
      role: 'owner',
      status: 'active',
    });
    await stage.operator('stores.suspend', { workspace: closed.id });
    const nowhere = { externalRef: 'nowhere' };
    const expected = listing(nowhere, full, open, closed);
    const started = await stage.signIn(seated, partnerToken('fadumo', expected, seated));
    expect(started.status, JSON.stringify(started.body)).to.equal(201);
    expect(started.body.stores.map((one: Any) => one.externalRef)).to.deep.equal([open.externalRef]);
    expect(leftOut(started)).to.deep.equal([
      ['nowhere', 'not_found'],
      [full.externalRef, 'no_free_seat'],
      [closed.externalRef, 'store_closed'],
    ]);
    expect(started.body.storesLeftOut[1].detail).to.equal('The plan has 1 seat, and none is free.');
    expect((await stage.call(started.body.token, 'GET', `/workspaces/${full.id}/members`)).body.code).to.equal(
      'not_found',
    );
    const refreshed = await stage.call(started.body.token, 'POST', '/sdk/sessions/refresh');
    expect(refreshed.body.storesLeftOut).to.deep.equal(started.body.storesLeftOut);
    const all = await stage.signIn(seated, partnerToken('fadumo', listing(open), seated));
    expect(all.body).to.not.have.property('storesLeftOut');
  });

  it('in all of its stores is rejected as in the first, with the problem of each', async () => {
    const [full, closed] = [await newStore(seated), await newStore(seated)];
    await stage.operator('members.add', {
      workspace: full.id,
      email: 'x@example.com',
      role: 'owner',
      status: 'active',
    });
    await stage.operator('stores.suspend', { workspace: closed.id });
    const expected = listing(full, closed, { externalRef: 'nowhere' });
    const answer = await stage.signIn(seated, partnerToken('geedi', expected, seated));
    expect(notify(answer)).to.deep.equal([409, 'no_free_seat']);
    expect(answer.body.detail).to.include(full.externalRef);
    expect(answer.body.errors.map(({ location, message }: Any) => [location, message])).to.deep.equal([
      ['userToken.stores[0]', 'The plan has 1 seat, and none is free.'],
      ['userToken.stores[1]', 'The store is closed, and the user is not an active member of it.'],
      ['userToken.stores[2].externalRef', 'is not a store of the partner'],
    ]);
    const { members } = await stage.operator('members.list', { workspace: full.id });
    expect(members, 'nobody was joined').to.have.length(1);
  });
});
