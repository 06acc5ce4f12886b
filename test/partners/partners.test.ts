import { expect } from 'chai';
import {
  createPartner,
  partner,
  partnerSlug,
  reinstatePartner,
  suspendPartner,
  takeSlug,
} from '../../domain/partners/partner.js';
import type { PartnerEvent, PlanEvent } from '../../domain/partners/partnerEvents.js';
import { partnerStore, takeReference } from '../../domain/partners/partnerStore.js';
import { type PublishPlan, plan, publishPlan } from '../../domain/partners/plan.js';
import { channelNumber, checkNumber, connectNumber, takeNumber } from '../../domain/stores/channelNumber.js';
import {
  changeStore,
  closeStore,
  createStore,
  reinstateStore,
  store,
  suspendStore,
} from '../../domain/stores/store.js';
import type { ChannelNumber, StoreEvent } from '../../domain/stores/storeEvents.js';
import type { RecordedEvent } from '../../engine/ports/eventStore.js';
import { type AnyProjection, foldEvent, type View } from '../../engine/projections/projection.js';
import { apiKeys } from '../../projections/apiKeys.js';
import { channelNumbers } from '../../projections/channelNumbers.js';
import { partners } from '../../projections/partners.js';
import { stores } from '../../projections/stores.js';
import { given, specMeta } from '../support/spec/given.js';

const published = (version: number, features: PublishPlan['features']): PlanEvent => ({
  type: 'PlanPublished',
  data: { key: 'standard', name: 'Standard', features, version },
});
const catalog = { key: 'commerce.catalog', enabled: true };
const products = { key: 'commerce.products.max', enabled: true, limit: 10 };
const standard = (features: PublishPlan['features']): PublishPlan => ({ key: 'standard', name: 'Standard', features });

describe('plan', () => {
  it('is published, with an increasing version', () => {
    given(plan)
      .when(publishPlan(standard([catalog])))
      .then([published(1, [catalog])]);
    given(plan, published(1, [catalog]))
      .when(publishPlan(standard([products, catalog])))
      .then([published(2, [catalog, products])]);
  });

  it('is not published again if unchanged, in any order of features', () => {
    given(plan, published(1, [catalog, products]))
      .when(publishPlan(standard([products, catalog])))
      .then([]);
  });

  it('is different if a limit or a flag differs', () => {
    for (const other of [
      { ...products, limit: 11 },
      { key: products.key, enabled: true },
      { ...products, enabled: false },
    ])
      expect(
        given(plan, published(1, [products]))
          .when(publishPlan(standard([other])))
          .events(),
      ).to.have.length(1);
  });

  it('reports all its problems at once', () => {
    const features = [{ key: 'Catalog', enabled: true }, { ...products, limit: -1 }, products];
    const refused = given(plan)
      .when(publishPlan({ key: 'A b', name: '', features }))
      .thenRefused('validation_failed');
    expect(refused.problems.map((problem) => problem.location)).to.deep.equal([
      'key',
      'name',
      'features[0]',
      'features[1]',
      'features[2]',
    ]);
  });
});

describe('partner', () => {
  const created: PartnerEvent = { type: 'PartnerCreated', data: { name: 'Acme', slug: 'acme', planKey: 'standard' } };

  it('is created once', () => {
    given(partner).when(createPartner(created.data)).then([created]);
    given(partner, created)
      .when(createPartner({ ...created.data, name: 'Other' }))
      .then([]);
    given(partner)
      .when(createPartner({ ...created.data, slug: 'No Slug' }))
      .thenRefused('validation_failed');
  });

  it('has a unique slug', () => {
    const taken = { slug: 'acme', partnerId: 'p1' };
    given(partnerSlug)
      .when(takeSlug(taken))
      .then([{ type: 'PartnerSlugTaken', data: taken }]);
    given(partnerSlug, { type: 'PartnerSlugTaken', data: taken })
      .when(takeSlug({ ...taken, partnerId: 'p2' }))
      .then([]);
  });

  it('is suspended and reinstated', () => {
    const suspended: PartnerEvent = { type: 'PartnerSuspended', data: {} };
    given(partner, created).when(suspendPartner({})).then([suspended]);
    given(partner, created, suspended).when(suspendPartner({})).then([]);
    given(partner, created, suspended)
      .when(reinstatePartner())
      .then([{ type: 'PartnerReinstated', data: {} }]);
    given(partner, created).when(reinstatePartner()).then([]);
    given(partner).when(suspendPartner({})).thenRefused('not_found');
  });

  it('has one store per reference', () => {
    const taken = { partnerId: 'p1', externalRef: 'shop-1', workspaceId: 'w1' };
    given(partnerStore)
      .when(takeReference(taken))
      .then([{ type: 'StoreReferenceTaken', data: taken }]);
    given(partnerStore, { type: 'StoreReferenceTaken', data: taken })
      .when(takeReference({ ...taken, workspaceId: 'w2' }))
      .then([]);
  });
});

const created: StoreEvent = {
  type: 'StoreCreated',
  data: {
    name: 'Hodan',
    owner: { email: 'hodan@example.com', name: 'Hodan Ali' },
    country: 'SO',
    timezone: 'Africa/Mogadishu',
    locale: 'so',
    planKey: 'standard',
    partnerId: 'p1',
    externalRef: 'shop-1',
  },
};
const closed: StoreEvent = { type: 'StoreClosed', data: { before: 'active' } };
const reopened: StoreEvent = { type: 'StoreReopened', data: { status: 'active' } };
const suspended: StoreEvent = { type: 'StoreSuspended', data: { before: 'active' } };

describe('store', () => {
  it('is created once', () => {
    given(store)
      .when(createStore(created.data as never))
      .then([created]);
    given(store, created)
      .when(createStore(created.data as never))
      .then([]);
  });

  it('is renamed if the name differs', () => {
    given(store, created)
      .when(changeStore({ name: 'Hodan' }))
      .then([]);
    given(store, created)
      .when(changeStore({ name: 'New' }))
      .then([{ type: 'StoreRenamed', data: { name: 'New', before: 'Hodan' } }]);
  });

  it('is closed and reopened by its partner, each once', () => {
    given(store, created).when(closeStore()).then([closed]);
    given(store, created, closed).when(closeStore()).then([]);
    given(store, created, closed)
      .when(changeStore({ status: 'active' }))
      .then([reopened]);
    given(store, created)
      .when(changeStore({ status: 'active' }))
      .then([]);
    given(store, created, closed, reopened).when(closeStore()).then([closed]);
  });

  it('can be renamed and closed in one change, also while it is closed', () => {
    const renamed: StoreEvent = { type: 'StoreRenamed', data: { name: 'New', before: 'Hodan' } };
    given(store, created)
      .when(changeStore({ name: 'New', status: 'suspended' }))
      .then([renamed, closed]);
    given(store, created, closed)
      .when(changeStore({ name: 'New' }))
      .then([renamed]);
  });

  it('cannot be opened or closed by the partner while the operator has suspended it', () => {
    given(store, created, suspended)
      .when(changeStore({ name: 'New', status: 'active' }))
      .thenRefused('store_not_reopenable');
    given(store, created, suspended).when(closeStore()).thenRefused('store_not_closable');
    given(store, created, closed, suspended)
      .when(changeStore({ status: 'active' }))
      .thenRefused('store_not_reopenable');
  });

  it('is reinstated by the operator to its previous state, but not if its partner has closed it', () => {
    const reinstated: StoreEvent = { type: 'StoreReinstated', data: { status: 'active' } };
    given(store, created, closed).when(suspendStore({})).then([suspended]);
    given(store, created, suspended).when(suspendStore({})).then([]);
    given(store, created, closed, suspended).when(reinstateStore()).then([reinstated]);
    given(store, created).when(reinstateStore()).then([]);
    given(store, created, closed).when(reinstateStore()).thenRefused('store_not_reopenable');
  });

  it('is not found before it is created', () => {
    given(store).when(closeStore()).thenRefused('not_found');
    given(store)
      .when(changeStore({ name: 'New' }))
      .thenRefused('not_found');
  });
});

const number: ChannelNumber = {
  numberId: 'n1',
  phoneNumberId: '106540352242922',
  displayPhoneNumber: '+15550783881',
  businessAccountId: '102290129340398',
  catalogId: '194836987003835',
};

describe('channel number', () => {
  it('belongs to one store', () => {
    const taken = { phoneNumberId: number.phoneNumberId, workspaceId: 'w1' };
    const event = { type: 'ChannelNumberTaken', data: taken } as const;
    given(channelNumber).when(takeNumber(taken)).then([event]);
    given(channelNumber, event).when(takeNumber(taken)).then([]);
    given(channelNumber, event)
      .when(takeNumber({ ...taken, workspaceId: 'w2' }))
      .thenRefused('number_taken');
  });

  it('is the only one of its store; its details may change', () => {
    const connected: StoreEvent = { type: 'ChannelNumberConnected', data: number };
    const other = { ...number, catalogId: '294836987003835' };
    given(store, created).when(connectNumber(number, true)).then([connected]);
    given(store, created, connected).when(connectNumber(number, true)).then([]);
    given(store, created, connected).when(connectNumber(number, false)).then([connected]);
    given(store, created, connected)
      .when(connectNumber(other, true))
      .then([{ ...connected, data: other }]);
    given(store, created, connected)
      .when(connectNumber({ ...number, phoneNumberId: '206540352242922' }, true))
      .thenRefused('number_already_connected');
    given(store).when(connectNumber(number, true)).thenRefused('not_found');
  });

  it('has ids of digits', () => {
    expect(() => checkNumber({ ...number, phoneNumberId: 'abc', displayPhoneNumber: 'call me' })).to.throw(/not valid/);
    checkNumber(number);
  });
});

/** Returns events as they are stored. */
const recorded = (stream: string, events: readonly { type: string; data: object }[]): RecordedEvent[] =>
  events.map((event, revision) => ({
    ...event,
    id: `${stream}@${revision}`,
    stream,
    revision,
    position: revision,
    meta: { ...specMeta, at: `2026-03-01T09:00:0${revision}.000Z`, partnerId: 'p1' },
  }));

function project<B>(projection: AnyProjection & { readonly _body?: B }, events: readonly RecordedEvent[]) {
  const views = new Map<string, View<B> | undefined>();
  for (const event of events) foldEvent(projection, views as Map<string, View<unknown> | undefined>, event);
  return views;
}

describe('views of stores, partners, keys and numbers', () => {
  const key = {
    keyId: 'k1',
    kind: 'secret',
    mode: 'live',
    scopes: ['orders:view'],
    hash: 'h1',
    sealed: 's',
    last4: 'abcd',
  };

  it('show a store as the API does, without its plan', () => {
    const view = project(stores, recorded('store-w1', [created, closed]))?.get('w1');
    expect(view?.body).to.deep.equal({
      workspaceId: 'w1',
      externalRef: 'shop-1',
      name: 'Hodan',
      owner: { email: 'hodan@example.com', name: 'Hodan Ali' },
      country: 'SO',
      timezone: 'Africa/Mogadishu',
      locale: 'so',
      status: 'suspended',
      createdAt: '2026-03-01T09:00:00.000Z',
      closedAt: '2026-03-01T09:00:01.000Z',
    });
    expect(view?.keys).to.include({ partnerId: 'p1', planKey: 'standard', status: 'suspended' });
  });

  it('show closedAt only while the partner has closed the store', () => {
    const shownAfter = (...events: StoreEvent[]) =>
      project(stores, recorded('store-w1', [created, ...events])).get('w1')?.body;
    expect(shownAfter(closed, reopened)).to.not.have.property('closedAt');
    expect(shownAfter(closed, suspended)).to.include({ status: 'suspended' }).and.not.have.property('closedAt');
    expect(shownAfter(suspended, { type: 'StoreReinstated', data: { status: 'active' } })).to.include({
      status: 'active',
    });
  });

  it('find keys of both kinds of owner by hash, with the time of revocation', () => {
    const events = [
      { type: 'KeyCreated', data: key },
      { type: 'KeyRevoked', data: { keyId: 'k1', hash: 'h1' } },
    ];
    const ofStore = project(apiKeys, recorded('store-w1', events)).get('h1');
    expect(ofStore?.body).to.include({ workspaceId: 'w1', revokedAt: '2026-03-01T09:00:01.000Z' });
    expect(JSON.stringify(ofStore)).to.not.include('"s"');
    const ofPartner = project(apiKeys, recorded('partner-p1', events.slice(0, 1))).get('h1');
    expect(ofPartner?.body).to.include({ partnerId: 'p1' }).and.not.have.any.keys('workspaceId', 'revokedAt');
  });

  it("find a number by the channel's id", () => {
    const events = [created, { type: 'ChannelNumberConnected', data: number }];
    const view = project(channelNumbers, recorded('store-w1', events)).get(number.phoneNumberId);
    expect(view?.body).to.deep.equal({ ...number, workspaceId: 'w1', partnerId: 'p1' });
  });

  it('show the status of a partner', () => {
    const start = { type: 'PartnerCreated', data: { name: 'Acme', slug: 'acme', planKey: 'standard' } };
    const status = (...types: string[]) =>
      project(partners, recorded('partner-p1', [start, ...types.map((type) => ({ type, data: {} }))])).get('p1')?.body
        .status;
    expect([status(), status('PartnerSuspended'), status('PartnerSuspended', 'PartnerReinstated')]).to.deep.equal([
      'active',
      'suspended',
      'active',
    ]);
  });

  it('are the same if every event is delivered twice', () => {
    const events = recorded('store-w1', [
      created,
      { type: 'KeyCreated', data: key },
      { type: 'ChannelNumberConnected', data: number },
      { type: 'StoreRenamed', data: { name: 'New', before: 'Hodan' } },
      closed,
    ]);
    const projections: readonly AnyProjection[] = [stores, apiKeys, channelNumbers];
    for (const projection of projections)
      expect(project(projection, [...events, ...events]), projection.name).to.deep.equal(project(projection, events));
  });
});
