import { expect } from 'chai';
import { partnerOperations } from '../../api/operations/partners/index.js';
import { streamName } from '../../engine/ports/eventStore.js';
import { type AccessStage, openAccessStage } from '../support/stages/accessStage.js';

const shop = (externalRef: string) => ({
  externalRef,
  name: 'Hodan Fashion',
  owner: { email: 'hodan@example.com', name: 'Hodan Ali' },
  country: 'so',
  timezone: 'Africa/Mogadishu',
  locale: 'so',
});

describe('Partner API', () => {
  let stage: AccessStage;
  let alpha: { id: string; key: string; keyId: string };
  let beta: { id: string; key: string; keyId: string };
  before(async () => {
    stage = await openAccessStage();
    alpha = await stage.partner('alpha');
    beta = await stage.partner('beta');
  });
  after(() => stage.close());

  const create = (key: string, ref: string) => stage.call(key, 'POST', '/partner/stores', shop(ref));
  const codeOf = (answer: { status: number; body: { code?: string } }) => [answer.status, answer.body.code];

  it('shows the profile with the features of the default plan', async () => {
    const { status, body } = await stage.call(alpha.key, 'GET', '/partner');
    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      id: alpha.id,
      name: 'Partner alpha',
      slug: 'alpha',
      status: 'active',
      defaultPlan: { key: 'standard', name: 'Standard' },
      features: [
        { key: 'commerce.catalog', enabled: true },
        { key: 'commerce.products.max', enabled: true, limit: 10 },
        { key: 'workspace.core', enabled: true },
      ],
    });
  });

  it('creates a store, and returns an existing one unchanged', async () => {
    const made = await create(alpha.key, 'first');
    expect(made.status).to.equal(201);
    expect(made.body).to.include({ externalRef: 'first', country: 'SO', status: 'active', locale: 'so' });
    expect(made.body).to.have.all.keys(
      ...['workspaceId', 'externalRef', 'name', 'owner', 'country', 'timezone', 'locale', 'status', 'createdAt'],
    );
    const again = await stage.call(alpha.key, 'POST', '/partner/stores', { ...shop('first'), name: 'Another' });
    expect(again.status).to.equal(200);
    expect(again.body).to.deep.equal(made.body);
    const read = await stage.call(alpha.key, 'GET', '/partner/stores/first');
    expect(read.body).to.deep.equal(made.body);
  });

  it('creates one store for twenty concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(alpha.key, 'rush')));
    expect(answers.filter(({ status }) => status === 201)).to.have.length(1);
    expect(answers.filter(({ status }) => status === 200)).to.have.length(19);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).to.equal(1);
    const events = await stage.instance.services.eventStore.readStream(
      streamName('store', answers[0]!.body.workspaceId),
    );
    expect(events.map(({ type }) => type)).to.deep.equal(['StoreCreated']);
  });

  it('replays the response to a repeated Idempotency-Key', async () => {
    const send = () => stage.call(alpha.key, 'POST', '/partner/stores', shop('keyed'), { 'idempotency-key': 'once' });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status]).to.deep.equal([201, 201]);
    expect(second.body).to.deep.equal(first.body);
  });

  it('closes, renames while closed, and reopens', async () => {
    await create(alpha.key, 'turn');
    const closed = await stage.call(alpha.key, 'POST', '/partner/stores/turn/close');
    expect([closed.status, closed.body.status]).to.deep.equal([200, 'suspended']);
    expect(closed.body.closedAt).to.be.a('string');
    const again = await stage.call(alpha.key, 'POST', '/partner/stores/turn/close');
    expect([again.status, again.body]).to.deep.equal([200, closed.body]);
    expect((await stage.instance.services.directory.workspace(closed.body.workspaceId))?.status).to.equal('suspended');
    const renamed = await stage.call(alpha.key, 'PATCH', '/partner/stores/turn', { name: 'Renamed' });
    expect(renamed.body).to.include({ name: 'Renamed', status: 'suspended' });
    const opened = await stage.call(alpha.key, 'PATCH', '/partner/stores/turn', { status: 'active' });
    expect(opened.body).to.include({ name: 'Renamed', status: 'active' }).and.not.have.property('closedAt');
    expect((await stage.instance.services.directory.workspace(closed.body.workspaceId))?.status).to.equal('active');
    expect((await stage.call(alpha.key, 'PATCH', '/partner/stores/turn', {})).body).to.deep.equal(opened.body);
  });

  it('does not let a partner open or close a suspended store', async () => {
    const { body } = await create(alpha.key, 'held');
    await stage.operator('stores.suspend', { workspace: body.workspaceId, reason: 'fraud' });
    const open = await stage.call(alpha.key, 'PATCH', '/partner/stores/held', { status: 'active', name: 'Changed' });
    expect(codeOf(open)).to.deep.equal([409, 'store_not_reopenable']);
    expect(codeOf(await stage.call(alpha.key, 'POST', '/partner/stores/held/close'))).to.deep.equal([
      409,
      'store_not_closable',
    ]);
    const current = await stage.call(alpha.key, 'GET', '/partner/stores/held');
    expect(current.body).to.include({ status: 'suspended', name: 'Hodan Fashion' }).and.not.have.property('closedAt');
    await stage.operator('stores.reinstate', { workspace: body.workspaceId });
    expect((await stage.call(alpha.key, 'GET', '/partner/stores/held')).body.status).to.equal('active');
  });

  it('lists newest first, page by page, each store once', async () => {
    const gamma = await stage.partner('gamma');
    for (const ref of ['s1', 's2', 's3', 's4', 's5']) await create(gamma.key, ref);
    const listed: { externalRef: string; createdAt: string }[] = [];
    let query = '?limit=2';
    for (let pages = 0; query !== ''; pages++) {
      expect(pages).to.be.lessThan(4);
      const { body } = await stage.call(gamma.key, 'GET', `/partner/stores${query}`);
      listed.push(...body.stores);
      query = body.next === undefined ? '' : `?limit=2&cursor=${encodeURIComponent(body.next)}`;
    }
    expect(listed.map((one) => one.externalRef).sort()).to.deep.equal(['s1', 's2', 's3', 's4', 's5']);
    const times = listed.map((one) => one.createdAt);
    expect(times).to.deep.equal([...times].sort().reverse());
    expect(new Set(times).size, 'made at different times').to.be.greaterThan(1);
  });

  it('reports every problem of a new store, with its path', async () => {
    const owner = { email: `${'x'.repeat(320)}@example.com`, name: '' };
    const wrong = { ...shop('not valid'), owner, country: 'SOM', locale: 'fr', extra: 1 };
    const { status, body } = await stage.call(alpha.key, 'POST', '/partner/stores', wrong);
    expect([status, body.code]).to.deep.equal([422, 'validation_failed']);
    const places = body.errors.map((error: { location: string }) => error.location);
    for (const place of ['externalRef', 'owner.email', 'owner.name', 'country', 'locale'])
      expect(places).to.include(`body.${place}`);
    const zone = await stage.call(alpha.key, 'POST', '/partner/stores', { ...shop('zone'), timezone: 'Mars/Base' });
    expect(codeOf(zone)).to.deep.equal([422, 'validation_failed']);
    expect(zone.body.errors[0]).to.include({ location: 'body.timezone', value: 'Mars/Base' });
    expect((await stage.call(alpha.key, 'GET', '/partner/stores/zone')).status).to.equal(404);
  });

  it('rejects a country that ISO 3166-1 has not assigned, and a reference that cannot appear in a path', async () => {
    for (const country of ['ZZ', 'aa', 'UK', 'EU', 'XK']) {
      const { status, body } = await stage.call(alpha.key, 'POST', '/partner/stores', { ...shop('nowhere'), country });
      expect([status, body.code], country).to.deep.equal([422, 'validation_failed']);
      expect(body.errors[0]).to.include({ location: 'body.country', value: country });
    }
    for (const externalRef of ['.', '..']) {
      const { status, body } = await stage.call(alpha.key, 'POST', '/partner/stores', shop(externalRef));
      expect([status, body.code], externalRef).to.deep.equal([422, 'validation_failed']);
      expect(body.errors[0]).to.include({ location: 'body.externalRef', value: externalRef });
    }
    const wrong = { ...shop('..'), country: 'ZZ', timezone: 'Mars/Base' };
    const all = await stage.call(alpha.key, 'POST', '/partner/stores', wrong);
    expect(all.body.errors.map(({ location }: { location: string }) => location)).to.have.members(
      ['country', 'timezone', 'externalRef'].map((field) => `body.${field}`),
    );
    for (const reachable of ['...', '.well', 'a..b'])
      expect((await create(alpha.key, reachable)).status, reachable).to.equal(201);
  });

  it("never shows one partner's stores to another: every operation on them answers 404", async () => {
    const mine = await create(alpha.key, 'mine');
    const all = await stage.call(beta.key, 'GET', '/partner/stores');
    expect(all.body.stores).to.deep.equal([]);
    const onStores = partnerOperations.filter(({ route }) => /\{externalRef\}(\/close)?$/.test(route));
    expect(onStores).to.have.length(3);
    for (const { id, route } of onStores) {
      const [method = '', path = ''] = route.replace('{P}', '/partner').replace('{externalRef}', 'mine').split(' ');
      const answer = await stage.call(beta.key, method, path, method === 'PATCH' ? { name: 'Taken' } : undefined);
      expect(codeOf(answer), id).to.deep.equal([404, 'not_found']);
    }
    const own = await create(beta.key, 'mine');
    expect([own.status, own.body.workspaceId === mine.body.workspaceId]).to.deep.equal([201, false]);
    expect((await stage.call(alpha.key, 'GET', '/partner/stores/mine')).body).to.deep.equal(mine.body);
  });

  it('rejects a key from its revocation on', async () => {
    const made = await stage.operator('keys.create', {
      partner: beta.id,
      mode: 'test',
      scopes: ['partner.account:view'],
    });
    expect((await stage.call(made.key, 'GET', '/partner')).status).to.equal(200);
    expect(codeOf(await stage.call(made.key, 'GET', '/partner/stores'))).to.deep.equal([403, 'permission_denied']);
    expect(await stage.operator('keys.revoke', { id: made.id })).to.deep.equal({ id: made.id, revoked: true });
    expect(codeOf(await stage.call(made.key, 'GET', '/partner'))).to.deep.equal([401, 'unauthenticated']);
  });

  it('gives a suspended partner read-only access', async () => {
    const delta = await stage.partner('delta');
    await create(delta.key, 'kept');
    await stage.operator('partners.suspend', { id: delta.id });
    expect((await stage.call(delta.key, 'GET', '/partner')).body.status).to.equal('suspended');
    expect((await stage.call(delta.key, 'GET', '/partner/stores/kept')).status).to.equal(200);
    expect(codeOf(await create(delta.key, 'more'))).to.deep.equal([403, 'permission_denied']);
    await stage.operator('partners.reinstate', { id: delta.id });
    expect((await create(delta.key, 'more')).status).to.equal(201);
  });
});

describe("the operator's commands", () => {
  let stage: AccessStage;
  before(async () => {
    stage = await openAccessStage();
  });
  after(() => stage.close());

  const refusal = (command: string, input: object): Promise<string> =>
    stage.operator(command, input).then(
      () => 'not refused',
      (error) => error.code,
    );

  it('assign a slug to one partner, also for two concurrent requests', async () => {
    const expected = { name: 'Twin', slug: 'twin', plan: 'standard' };
    const codes = await Promise.all([refusal('partners.create', expected), refusal('partners.create', expected)]);
    expect(codes.sort()).to.deep.equal(['name_taken', 'not refused']);
    expect((await stage.operator('partners.list', {})).partners).to.have.length(1);
    expect(await refusal('partners.create', { name: 'X', slug: 'x', plan: 'none' })).to.equal('plan_not_found');
  });

  it('complete a creation that stopped between the slug and the partner', async () => {
    const context = { commandId: 'c', correlationId: 'c', actor: { type: 'system' } as const };
    const { partnerSlug, takeSlug } = await import('../../domain/partners/partner.js');
    const slug = { slug: 'half', partnerId: '77777777-7777-4777-8777-777777777777' };
    await stage.instance.services.commandHandler.decide(context, partnerSlug, 'half', takeSlug(slug));
    const made = await stage.operator('partners.create', { name: 'Half', slug: 'half', plan: 'standard' });
    expect(made.id).to.equal(slug.partnerId);
  });

  it('list keys without secrets', async () => {
    const epsilon = await stage.partner('epsilon');
    const listed = await stage.operator('keys.list', { partner: epsilon.id });
    expect(listed.keys).to.have.length(1);
    expect(listed.keys[0]).to.include({ keyId: epsilon.keyId, last4: epsilon.key.slice(-4) });
    expect(JSON.stringify(listed)).to.not.include(epsilon.key);
    expect(listed.keys[0]).to.not.have.any.keys('hash', 'sealed');
  });

  it('store no key in plain text', async () => {
    const { id, key } = await stage.partner('zeta');
    const events = await stage.instance.services.eventStore.readStream(streamName('partner', id));
    expect(events.map(({ type }) => type)).to.deep.equal(['PartnerCreated', 'KeyCreated']);
    expect(JSON.stringify(events)).to.not.include(key);
    expect(events[1]!.meta)
      .to.include({ partnerId: id })
      .and.have.deep.property('actor', { type: 'system', id: 'operator' });
  });

  it('connect a number: generated for the sandbox, one per store, changed on request, never shared by two stores', async () => {
    const alone = { name: 'Alone', ownerEmail: 'a@example.com', ownerName: 'A', country: 'so', timezone: 'UTC' };
    const one = await stage.operator('stores.create', { ...alone, plan: 'standard' });
    const two = await stage.operator('stores.create', { ...alone, plan: 'standard' });
    const first = await stage.operator('numbers.connect', { workspace: one.workspaceId });
    expect(first.webhookUrl).to.match(/\/channel\/webhook$/);
    for (const id of ['phoneNumberId', 'businessAccountId', 'catalogId']) expect(first[id]).to.match(/^\d{15}$/);
    expect(first.displayPhoneNumber).to.match(/^\+1555\d{7}$/);
    expect(await stage.operator('numbers.connect', { workspace: one.workspaceId })).to.deep.equal(first);
    const changed = await stage.operator('numbers.connect', {
      workspace: one.workspaceId,
      catalogId: '987654321',
      accessToken: 'EAAG-secret',
    });
    expect(changed).to.deep.equal({ ...first, catalogId: '987654321' });
    const { numbers } = await stage.operator('numbers.list', {});
    expect(numbers).to.have.length(1);
    expect(numbers[0])
      .to.include({ catalogId: '987654321', ownAccessToken: true })
      .and.not.have.property('accessTokenSealed');
    const taken = { workspace: two.workspaceId, phoneNumberId: first.phoneNumberId };
    expect(await refusal('numbers.connect', taken)).to.equal('number_taken');
    expect(await refusal('numbers.connect', { workspace: one.workspaceId, phoneNumberId: '555555' })).to.equal(
      'number_already_connected',
    );
  });

  it('reject a store in no country of ISO 3166-1, and a reference that cannot appear in a path', async () => {
    const { id } = await stage.partner('nowhere');
    const expected = { name: 'Alone', ownerEmail: 'a@example.com', ownerName: 'A', timezone: 'UTC' };
    for (const [more, place] of [
      [{ country: 'ZZ', plan: 'standard' }, 'country'],
      [{ country: 'SOM', plan: 'standard' }, 'country'],
      [{ country: 'SO', partner: id, externalRef: '..' }, 'externalRef'],
    ] as const) {
      const refused = await stage.operator('stores.create', { ...expected, ...more }).catch((error) => error);
      expect([refused.code, refused.problems?.[0]?.location], JSON.stringify(more)).to.deep.equal([
        'validation_failed',
        place,
      ]);
    }
  });

  it('reject incomplete or unknown input', async () => {
    expect(await refusal('keys.create', { mode: 'live', scopes: ['orders:view'] })).to.equal('validation_failed');
    expect(await refusal('keys.create', { partner: 'p', workspace: 'w', mode: 'live' })).to.equal('validation_failed');
    expect(await refusal('keys.create', { workspace: 'none', mode: 'live', scopes: ['orders:view'] })).to.equal(
      'not_found',
    );
    expect(await refusal('keys.revoke', { id: 'none' })).to.equal('not_found');
    expect(await refusal('projections.rebuild', { name: 'none' })).to.equal('not_found');
    expect(await refusal('history.order', { id: 'none' })).to.equal('not_found');
    expect(await refusal('toString', {})).to.equal('unknown_command');
  });
});
