import { expect } from 'chai';
import type { CatalogItem } from '../../application/ports/catalogProvider.js';
import { catalog } from '../../domain/catalog/catalog.js';
import { putCategories } from '../../domain/catalog/putCategories.js';
import { derivedId } from '../../domain/ids.js';
import { createPromotion, deletePromotion, promotion, revisePromotion } from '../../domain/promotions/promotion.js';
import { definitionOf, type PromotionFields } from '../../domain/promotions/promotionDefinition.js';
import { catalogItems, itemId } from '../../projections/catalogItems.js';
import { until } from '../support/doubles/fakeClock.js';
import { type FakeProvider, fakeProvider } from '../support/doubles/fakeProvider.js';
import { CATALOG, type CatalogStage, catalogStage, fastClock, SHOP } from '../support/stages/catalogStage.js';

const SALE = derivedId('sale', 1);
const OTHER = derivedId('sale', 2);
const MINUTE = 60_000;
const sale: PromotionFields = { name: 'Ramadan', kind: 'flash_sale', percentOff: 20 };
/** So many ms from now, by the clock of these tests, of which a second is 20 ms. */
const within = (ms: number): string => new Date(fastClock.now() + ms).toISOString();

describe('flash sales in the channel catalog', () => {
  let stage: CatalogStage;
  let provider: FakeProvider;
  let count = 0;
  beforeEach(async () => {
    stage = await catalogStage();
    provider = fakeProvider();
  });
  afterEach(async () => {
    await stage.close();
    expect(provider.overlaps, 'items in two unfinished batches at once').to.deep.equal([]);
  });

  const context = () => ({
    commandId: derivedId('sale command', count++),
    actor: { type: 'api_key' as const },
    correlationId: 'test',
    workspaceId: SHOP,
  });
  const start = (fields: Partial<PromotionFields> = {}, id = SALE) =>
    stage.commands.decide(context(), promotion, id, createPromotion(definitionOf({ ...sale, ...fields })));
  const change = (version: number, fields: Partial<PromotionFields>, id = SALE) => {
    const definition = definitionOf({ ...sale, ...fields });
    return stage.commands.decide(context(), promotion, id, revisePromotion(SHOP, version, definition));
  };
  const end = (id = SALE) => stage.commands.decide(context(), promotion, id, deletePromotion(SHOP));

  const item = (id: string): CatalogItem | undefined => provider.items(CATALOG).get(id);
  const salePrice = (id: string): number | undefined => item(id)?.salePriceCents;
  const shows = (prices: Readonly<Record<string, number | undefined>>) =>
    until(`the sale prices ${JSON.stringify(prices)}`, () =>
      Object.entries(prices).every(([id, cents]) => item(id) !== undefined && salePrice(id) === cents),
    );
  const approved = (...ids: string[]) =>
    until(`${ids} to be approved`, async () => (await stage.statuses(...ids)).every((one) => one === 'approved'));
  const connected = async () => {
    await stage.connectNumber();
    await stage.startPush(provider);
  };
  const quiet = () => until('nothing is pending', async () => (await stage.pending()) === 0);

  it('start and end by themselves, and affect no other item', async () => {
    await connected();
    await stage.put({ externalId: 'shirt' }, { externalId: 'scarf', priceCents: 5_00 });
    await approved('shirt', 'scarf');
    const calls = provider.calls.length;
    await start({ scope: 'products', productExternalIds: ['shirt'], startsAt: within(20_000), endsAt: within(60_000) });
    await until('its timers are stored', async () => (await stage.pending()) >= 2);
    expect([salePrice('shirt'), provider.calls.length], 'not before its start').to.deep.equal([undefined, calls]);
    await shows({ shirt: 8_00, scarf: undefined });
    expect(item('shirt')!.priceCents).to.equal(10_00);
    await shows({ shirt: undefined });
    await approved('shirt');
    const reported = provider.calls.slice(calls).flatMap(({ requests }) => requests);
    expect(reported.every((one) => one.method === 'update' && one.item.retailerId === 'shirt')).to.equal(true);
    await quiet();
  });

  it('are sent with their end, to the whole minute', async () => {
    await connected();
    await stage.put({ externalId: 'shirt' });
    const endsAt = within(10 * MINUTE);
    await start({ endsAt });
    await shows({ shirt: 8_00 });
    const reported = Date.parse(item('shirt')!.saleEndsAt!);
    expect([reported % MINUTE, reported >= Date.parse(endsAt), reported < Date.parse(endsAt) + MINUTE]).to.deep.equal([
      0,
      true,
      true,
    ]);
  });

  it('reduce every variant, by category or by product, each from its own price', async () => {
    await connected();
    const variants = [{ externalId: 'dress-m' }, { externalId: 'dress-l', priceCents: 15_00 }];
    const categories = [{ externalId: 'summer', name: 'Summer' }];
    await stage.commands.decide(context(), catalog, SHOP, putCategories(categories));
    await stage.put(
      { externalId: 'dress', variants },
      { externalId: 'shirt', categoryExternalId: 'summer' },
      { externalId: 'coat' },
    );
    await approved('dress', 'shirt', 'coat');
    await start({ scope: 'products', productExternalIds: ['dress', 'gone'] });
    await shows({ 'dress-m': 8_00, 'dress-l': 12_00, shirt: undefined, coat: undefined });
    await start({ percentOff: 50, scope: 'categories', categoryExternalIds: ['summer'] }, OTHER);
    await shows({ 'dress-m': 8_00, shirt: 5_00, coat: undefined });
  });

  it('follow their changes and their deletion', async () => {
    await connected();
    await stage.put({ externalId: 'shirt' }, { externalId: 'scarf' });
    await start({ scope: 'products', productExternalIds: ['shirt'] });
    await shows({ shirt: 8_00, scarf: undefined });
    await change(1, { scope: 'products', productExternalIds: ['scarf'], percentOff: 30 });
    await shows({ shirt: undefined, scarf: 7_00 });
    await change(2, { active: false });
    await shows({ shirt: undefined, scarf: undefined });
    await change(3, {});
    await shows({ shirt: 8_00, scarf: 8_00 });
    await end();
    await shows({ shirt: undefined, scarf: undefined });
  });

  it('that were moved start at their new time, not at the old one', async () => {
    await connected();
    await stage.put({ externalId: 'shirt' });
    await approved('shirt');
    await start({ startsAt: within(20_000) });
    await change(1, { startsAt: within(10 * MINUTE) });
    const calls = provider.calls.length;
    await until('the first start is over', async () => (await stage.pending()) === 1);
    expect([salePrice('shirt'), provider.calls.length]).to.deep.equal([undefined, calls]);
    await change(2, { startsAt: within(5_000) });
    await shows({ shirt: 8_00 });
  });

  it('apply to products added and changed while they last', async () => {
    await connected();
    await start();
    await stage.put({ externalId: 'shirt' });
    await shows({ shirt: 8_00 });
    await stage.put({ externalId: 'shirt', priceCents: 20_00 });
    await shows({ shirt: 16_00 });
  });

  it('next to the product’s own sale show the price of an order, also when that sale starts or ends', async () => {
    await connected();
    await start({ percentOff: 50, endsAt: within(60 * MINUTE) });
    const own = { salePriceCents: 6_00, saleStartsAt: within(30_000), saleEndsAt: within(120_000) };
    await stage.put({ externalId: 'shirt', ...own });
    await shows({ shirt: 5_00 });
    await shows({ shirt: 3_00 });
    await shows({ shirt: 5_00 });
    await end();
    await shows({ shirt: 6_00 });
    expect(item('shirt')!.saleEndsAt, 'its own window').to.equal(own.saleEndsAt);
  });

  it('wait for an item that the provider is processing', async () => {
    await connected();
    provider.finishing = false;
    await stage.put({ externalId: 'shirt' });
    await until('it is in progress', () => provider.calls.length === 1);
    await start();
    await until('another push is pending', async () => {
      await stage.waitForViews(await stage.events.head());
      return (await stage.reads.get(catalogItems, itemId(SHOP, 'shirt')))?.keys.pending === 'update';
    });
    expect(provider.calls).to.have.lengthOf(1);
    provider.finishing = true;
    await shows({ shirt: 8_00 });
  });

  it('start and end although the process ends before each of them', async () => {
    await stage.connectNumber();
    const first = await stage.startPush(provider);
    await stage.put({ externalId: 'shirt' });
    await approved('shirt');
    await start({ startsAt: within(15_000), endsAt: within(90_000) });
    await until('its timers are stored', async () => (await stage.pending()) >= 2);
    first.crash();
    const second = await stage.startPush(provider);
    await shows({ shirt: 8_00 });
    second.crash();
    await stage.startPush(provider);
    await shows({ shirt: undefined });
  });

  it('of a large store reach every item', async () => {
    await connected();
    const ids = Array.from({ length: 1_300 }, (_, i) => `p${i}`);
    for (let from = 0; from < ids.length; from += 500)
      await stage.put(...ids.slice(from, from + 500).map((externalId) => ({ externalId })));
    await approved('p0', 'p1299');
    await start();
    await until('all are reduced', () => ids.every((id) => salePrice(id) === 8_00), 20_000);
  });
});
