/**
 * Cached reads in a single process that handles all commands. A read is repeated only after its sources change. A
 * cached answer is never outdated and never another caller's.
 */
import { expect } from 'chai';
import { type Operation, operation } from '../../api/contract/operation.js';
import { PageQuery } from '../../api/contract/schemas.js';
import { Type } from '../../api/contract/type.js';
import { catalogOperations } from '../../api/operations/catalog/index.js';
import { makeSessionToken } from '../../application/access/keys.js';
import type { AccessDirectory, CurrentMember, Principal, WorkspaceAccess } from '../../application/access/principal.js';
import { catalogStatus } from '../../projections/catalogStatus.js';
import { categories } from '../../projections/categories.js';
import { products } from '../../projections/products.js';
import { fakeClock } from '../support/doubles/fakeClock.js';
import { type ApiServer, secretKey, shopDirectory } from '../support/stages/apiServer.js';
import { openStage, type Stage } from '../support/stages/stage.js';

const ASHA = '5f0c7a9e-1111-4000-8000-000000000001';
const BILE = '5f0c7a9e-1111-4000-8000-000000000002';
const SCOPES = ['commerce:manage', 'orders:view'];
const session = (userId: string, memberId: string): Principal => ({
  ...secretKey(ASHA, ASHA, SCOPES),
  kind: 'session',
  session: {
    sessionId: `session-${userId}`,
    userId,
    tokenHash: userId,
    expiresAt: Number.MAX_SAFE_INTEGER,
    refreshUntil: Number.MAX_SAFE_INTEGER,
    stores: [{ workspaceId: ASHA, memberId }],
  },
});
const HODAN = makeSessionToken('5f0c7a9e-2222-4000-8000-000000000001');
const IDIL = makeSessionToken('5f0c7a9e-2222-4000-8000-000000000002');
const KEYS: Readonly<Record<string, Principal>> = {
  sk_test_asha: secretKey('key-asha', ASHA, SCOPES),
  sk_test_second: secretKey('key-second', ASHA, SCOPES),
  sk_test_bile: secretKey('key-bile', BILE, SCOPES),
  psk_test_one: { ...secretKey('key-one', '', SCOPES), kind: 'partner_key', partnerId: 'one' },
  psk_test_two: { ...secretKey('key-two', '', SCOPES), kind: 'partner_key', partnerId: 'two' },
  [HODAN]: session('hodan', 'm-hodan'),
  [IDIL]: session('idil', 'm-idil'),
};
const shirt = (cents: number) => ({
  name: 'Shirt',
  imageUrls: ['https://cdn.example.com/1.jpg'],
  priceCents: cents,
});

/** One operation for each source of an answer other than views and parameters. */
const shown = { tag: 'Shown', scope: 'commerce:manage', feature: 'commerce.catalog', answers: { 200: null } } as const;
const about = (id: string, made: Operation['handle']): Operation =>
  operation({
    ...shown,
    id,
    route: `GET {W}/shown/${id}`,
    summary: `Shows ${id}.`,
    query: PageQuery,
    async handle(request) {
      await request.read.count(products, { workspaceId: request.workspace.workspaceId }, 1);
      return made(request as never);
    },
  });
const shownOperations: Operation[] = [
  about('clock', async ({ now }) => ({ status: 200, body: { now } })),
  about('key', async ({ principal }) => ({ status: 200, body: { key: principal.keyId } })),
  about('teams', async ({ member }) => ({ status: 200, body: { teams: member?.teamIds ?? 'all' } })),
  about('me', async ({ member }) => ({ status: 200, body: { me: member?.memberId ?? 'nobody' } })),
  operation({
    ...shown,
    id: 'partner',
    route: 'GET {P}/shown',
    summary: 'Shows the partner.',
    async handle({ partner: { partnerId }, read }) {
      return { status: 200, body: { partnerId, stores: await read.count(products, { workspaceId: partnerId }, 1) } };
    },
  }),
  about('store', async ({ workspace: { status, features } }) => ({
    status: 200,
    body: { status, most: features.limit('x') ?? 'any' },
  })),
  operation({
    ...shown,
    id: 'echo',
    route: 'GET {W}/shown/echo/{word}',
    summary: 'Shows a word.',
    params: { word: Type.String({ maxLength: 10 }) },
    async handle({ params, workspace: { workspaceId }, read }) {
      return { status: 200, body: { word: params.word, some: await read.count(products, { workspaceId }, 1) } };
    },
  }),
];

interface Requested {
  readonly key?: string;
  readonly has?: string | undefined;
}

describe('cached reads', () => {
  let stage: Stage;
  let server: ApiServer;
  let queries = 0;
  let store: Partial<WorkspaceAccess>;
  let members: Record<string, Partial<CurrentMember>>;
  const clock = fakeClock();

  beforeEach(async () => {
    stage = await openStage('kept-reads', {
      clock,
      projections: [products, categories, catalogStatus],
      readsWait: { withinMs: 1_000 },
    });
    for (const query of ['get', 'getMany', 'find', 'count'] as const) {
      const request = stage.views[query] as (...args: unknown[]) => unknown;
      Object.assign(stage.views, {
        [query]: (...args: unknown[]) => {
          queries += 1;
          return request(...args);
        },
      });
    }
    store = {};
    members = { 'm-hodan': { teamIds: ['door'] }, 'm-idil': { teamIds: ['kitchen'] } };
    const known = shopDirectory((key) => KEYS[key], [ASHA, BILE]);
    const directory: AccessDirectory = {
      ...known,
      async workspace(id) {
        const found = await known.workspace(id);
        return found && { ...found, ...store };
      },
      partner: async (partnerId) => ({
        ...{ partnerId, name: 'Partner', slug: 'partner', status: 'active', planKey: 'all' },
        features: { has: () => true, limit: () => undefined, mark: 'all' },
      }),
      member: async (_, memberId) => ({
        memberId,
        role: 'agent',
        teamIds: [],
        seesEveryTeam: false,
        isActive: true,
        scopes: new Set(SCOPES),
        ...members[memberId],
      }),
    };
    server = await stage.serve({ operations: [...catalogOperations, ...shownOperations], directory });
  });
  afterEach(() => stage.close());

  const keyOf: Readonly<Record<string, string>> = { [ASHA]: 'sk_test_asha', [BILE]: 'sk_test_bile' };
  async function call(
    method: string,
    workspaceId: string,
    path: string,
    { key, has, body }: Requested & { body?: object } = {},
  ) {
    const before = queries;
    const place = workspaceId === '' ? 'partner/shown' : `workspaces/${workspaceId}${path}`;
    const answer = await fetch(`${server.url}/api/v1/${place}`, {
      method,
      headers: {
        authorization: `Bearer ${key ?? keyOf[workspaceId]}`,
        'content-type': 'application/json',
        ...(has !== undefined && { 'if-none-match': has }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      text,
      body: text === '' ? undefined : JSON.parse(text),
      etag: answer.headers.get('etag') ?? undefined,
      queries: queries - before,
    };
  }
  const put = (workspaceId: string, id: string, cents = 10_00) =>
    call('PUT', workspaceId, `/commerce/products/${id}`, { body: shirt(cents) });
  const list = (workspaceId: string, requested: Requested = {}, query = '?limit=200') =>
    call('GET', workspaceId, `/commerce/products${query}`, requested);
  const idsIn = (body: { products: { externalId: string }[] }): string[] =>
    body.products.map(({ externalId }) => externalId).sort();

  it('cost no query for clients with the current ETag, until something changes', async () => {
    await put(ASHA, 'a');
    const first = await list(ASHA);
    expect(first.queries).to.be.greaterThan(0);
    const again = await list(ASHA, { has: first.etag });
    expect([again.status, again.text, again.etag, again.queries]).to.deep.equal([304, '', first.etag, 0]);
    await put(ASHA, 'b');
    const changed = await list(ASHA, { has: first.etag });
    expect([changed.status, idsIn(changed.body)]).to.deep.equal([200, ['a', 'b']]);
    expect(changed.etag).to.not.equal(first.etag);
  });

  it('cost no query for others either, from the second request on', async () => {
    await put(ASHA, 'a');
    const first = await list(ASHA);
    const second = await list(ASHA);
    const third = await list(ASHA, { key: 'sk_test_second' });
    expect([third.status, third.text, third.etag]).to.deep.equal([200, first.text, first.etag]);
    expect(second.text).to.equal(first.text);
    expect(third.queries).to.equal(0);
  });

  it('are unaffected by changes in another store', async () => {
    await put(ASHA, 'a');
    const { etag } = await list(ASHA);
    await put(BILE, 'b');
    expect(idsIn((await list(BILE)).body)).to.deep.equal(['b']);
    const again = await list(ASHA, { has: etag });
    expect([again.status, again.queries]).to.deep.equal([304, 0]);
  });

  it('show each change once acknowledged, to every polling client, however many write', async () => {
    const tags = new Map<string, string | undefined>();
    await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const workspaceId = i % 3 === 0 ? BILE : ASHA;
        expect((await put(workspaceId, `p${i}`)).status).to.equal(201);
        const polled = await list(workspaceId, { has: tags.get(workspaceId) });
        if (polled.status === 304) throw new Error(`p${i} had been answered, and the list was 304`);
        expect(idsIn(polled.body)).to.include(`p${i}`);
        const { etag, body } = await list(workspaceId);
        expect(idsIn(body)).to.include(`p${i}`);
        tags.set(workspaceId, etag);
      }),
    );
  });

  it('wait in a store with changes, as a query would, and in no other', async () => {
    await put(ASHA, 'a');
    await put(BILE, 'b');
    const asha = (await list(ASHA)).etag;
    const bile = (await list(BILE)).etag;
    const release = stage.holdViews();
    await put(ASHA, 'a', 12_00);
    const late = list(ASHA, { has: asha });
    expect((await list(BILE, { has: bile })).status).to.equal(304);
    release();
    expect((await late).body.products[0].priceCents).to.equal(12_00);
  });

  it('are renewed when their projection is rebuilt', async () => {
    await put(ASHA, 'a');
    const first = await list(ASHA);
    await stage.projections.rebuild('products');
    while ((await stage.projections.status()).some(({ state }) => state !== 'live'))
      await new Promise((resolve) => setTimeout(resolve, 5));
    const again = await list(ASHA, { has: first.etag });
    expect([again.status, again.queries > 0]).to.deep.equal([304, true]);
  });

  it('are separate for other parameters, and for callers with other permissions', async () => {
    await put(ASHA, 'a');
    await put(ASHA, 'b');
    await put(BILE, 'c');
    for (const workspaceId of [ASHA, ASHA, ASHA, BILE, BILE, BILE])
      expect(idsIn((await list(workspaceId)).body)).to.deep.equal(workspaceId === ASHA ? ['a', 'b'] : ['c']);
    for (const limit of [1, 2, 1, 2])
      expect((await list(ASHA, {}, `?limit=${limit}`)).body.products).to.have.length(limit);
    const teams = async (key: string) => (await call('GET', ASHA, '/shown/teams', { key })).body.teams;
    for (const _ of [1, 2, 3]) {
      expect(await teams(HODAN)).to.deep.equal(['door']);
      expect(await teams(IDIL)).to.deep.equal(['kitchen']);
      expect(await teams('sk_test_asha')).to.equal('all');
    }
    members = {};
    const me = async (key: string) => (await call('GET', ASHA, '/shown/me', { key })).body.me;
    const partner = async (key: string) => (await call('GET', '', '', { key })).body.partnerId;
    for (const _ of [1, 2, 3]) {
      expect([await me(HODAN), await me(IDIL)]).to.deep.equal(['m-hodan', 'm-idil']);
      expect([await partner('psk_test_one'), await partner('psk_test_two')]).to.deep.equal(['one', 'two']);
    }
  });

  it('do not bypass access checks', async () => {
    await put(ASHA, 'a');
    const { etag } = await list(ASHA);
    await list(ASHA);
    await list(ASHA);
    for (const has of [undefined, etag, '*']) {
      const foreign = await list(ASHA, { key: 'sk_test_bile', has });
      expect([foreign.status, foreign.body.code]).to.deep.equal([404, 'not_found']);
      expect((await list(ASHA, { key: 'sk_test_unknown', has })).status).to.equal(401);
    }
  });

  it("are renewed at once when the caller's permissions change", async () => {
    const teams = () => call('GET', ASHA, '/shown/teams', { key: HODAN });
    for (const _ of [1, 2, 3]) expect((await teams()).body.teams).to.deep.equal(['door']);
    members['m-hodan'] = { teamIds: ['door', 'kitchen'] };
    expect((await teams()).body.teams).to.deep.equal(['door', 'kitchen']);
    const existing = () => call('GET', ASHA, '/shown/store');
    for (const _ of [1, 2, 3]) expect((await existing()).body).to.deep.equal({ status: 'active', most: 'any' });
    store = { status: 'suspended' };
    expect((await existing()).body).to.deep.equal({ status: 'suspended', most: 'any' });
    store = { features: { has: () => true, limit: () => 5, mark: 'five' } };
    expect((await existing()).body).to.deep.equal({ status: 'active', most: 5 });
  });

  it('are never cached if they depend on more than views, such as the clock or the key', async () => {
    for (const _ of [1, 2, 3]) {
      await clock.advance(1_000);
      expect((await call('GET', ASHA, '/shown/clock')).body.now).to.equal(clock.now());
      for (const [key, id] of [
        ['sk_test_asha', 'key-asha'],
        ['sk_test_second', 'key-second'],
      ] as const)
        expect((await call('GET', ASHA, '/shown/key', { key })).body.key).to.equal(id);
    }
  });

  it('are rejected for invalid parameters, however often they are sent', async () => {
    for (const _ of [1, 2, 3]) {
      expect((await list(ASHA, { has: '*' }, '?limit=0')).status).to.equal(422);
      expect((await call('GET', ASHA, '/shown/echo/12345678901')).status).to.equal(422);
      expect((await call('GET', ASHA, '/shown/echo/hello')).body.word).to.equal('hello');
    }
  });
});
