/** Linking by email over HTTP, in a store whose partner also signs user tokens. */
import { expect } from 'chai';
import { type Any, jwt, type Keys, openSessionStage, type SessionStage } from '../support/stages/sessionStage.js';

describe('signing in with somebody else’s email', () => {
  let stage: SessionStage;
  let partner: Keys;
  let count = 0;
  before(async () => {
    stage = await openSessionStage();
    partner = await stage.partner('acme');
  });
  after(() => stage.close());

  interface Stage extends Keys {
    readonly externalRef: string;
  }
  async function newStore(): Promise<Stage> {
    const externalRef = `s-${++count}`;
    const id = await stage.partnerStore(partner.id, externalRef);
    const secret = await stage.key({ workspace: id }, { scopes: ['orders:view', 'members:view'] });
    return { id, externalRef, secret, publishable: await stage.key({ workspace: id }, { kind: 'publishable' }) };
  }
  async function opened(keys: Keys, claims: object): Promise<Any> {
    const answer = await stage.signIn(keys, jwt(claims, keys.secret.key));
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return answer.body;
  }
  /** Signs in with a token of the partner, which may claim any email. */
  const asPartnersUser = ({ externalRef }: Stage, sub: string, email?: string, role = 'agent'): Promise<Any> =>
    opened(partner, stage.claims(sub, { name: sub, email, stores: [{ externalRef, role }] }));
  /** Signs in with a token of the store, which has verified the email. */
  const asHerself = (store: Stage, email = 'asha@example.com'): Promise<Any> =>
    opened(store, stage.claims('asha', { email }));
  const invite = (store: Stage, more: object = {}): Promise<Any> =>
    stage.operator('members.add', { workspace: store.id, email: 'asha@example.com', role: 'owner', ...more });
  const list = async (store: Stage): Promise<Record<string, Any>> => {
    const { members } = (await stage.call(store.secret.key, 'GET', `/workspaces/${store.id}/members`)).body;
    return Object.fromEntries(members.map((one: Any) => [one.id, one]));
  };

  it('does not give the owner of the email access to the member created with it', async () => {
    const store = await newStore();
    const [{ memberId: theirs }] = (await asPartnersUser(store, 'mallory', 'Asha@example.com', 'owner')).stores;
    expect((await list(store))[theirs].email).to.equal('asha@example.com');
    const { memberId: hers, token } = await asHerself(store);
    expect(hers).to.not.equal(theirs);
    const shown = await list(store);
    expect(shown[hers]).to.include({ email: 'asha@example.com', role: 'agent', status: 'active' });
    expect(shown[theirs]).to.include({ email: `${theirs}@members.invalid`, role: 'owner', status: 'active' });
    const again = await asPartnersUser(store, 'mallory', 'asha@example.com', 'owner');
    expect(again.stores[0].memberId, 'the link stays').to.equal(theirs);
    expect((await list(store))[theirs].email, 'and gets no email').to.equal(`${theirs}@members.invalid`);
    expect((await stage.call(token, 'GET', `/workspaces/${store.id}/members`)).status).to.equal(200);
  });

  it('does not take over an invited owner', async () => {
    const store = await newStore();
    const { id: owner } = await invite(store);
    const [{ memberId: theirs }] = (await asPartnersUser(store, 'mallory', 'asha@example.com')).stores;
    expect(theirs).to.not.equal(owner);
    const shown = await list(store);
    expect(shown[owner]).to.include({ email: 'asha@example.com', role: 'owner', status: 'invited' });
    expect(shown[theirs].email).to.equal(`${theirs}@members.invalid`);
    expect((await asHerself(store)).memberId, 'it is still hers').to.equal(owner);
    expect((await list(store))[owner]).to.include({ role: 'owner', status: 'active' });
  });

  it('does not prevent an invitation by the email', async () => {
    const store = await newStore();
    const [{ memberId: theirs }] = (await asPartnersUser(store, 'mallory', 'asha@example.com')).stores;
    const { id: owner } = await invite(store);
    const shown = await list(store);
    expect([shown[owner].email, shown[theirs].email]).to.deep.equal(['asha@example.com', `${theirs}@members.invalid`]);
    expect((await asHerself(store)).memberId).to.equal(owner);
  });

  it("needs the operator's confirmation for a partner’s user", async () => {
    const store = await newStore();
    const { id } = await invite(store, { partnerUser: 'asha-17' });
    expect((await asPartnersUser(store, 'asha-17', 'else@example.com', 'owner')).stores[0].memberId).to.equal(id);
    expect((await list(store))[id].email, 'the partner’s token changes no verified one').to.equal('asha@example.com');
    expect((await asHerself(store)).memberId).to.equal(id);
    expect((await asHerself(await newStore(), 'x@example.com')).memberId).to.not.equal(id);
  });
});
