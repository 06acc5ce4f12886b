import { expect } from 'chai';
import { catalogStatus } from '../../projections/catalogStatus.js';
import { until } from '../support/doubles/fakeClock.js';
import { type CatalogStage, catalogStage, SHOP } from '../support/stages/catalogStage.js';
import { CATALOG, type SandboxStage, sandboxStage } from '../support/stages/sandboxStage.js';

describe('catalog push to the sandbox, over its HTTP protocol', () => {
  let stage: CatalogStage;
  let sandbox: SandboxStage;
  /** How long an adapter waits for an answer, in real ms. */
  const PATIENCE = 300;

  beforeEach(async () => {
    stage = await catalogStage();
    sandbox = await sandboxStage();
    await stage.connectNumber(CATALOG);
    await stage.startPush(sandbox.adapters(PATIENCE).catalog);
  });
  afterEach(async () => {
    await stage.close();
    await sandbox.close();
  });

  const reach = (status: string, ...ids: string[]) =>
    until(`${ids} to be ${status}`, async () => (await stage.statuses(...ids)).every((one) => one === status));
  const shown = async (): Promise<string[]> => {
    const { body } = await sandbox.control('GET', `/sandbox/catalogs/${CATALOG}/items`);
    const { items } = body as { items: { retailer_id?: string; retailerId?: string }[] };
    return items.map((item) => item.retailer_id ?? item.retailerId ?? '').sort();
  };

  it('sends items to review, shows the verdicts, and removes deleted items', async () => {
    await stage.put(
      { externalId: 'shirt', salePriceCents: 8_00, saleStartsAt: '2026-01-01T00:00:00Z' },
      {
        externalId: 'dress',
        variants: [
          { externalId: 'dress-m', size: 'M' },
          { externalId: 'dress-l', stock: 0 },
        ],
      },
      { externalId: 'watch', name: 'Watch [reject]' },
    );
    await reach('approved', 'shirt', 'dress');
    await reach('rejected', 'watch');
    expect((await stage.product('watch'))!.sync.reason).to.include('may not be sold');
    expect(await shown()).to.deep.equal(['dress-l', 'dress-m', 'shirt', 'watch']);
    await stage.remove('watch');
    await stage.put({ externalId: 'dress' });
    await until('they are removed', async () => (await shown()).join() === 'dress,shirt');
    await reach('approved', 'dress');
  });

  it('moves a variant that becomes its own product out of the group of its old product', async () => {
    const groupOf = async (id: string): Promise<unknown> => {
      const { body } = await sandbox.control('GET', `/sandbox/catalogs/${CATALOG}/items`);
      const { items } = body as { items: { retailerId: string; data: { item_group_id?: string } }[] };
      return items.find(({ retailerId }) => retailerId === id)?.data.item_group_id;
    };
    await stage.put({ externalId: 'dress', variants: [{ externalId: 'dress-m' }, { externalId: 'dress-l' }] });
    await reach('approved', 'dress');
    expect(await groupOf('dress-m')).to.equal('dress');
    await stage.put({ externalId: 'dress', variants: [{ externalId: 'dress-l' }] }, { externalId: 'dress-m' });
    await reach('approved', 'dress-m');
    expect(await groupOf('dress-m')).to.equal(undefined);
  });

  it('recovers from errors, a hanging provider and empty handles', async () => {
    await sandbox.fault('items_batch', 'error', { code: 80014 });
    await sandbox.fault('items_batch', 'hang');
    await sandbox.fault('items_batch', 'empty_handles');
    await sandbox.fault('batch_status', 'hang');
    await sandbox.fault('reviews', 'error');
    await stage.put({ externalId: 'shirt' });
    await reach('approved', 'shirt');
  });

  it('shows items of a batch that finished with errors as failed', async () => {
    await sandbox.fault('batch_status', 'finished_with_errors');
    await stage.put({ externalId: 'shirt' });
    await reach('failed', 'shirt');
    expect((await stage.product('shirt'))!.sync.reason)
      .to.be.a('string')
      .and.not.equal('');
    await stage.put({ externalId: 'shirt', stock: 4 });
    await reach('approved', 'shirt');
  });

  it('sends items blocked by a missing permission after another product is accepted', async () => {
    await sandbox.fault('items_batch', 'error', { code: 10 });
    await stage.put({ externalId: 'shirt' });
    await reach('failed', 'shirt');
    await stage.put({ externalId: 'dress' });
    await reach('approved', 'dress', 'shirt');
    expect(await shown()).to.deep.equal(['dress', 'shirt']);
  });

  it('reports an invalid token until it works', async () => {
    await sandbox.fault('items_batch', 'error', { code: 190 });
    await stage.put({ externalId: 'shirt' });
    await reach('failed', 'shirt');
    const status = async () => (await stage.reads.get(catalogStatus, SHOP))?.body;
    expect(await status()).to.include({ status: 'failed', errorCode: '190' });
    await stage.connectNumber(CATALOG);
    await reach('approved', 'shirt');
    expect(await status()).to.deep.equal({ status: 'active', metaCatalogId: CATALOG });
  });
});
