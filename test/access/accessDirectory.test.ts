import { expect } from 'chai';
import { BriefCache } from '../../application/access/briefCache.js';
import { createAccessDirectory } from '../../application/access/directory.js';
import { hashOf } from '../../application/access/keys.js';
import type { StoredDocument } from '../../engine/ports/documents.js';
import type { Reads } from '../../engine/projections/reads.js';
import { watchViews } from '../../engine/projections/viewWatch.js';
import { viewChanges } from '../../service/composition/threads/projectionsStart.js';
import { fakeClock } from '../support/doubles/fakeClock.js';

interface Row {
  readonly keys?: Readonly<Record<string, string | number | null>>;
  readonly body: object;
}

/** Returns reads over documents by `projection/id`, and counts how often each document is read. */
function documents(rows: Record<string, Row>) {
  const requested = new Map<string, number>();
  const absent = () => Promise.reject(new Error('the directory only gets by id'));
  const reads: Reads = {
    async get({ name }, id) {
      const place = `${name}/${id}`;
      requested.set(place, (requested.get(place) ?? 0) + 1);
      const row = rows[place];
      return row && ({ id, keys: row.keys ?? {}, body: row.body, json: '', revision: 0 } as StoredDocument<never>);
    },
    getMany: absent,
    find: absent,
    count: absent,
  };
  return { rows, reads, readsOf: (place: string) => requested.get(place) ?? 0 };
}

const storeKey = 'sk_live_store';
const partnerKey = 'psk_test_partner';
const workspaceId = '11111111-1111-4111-8111-111111111111';

const keyRow = (more: object): Row => ({
  body: { keyId: 'k1', kind: 'secret', mode: 'live', scopes: ['orders:view', 'orders:manage'], last4: 'tore', ...more },
});

const stage = () =>
  documents({
    [`apiKeys/${hashOf(storeKey)}`]: keyRow({ workspaceId }),
    [`apiKeys/${hashOf(partnerKey)}`]: keyRow({ partnerId: 'p1', mode: 'test' }),
    'partners/p1': { body: { id: 'p1', name: 'Acme', slug: 'acme', status: 'active', planKey: 'big' } },
    [`stores/${workspaceId}`]: {
      keys: { partnerId: 'p1', planKey: 'small' },
      body: { name: 'Hodan', status: 'active', country: 'SO', timezone: 'UTC', locale: 'so', externalRef: 'h' },
    },
    'plans/small': {
      body: {
        features: [
          { key: 'commerce.catalog', enabled: true },
          { key: 'commerce.orders', enabled: false },
          { key: 'commerce.products.max', enabled: true, limit: 10 },
        ],
      },
    },
  });

describe('access directory', () => {
  it("finds a store's key and a partner's key by their hash", async () => {
    const directory = createAccessDirectory({ reads: stage().reads, clock: fakeClock() });
    expect(await directory.principal(storeKey)).to.deep.equal({
      kind: 'secret_key',
      keyId: 'k1',
      mode: 'live',
      scopes: new Set(['orders:view', 'orders:manage']),
      workspaceId,
    });
    const found = await directory.principal(partnerKey);
    expect([found?.kind, found?.partnerId, found?.workspaceId, found?.mode]).to.deep.equal([
      'partner_key',
      'p1',
      undefined,
      'test',
    ]);
  });

  it('rejects unknown, revoked and publishable keys', async () => {
    const { rows, reads } = stage();
    rows[`apiKeys/${hashOf('sk_live_revoked')}`] = keyRow({ workspaceId, revokedAt: '2026-01-01T00:00:00.000Z' });
    rows[`apiKeys/${hashOf('pk_live_public')}`] = keyRow({ workspaceId, kind: 'publishable', scopes: [] });
    const directory = createAccessDirectory({ reads, clock: fakeClock() });
    for (const credential of ['sk_live_unknown', 'sk_live_revoked', 'pk_live_public'])
      expect(await directory.principal(credential), credential).to.equal(undefined);
  });

  it("gives a suspended partner's keys read-only access", async () => {
    const { rows, reads } = stage();
    rows['partners/p1'] = { body: { ...rows['partners/p1']!.body, status: 'suspended' } };
    const directory = createAccessDirectory({ reads, clock: fakeClock() });
    expect((await directory.principal(partnerKey))?.scopes).to.deep.equal(new Set(['orders:view']));
    expect((await directory.principal(storeKey))?.scopes.size, "a store's own key").to.equal(2);
  });

  it('gives a workspace the features of its own plan, and a partner those of its default plan', async () => {
    const directory = createAccessDirectory({ reads: stage().reads, clock: fakeClock() });
    const workspace = (await directory.workspace(workspaceId))!;
    expect([workspace.partnerId, workspace.externalRef, workspace.status]).to.deep.equal(['p1', 'h', 'active']);
    expect(workspace.features.has('commerce.catalog')).to.equal(true);
    expect(workspace.features.has('commerce.orders')).to.equal(false);
    expect(workspace.features.has('inbox')).to.equal(false);
    expect(workspace.features.limit('commerce.products.max')).to.equal(10);
    expect(workspace.features.limit('commerce.catalog')).to.equal(undefined);
    const partner = (await directory.partner('p1'))!;
    expect(partner.features.has('commerce.catalog'), 'its plan is gone').to.equal(false);
  });

  it('reads once a second, also for missing entries', async () => {
    const clock = fakeClock();
    const { reads, readsOf } = stage();
    const directory = createAccessDirectory({ reads, clock });
    const known = `apiKeys/${hashOf(storeKey)}`;
    const unknown = `apiKeys/${hashOf('sk_live_x')}`;
    for (let i = 0; i < 3; i++) {
      await Promise.all([directory.principal(storeKey), directory.principal(storeKey)]);
      await directory.principal('sk_live_x');
    }
    expect([readsOf(known), readsOf(unknown)]).to.deep.equal([1, 1]);
    await clock.advance(999);
    await directory.principal(storeKey);
    expect(readsOf(known)).to.equal(1);
    await clock.advance(1);
    await directory.principal(storeKey);
    await directory.principal('sk_live_x');
    expect([readsOf(known), readsOf(unknown)]).to.deep.equal([2, 2]);
  });

  it('reads again only what may have changed if changes are reported, but missing entries each second', async () => {
    const clock = fakeClock();
    const { rows, reads, readsOf } = stage();
    const changes = viewChanges();
    const behind = new Set<string>();
    const watch = watchViews(changes, { isBehind: (projection) => behind.has(projection) });
    const directory = createAccessDirectory({ reads, clock, watch });
    const place = `stores/${workspaceId}`;
    const nameAfterASecond = async () => {
      await clock.advance(1000);
      await directory.principal('sk_live_x');
      return (await directory.workspace(workspaceId))?.name;
    };
    const renamed = (name: string) => {
      const row = rows[place]!;
      rows[place] = { ...row, body: { ...row.body, name } };
    };
    expect(await nameAfterASecond()).to.equal('Hodan');
    changes.heard({ categories: { order: [workspaceId], catalog: null } });
    expect([await nameAfterASecond(), await nameAfterASecond(), readsOf(place)]).to.deep.equal(['Hodan', 'Hodan', 1]);
    expect(readsOf(`apiKeys/${hashOf('sk_live_x')}`)).to.equal(3);
    renamed('Ayan');
    changes.heard({ categories: { store: ['another, by its metadata'] } });
    expect(await nameAfterASecond()).to.equal('Ayan');
    renamed('Asha');
    behind.add('stores');
    expect(await nameAfterASecond(), 'acknowledged, and not shown yet').to.equal('Asha');
    behind.clear();
    changes.heard({ categories: { plan: null } });
    const requests = readsOf(place);
    await nameAfterASecond();
    expect(readsOf(place), 'its plan').to.equal(requests + 1);
  });

  it('does not treat data as current that changed while it was read', async () => {
    const clock = fakeClock();
    const { rows, reads } = stage();
    const changes = viewChanges();
    const changing: Reads = {
      ...reads,
      async get(projection, id) {
        const found = await reads.get(projection, id);
        if (projection.name === 'apiKeys' && changes.now === 0) {
          rows[`apiKeys/${hashOf(storeKey)}`] = keyRow({ workspaceId, revokedAt: '2026-01-01T00:00:00.000Z' });
          changes.heard({ categories: { store: [workspaceId] } });
        }
        return found as never;
      },
    };
    const watch = watchViews(changes, { isBehind: () => false });
    const directory = createAccessDirectory({ reads: changing, clock, watch });
    expect(await directory.principal(storeKey)).not.to.equal(undefined);
    await clock.advance(1000);
    expect(await directory.principal(storeKey)).to.equal(undefined);
  });

  it('applies a revocation at once after forget(), and within a second without it', async () => {
    const clock = fakeClock();
    const { rows, reads } = stage();
    const directory = createAccessDirectory({ reads, clock });
    await directory.principal(storeKey);
    rows[`apiKeys/${hashOf(storeKey)}`] = keyRow({ workspaceId, revokedAt: '2026-01-01T00:00:00.000Z' });
    expect(await directory.principal(storeKey), 'still remembered').not.to.equal(undefined);
    directory.forget();
    expect(await directory.principal(storeKey)).to.equal(undefined);
    rows[`apiKeys/${hashOf(storeKey)}`] = keyRow({ workspaceId });
    await clock.advance(1000);
    expect(await directory.principal(storeKey), 'refusals are remembered no longer either').not.to.equal(undefined);
  });

  it('does not accept a revoked key longer when the clock is set back', async () => {
    const clock = fakeClock();
    const { rows, reads } = stage();
    const directory = createAccessDirectory({ reads, clock });
    expect(await directory.principal(storeKey)).not.to.equal(undefined);
    rows[`apiKeys/${hashOf(storeKey)}`] = keyRow({ workspaceId, revokedAt: '2026-01-01T00:00:00.000Z' });
    await clock.set(-2 * 3_600_000);
    await clock.advance(1000);
    expect(await directory.principal(storeKey)).to.equal(undefined);
  });
});

describe('short-lived cache', () => {
  it('does not store what was being loaded when it was cleared', async () => {
    const cache = new BriefCache<string>(fakeClock(), 1000, 10);
    let answer: (value: string) => void = () => {};
    const requested = cache.get('a', () => new Promise<string>((resolve) => (answer = resolve)));
    cache.clear();
    answer('old');
    expect(await requested).to.equal('old');
    expect(await cache.get('a', async () => 'new')).to.equal('new');
  });

  it('is limited, evicts the least recently used, and protects real entries from a flood of unknown ones', async () => {
    const cache = new BriefCache<string>(fakeClock(), 1000, 3);
    const loads: string[] = [];
    const get = (name: string, value: string | undefined) =>
      cache.get(name, async () => {
        loads.push(name);
        return value;
      });
    for (const name of ['a', 'b', 'c']) await get(name, name);
    await get('a', 'a');
    for (let i = 0; i < 50; i++) await get(`unknown${i}`, undefined);
    expect(cache.size).to.equal(6);
    await get('d', 'd');
    loads.length = 0;
    for (const name of ['a', 'c', 'd', 'b']) await get(name, name);
    expect(loads).to.deep.equal(['b']);
  });

  it('shares a load in progress while it is fresh, within its limit', async () => {
    const clock = fakeClock();
    const cache = new BriefCache<string>(clock, 1000, 2);
    const loads: string[] = [];
    const answers: (() => void)[] = [];
    const get = (name: string): Promise<string | undefined> =>
      cache.get(name, () => {
        loads.push(name);
        return new Promise((resolve) => answers.push(() => resolve(name)));
      });
    const requested = ['a', 'a', 'b', 'c', 'c'].map(get);
    expect([loads, cache.size]).to.deep.equal([['a', 'b', 'c', 'c'], 2]);
    await clock.advance(1000);
    requested.push(get('a'));
    expect(loads).to.have.length(5);
    for (const answer of answers) answer();
    expect(await Promise.all(requested)).to.deep.equal(['a', 'a', 'b', 'c', 'c', 'a']);
    void get('a');
    expect(loads, 'the newer one is remembered').to.have.length(5);
    expect(cache.size).to.be.at.most(2);
  });

  it('does not cache a failure', async () => {
    const cache = new BriefCache<string>(fakeClock(), 1000, 3);
    const failed = await cache.get('a', () => Promise.reject(new Error('away'))).catch((error: Error) => error.message);
    expect(failed).to.equal('away');
    expect(await cache.get('a', async () => 'back')).to.equal('back');
  });
});
