import { expect } from 'chai';
import { ProviderError } from '../../application/ports/catalogProvider.js';
import { derivedId } from '../../domain/ids.js';
import { fakeClock, until } from '../support/doubles/fakeClock.js';
import { type FakeProvider, fakeProvider } from '../support/doubles/fakeProvider.js';
import { CATALOG, type CatalogStage, catalogStage, clockOf, SHOP } from '../support/stages/catalogStage.js';

describe('catalog items whose whole call was rejected', () => {
  let stage: CatalogStage;
  let provider: FakeProvider;
  const noPermission = () => new ProviderError('200', 'The permission is missing.', false);
  const begin = async (...[clock]: Parameters<typeof catalogStage>) => {
    stage = await catalogStage(clock);
    provider = fakeProvider();
    await stage.connectNumber();
  };
  afterEach(async () => {
    await stage.close();
    expect(provider.overlaps, 'items in two unfinished batches at once').to.deep.equal([]);
  });

  const reach = (status: string, ...ids: string[]) =>
    until(`${ids} to be ${status}`, async () => (await stage.statuses(...ids)).every((one) => one === status));
  /** Once this product is through, so is what the number led to. */
  const startPush = async () => {
    const running = await stage.startPush(provider);
    await stage.put({ externalId: 'first' });
    await reach('approved', 'first');
    return running;
  };
  const refusalsNoted = async () => {
    const events = await stage.events.readStream(`catalogSync-${SHOP}`);
    return events.filter(({ type }) => type === 'CatalogItemsRefused').length;
  };

  it('are sent again after a later call succeeds, except those rejected individually', async () => {
    await begin();
    await startPush();
    provider.unsaved = ({ retailerId }) => (retailerId === 'odd' ? 'The picture is too small.' : undefined);
    await stage.put({ externalId: 'odd' });
    await reach('failed', 'odd');
    provider.faults.push(noPermission());
    await stage.put({ externalId: 'shirt' }, { externalId: 'dress' });
    await reach('failed', 'shirt', 'dress');
    await stage.put({ externalId: 'watch' });
    await reach('approved', 'watch', 'shirt', 'dress');
    expect(await stage.statuses('odd')).to.deep.equal(['failed']);
    const sent = provider.calls.flatMap(({ requests }) =>
      requests.map((request) => request.method === 'update' && request.item.retailerId),
    );
    expect(sent.filter((id) => id === 'odd')).to.have.length(1);
  });

  it('are sent again also if an event of an older version recorded the failure', async () => {
    await begin();
    const before = await startPush();
    await stage.put({ externalId: 'shirt' }, { externalId: 'odd' });
    await reach('approved', 'shirt', 'odd');
    await before.stop();
    const added = await stage.events.readStream(`catalog-${SHOP}`);
    const items = (id: string, reason: string) => {
      const { revision } = added.find(({ data }) => (data as { externalId: string }).externalId === id)!;
      return [{ retailerId: id, productExternalId: id, revision, reason }];
    };
    const meta = { at: '2026-03-01T08:00:00Z', actor: { type: 'system' as const }, correlationId: 'test' };
    const earlier = [
      { type: 'CatalogItemsRefused', data: { items: items('shirt', 'The permission is missing.') } },
      {
        type: 'CatalogStatusChanged',
        data: { status: 'failed', errorCode: '200', errorMessage: 'The permission is missing.' },
      },
      { type: 'CatalogItemsRefused', data: { items: items('odd', 'The picture is too small.') } },
      { type: 'CatalogStatusChanged', data: { status: 'active' } },
    ].map((event, i) => ({ ...event, id: derivedId('earlier', i), meta }));
    await stage.events.append(`catalogSync-${SHOP}`, 'any', earlier);
    await reach('failed', 'shirt', 'odd');
    await stage.startPush(provider);
    await stage.put({ externalId: 'watch' });
    await reach('approved', 'watch', 'shirt');
    expect(await stage.statuses('odd')).to.deep.equal(['failed']);
  });

  it('are retried every hour, recorded once, until the provider accepts them', async () => {
    await begin(clockOf(10_000));
    await startPush();
    provider.faults.push(noPermission(), noPermission(), noPermission());
    await stage.put({ externalId: 'shirt' });
    await reach('approved', 'shirt');
    expect(provider.faults).to.have.length(0);
    expect(await refusalsNoted()).to.equal(1);
    expect([...provider.items(CATALOG).keys()]).to.deep.equal(['first', 'shirt']);
  });

  it('are checked every day: changed verdicts are shown, deleted or edited items are pushed again', async () => {
    const clock = fakeClock();
    await begin(clock);
    await stage.startPush(provider);
    const reached = (statuses: readonly string[], ...ids: string[]) =>
      until(`${ids} to be ${statuses}`, async () => {
        await clock.advance(1_000);
        return (await stage.statuses(...ids)).join() === statuses.join();
      });
    const rejected = { status: 'rejected', reasons: ['It may not be sold.'] } as const;
    const approved = { status: 'approved', reasons: [] } as const;
    provider.review = ({ retailerId }) => (retailerId === 'appealed' ? rejected : approved);
    const ids = ['appealed', 'banned', 'deleted', 'edited', 'same'];
    await stage.put(...ids.map((externalId) => ({ externalId })));
    await reached(['rejected', 'approved', 'approved', 'approved', 'approved'], ...ids);
    const requested = provider.requests.length;
    provider.review = ({ retailerId }) => (retailerId === 'banned' ? rejected : approved);
    const catalog = provider.items(CATALOG);
    catalog.delete('deleted');
    catalog.set('edited', { ...catalog.get('edited')!, priceCents: 1 });
    await clock.advance(20 * 3_600_000);
    expect(provider.requests.length, 'before a day has passed nobody asks').to.equal(requested);
    await clock.advance(5 * 3_600_000);
    await reached(['approved', 'rejected', 'approved', 'approved', 'approved'], ...ids);
    expect((await stage.product('banned'))!.sync.reason).to.equal('It may not be sold.');
    await until('both are there again', async () => {
      await clock.advance(1_000);
      return catalog.get('deleted') !== undefined && catalog.get('edited')!.priceCents === 10_00;
    });
    const sent = provider.calls.at(-1)!.requests.map((one) => (one.method === 'update' ? one.item.retailerId : ''));
    expect(sent).to.have.members(['deleted', 'edited']);
  });

  it('are checked every day after an upgrade, also in a store without new events', async () => {
    const clock = fakeClock();
    await begin(clock);
    const before = await stage.startPush(provider, true);
    await stage.put({ externalId: 'banned' });
    const reached = (status: string) =>
      until(`it to be ${status}`, async () => {
        await clock.advance(1_000);
        return (await stage.statuses('banned'))[0] === status;
      });
    await reached('approved');
    await before.stop();
    await stage.forgetChecks();
    provider.review = () => ({ status: 'rejected', reasons: ['It may not be sold.'] });
    await stage.startPush(provider);
    await reached('approved');
    await clock.advance(25 * 3_600_000);
    await reached('rejected');
  });

  it('are retried by one task, however many calls were rejected', async () => {
    await begin();
    await startPush();
    provider.faults.push(noPermission(), noPermission());
    await stage.put({ externalId: 'shirt' });
    await reach('failed', 'shirt');
    await stage.put({ externalId: 'dress' });
    await reach('failed', 'dress');
    await until('one task is left', async () => (await stage.pending()) === 1);
  });
});
