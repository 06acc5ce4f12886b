/** When what queries show may have changed: for an answer that was made before, and is to be given again. */
import { expect } from 'chai';
import { ViewChanges } from '../../engine/projections/viewChanges.js';

const ASHA = 'asha';
const BILE = 'bile';
const CATEGORIES: Readonly<Record<string, readonly string[]>> = {
  products: ['catalog', 'catalogSync'],
  orders: ['order'],
};
const changes = (mostTenants?: number): ViewChanges =>
  new ViewChanges((projection) => CATEGORIES[projection] ?? [], mostTenants);

describe('query versions', () => {
  it('stay the same until something is written', () => {
    const heard = changes();
    expect(heard.since(heard.now, 'products', ASHA)).to.equal(false);
  });

  it('change for the tenant of the event, in the projections that read it', () => {
    const heard = changes();
    const before = heard.now;
    heard.heard({ categories: { catalogSync: [ASHA] } });
    expect(heard.since(before, 'products', ASHA)).to.equal(true);
    expect(heard.since(before, 'orders', ASHA)).to.equal(false);
    expect(heard.since(before, 'products', BILE)).to.equal(false);
    expect(heard.since(heard.now, 'products', ASHA), 'not since then').to.equal(false);
  });

  it('of all tenants change with each of them', () => {
    const heard = changes();
    const before = heard.now;
    heard.heard({ categories: { order: [BILE] } });
    expect(heard.since(before, 'orders')).to.equal(true);
    expect(heard.since(before, 'products')).to.equal(false);
  });

  it('change for all when an event belongs to no single tenant', () => {
    const heard = changes();
    const before = heard.now;
    heard.heard({ categories: { order: null } });
    for (const tenant of [ASHA, BILE, undefined]) expect(heard.since(before, 'orders', tenant)).to.equal(true);
    expect(heard.since(before, 'products', ASHA)).to.equal(false);
  });

  it('change for all when a projection is rebuilt', () => {
    const heard = changes();
    const before = heard.now;
    heard.heard({ projections: ['products'] });
    expect(heard.since(before, 'products', ASHA)).to.equal(true);
    expect(heard.since(before, 'orders', ASHA)).to.equal(false);
  });

  it('change once the tenant is forgotten, and not before', () => {
    const heard = changes(2);
    const before = heard.now;
    heard.heard({ categories: { order: [ASHA] } });
    const after = heard.now;
    heard.heard({ categories: { order: [BILE] } });
    expect(heard.since(after, 'orders', 'quiet')).to.equal(false);
    heard.heard({ categories: { order: ['carif'] } });
    expect(heard.since(before, 'orders', ASHA)).to.equal(true);
    expect(heard.since(before, 'orders', 'quiet'), 'may be the forgotten one').to.equal(true);
    expect(heard.since(after, 'orders', ASHA)).to.equal(false);
    expect(heard.since(after, 'orders', BILE)).to.equal(true);
  });
});
