/** Access of test-mode keys to every operation of a store, and stores that refuse test-mode keys. */
import { expect } from 'chai';
import type { KeyedOperation } from '../../api/contract/operation.js';
import { operations } from '../../api/operations/index.js';
import { WORKSPACE_SCOPES } from '../../domain/access/scopes.js';
import { isProblem } from '../support/conformance/answers.js';
import { bodyOf, newParams } from '../support/conformance/samples.js';
import { type ConformanceStage, conformanceStage, isPartners, operationNamed } from '../support/conformance/stage.js';
import { jwt } from '../support/stages/sessionStage.js';

const ofStores = operations.filter((one): one is KeyedOperation => one.scope !== null && !isPartners(one));
const named = (id: string) => operationNamed(operations, id);

describe('keys of the test mode', () => {
  let stage: ConformanceStage;
  /** Credentials of the main store, by mode. */
  const own = { live: '', test: '' };
  const partners = { live: '', test: '' };
  const publishable = { live: '', test: '' };
  const sessions = { live: '', test: '' };

  const userToken = (mode: 'live' | 'test'): string =>
    jwt(
      {
        sub: `user-${mode}`,
        jti: `${mode}-${Math.random()}`,
        exp: Math.floor(Date.now() / 1000) + 300,
        email: `${mode}@example.com`,
        email_verified: true,
        role: 'owner',
      },
      own[mode],
    );
  const signIn = (mode: 'live' | 'test') =>
    stage.call(named('createSDKSession'), {
      key: null,
      body: { publishableKey: publishable[mode], userToken: userToken(mode) },
    });
  const set = (how: 'refuse' | 'accept') =>
    stage.operator('stores.testKeys', { workspace: stage.main.store.workspaceId, set: how });
  const orders = (key: string, store = stage.main.store) => stage.call(named('listOrders'), { key }, store);

  before(async () => {
    stage = await conformanceStage();
    const { workspaceId: workspace } = stage.main.store;
    for (const mode of ['live', 'test'] as const) {
      const key = async (owner: object, more: object) =>
        (await stage.operator('keys.create', { ...owner, mode, ...more })).key as string;
      own[mode] = await key({ workspace }, { scopes: WORKSPACE_SCOPES });
      partners[mode] = await key({ partner: stage.main.id }, { scopes: ['partner.stores:view', ...WORKSPACE_SCOPES] });
      publishable[mode] = await key({ workspace }, { kind: 'publishable' });
      sessions[mode] = (await signIn(mode)).body.token;
    }
  });
  after(() => stage.close());

  it('have the same access as live keys, as documented', async () => {
    await stage.call(named('upsertProduct'), {
      key: own.live,
      params: { externalId: 'shirt' },
      body: { name: 'Shirt', imageUrls: ['https://cdn.example.com/1.jpg'], priceCents: 1200 },
    });
    const orderId = await stage.order();
    for (const key of [own.test, partners.test, sessions.test]) {
      const { status, body } = await orders(key);
      expect([status, body.orders[0].id]).to.deep.equal([200, orderId]);
    }
    const { info } = stage.document as unknown as { info: { description: string } };
    expect(info.description).to.include('the same data as live ones').and.include('test_key_refused');
  });

  describe('in a store that rejects them', () => {
    before(() => set('refuse'));
    after(() => set('accept'));

    for (const operation of ofStores)
      it(`are rejected by ${operation.id}`, async () => {
        const requested = { params: newParams(operation), body: bodyOf(stage, operation) };
        for (const key of [own.test, partners.test, sessions.test])
          isProblem(await stage.call(operation, { ...requested, key }), 403, 'test_key_refused');
      });

    it('open no session in it; live keys still do, and so do test keys in other stores', async () => {
      isProblem(await signIn('test'), 403, 'test_key_refused');
      expect((await signIn('live')).status).to.equal(201);
      for (const key of [own.live, partners.live, sessions.live]) expect((await orders(key)).status).to.equal(200);
      expect((await orders(partners.test, stage.sibling)).status).to.equal(200);
      const stores = await stage.call(named('listPartnerApiStores'), { key: partners.test });
      expect(stores.status).to.equal(200);
      expect(JSON.stringify(stores.body)).to.not.include('refused');
    });
  });

  it('are accepted again when the store allows it; repeating the setting changes nothing', async () => {
    await set('refuse');
    isProblem(await orders(own.test), 403, 'test_key_refused');
    expect(await set('accept')).to.include({ testKeys: 'accepted' });
    expect(await set('accept')).to.include({ testKeys: 'accepted' });
    for (const key of [own.test, partners.test, sessions.test]) expect((await orders(key)).status).to.equal(200);
  });
});
