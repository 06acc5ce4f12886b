/** Stores in addition to the demo's: many that are written to, or one that changes while another is read. */

import { anotherTenant } from '../../harness/load/flood.js';
import { callService } from '../../service/admin/adminClient.js';
import { adminSocketPath } from '../../service/admin/protocol.js';
import { categories, mustBe, product, type Stage } from './stage.js';

/** Stores of one partner, and the partner's key, which reaches them all. */
export interface ManyStores {
  readonly ids: readonly string[];
  readonly auth: Record<string, string>;
}

/** Products for changes of another store, so that each change is a real one. */
const PRODUCTS = 40;

export async function manyStores({ folder }: Stage, count: number): Promise<ManyStores> {
  const run = <R>(command: string, input: object): Promise<R> =>
    callService(adminSocketPath(folder), command, input) as Promise<R>;
  await run('plans.put', { key: 'many', name: 'Many', features: [{ key: 'commerce.catalog' }] });
  const { id: partner } = await run<{ id: string }>('partners.create', { name: 'Many', slug: 'many', plan: 'many' });
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { workspaceId } = await run<{ workspaceId: string }>('stores.create', {
      partner,
      externalRef: `many-${n}`,
      name: `Store ${n}`,
      ownerEmail: `owner${n}@example.com`,
      ownerName: 'Owner',
      country: 'SO',
      timezone: 'Africa/Mogadishu',
    });
    ids.push(workspaceId);
  }
  const { key } = await run<{ key: string }>('keys.create', { partner, mode: 'test', scopes: ['commerce:manage'] });
  return { ids, auth: { authorization: `Bearer ${key}` } };
}

/** One change after another of a store's products, at a rate, until it is stopped; then every one of them must have been made. */
export function changing(
  { service }: Stage,
  { commerce, auth }: { readonly commerce: string; readonly auth: Record<string, string> },
  perSecond: number,
): () => Promise<void> {
  const pending = new Set<Promise<void>>();
  let made = 0;
  let failed = 0;
  const began = performance.now();
  const change = async (n: number): Promise<void> => {
    const answer = await fetch(`${service.baseUrl}${commerce}/products/P${n % PRODUCTS}`, {
      method: 'PUT',
      headers: { ...auth, 'content-type': 'application/json' },
      body: JSON.stringify(product(n % PRODUCTS, n)),
    });
    await answer.arrayBuffer();
    if (answer.status >= 300) failed += 1;
  };
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - began) / 1000) * perSecond);
    for (; made < due; made += 1) {
      const one: Promise<void> = change(made)
        .catch(() => {
          failed += 1;
        })
        .finally(() => pending.delete(one));
      pending.add(one);
    }
  }, 2);
  return async () => {
    clearInterval(timer);
    await Promise.all(pending);
    mustBe('changes beside', failed === 0 && made > 0, { failed, made });
  };
}

/** Runs what measures while another tenant's store has so many changes a second. */
export type DuringChanges = <T>(work: () => Promise<T>) => Promise<T>;

export async function duringChanges(stage: Stage, perSecond: number): Promise<DuringChanges> {
  const { workspaceId, key } = await anotherTenant(stage.folder);
  const of = {
    commerce: `/api/v1/workspaces/${workspaceId}/commerce`,
    auth: { authorization: `Bearer ${key}` },
  };
  await fetch(`${stage.service.baseUrl}${of.commerce}/categories`, {
    method: 'PUT',
    headers: { ...of.auth, 'content-type': 'application/json' },
    body: JSON.stringify(categories),
  });
  return async (work) => {
    const stop = changing(stage, of, perSecond);
    try {
      return await work();
    } finally {
      await stop();
    }
  };
}
