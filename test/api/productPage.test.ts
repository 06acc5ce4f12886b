import { expect } from 'chai';
import { createMetrics } from '../../api/http/metrics.js';
import { productPageRoute } from '../../api/operations/catalog/productPage.js';
import { demoPictureRoute, pictureUrl } from '../../api/pages/pictures/demoPictures.js';
import { createHttpServer, type HttpServer } from '../../api/server/server.js';
import type { WorkspaceAccess } from '../../application/access/principal.js';
import { createPromotion, promotion } from '../../domain/promotions/promotion.js';
import { definitionOf } from '../../domain/promotions/promotionDefinition.js';
import { createLog } from '../../service/log.js';
import { type FakeClock, fakeClock } from '../support/doubles/fakeClock.js';
import { testCursors } from '../support/stages/apiServer.js';
import { type CatalogStage, catalogStage, SHOP } from '../support/stages/catalogStage.js';

const OTHER = '5f0c7a9e-1111-4000-8000-000000000002';
const CLOSED = '5f0c7a9e-1111-4000-8000-000000000003';
const EVIL = `</title><script>alert(1)</script>"><img src=x onerror='alert(2)'>&amp;`;

const store = (workspaceId: string, more: Partial<WorkspaceAccess> = {}): WorkspaceAccess => ({
  workspaceId,
  name: 'Asha’s shop',
  status: 'active',
  country: 'SO',
  timezone: 'Africa/Mogadishu',
  locale: 'en',
  features: { has: () => true, limit: () => undefined },
  ...more,
});

describe('the product page', () => {
  let stage: CatalogStage;
  let server: HttpServer;
  let clock: FakeClock;
  let url: string;
  let stores: Record<string, WorkspaceAccess>;

  beforeEach(async () => {
    stage = await catalogStage();
    clock = fakeClock();
    stores = { [SHOP]: store(SHOP), [OTHER]: store(OTHER), [CLOSED]: store(CLOSED, { status: 'suspended' }) };
    const services = {
      clock,
      eventStore: stage.events,
      commandHandler: stage.commands,
      reads: stage.reads,
      work: stage.work,
      directory: {
        principal: async () => undefined,
        workspace: async (id: string) => stores[id],
        partner: async () => undefined,
        member: async () => undefined,
        forget: () => undefined,
      },
      secretBox: { seal: (plain: string) => plain, open: (sealed: string) => sealed },
      cursors: testCursors,
    };
    server = createHttpServer({
      operations: [],
      services,
      settings: {
        host: '127.0.0.1',
        port: 0,
        publicUrl: 'https://shop.example.com',
        trustProxy: 0,
        rates: { ip: 0, user: 0, key: 0 },
      },
      progress: { waitFor: (_, position) => stage.waitForViews(position) },
      metrics: createMetrics(),
      log: createLog('silent'),
      pages: [productPageRoute(services, () => server.baseUrl()), demoPictureRoute],
      about: () => Promise.reject(new Error('this test asks for no other page')),
      soleUser: true,
    });
    url = (await server.listen()).url;
    server.ready();
  });
  afterEach(async () => {
    await server.close();
    await stage.close();
  });

  const put = async (...sent: Parameters<CatalogStage['put']>): Promise<void> => {
    await stage.put(...sent);
    await stage.waitForViews(await stage.events.head());
  };
  const get = async (externalId: string, workspaceId = SHOP, method = 'GET') => {
    const answer = await fetch(`${url}/p/${workspaceId}/${externalId}`, { method });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const shows = async (externalId: string, ...parts: string[]): Promise<void> => {
    const { status, text } = await get(externalId);
    expect(status).to.equal(200);
    for (const part of parts) expect(text).to.include(part);
  };

  it("shows the store's product data to everybody", async () => {
    await put({
      externalId: 'dress:1.a',
      name: 'Guntiino',
      description: 'Cotton,\nfour metres',
      priceCents: 25_00,
      imageUrls: ['https://cdn.example.com/1.jpg?a=1&b=2', 'https://cdn.example.com/2.jpg'],
    });
    await shows(
      'dress:1.a',
      '<title>Guntiino · Asha’s shop</title>',
      'Cotton,\nfour metres',
      '<bdi>$25.00</bdi>',
      '>Available<',
      'src="https://cdn.example.com/1.jpg?a=1&amp;b=2" alt="Guntiino"',
      'src="https://cdn.example.com/2.jpg"',
      `content="https://shop.example.com/p/${SHOP}/dress%3A1.a"`,
    );
    const head = await get('dress:1.a', SHOP, 'HEAD');
    expect([head.status, head.text]).to.deep.equal([200, '']);
    expect((await get('dress:1.a', SHOP, 'POST')).status).to.equal(405);
  });

  it('shows a flash sale while it is open, with the price an order would get', async () => {
    await put({ externalId: 'dress', priceCents: 25_00, variants: [{ externalId: 'd-m' }] }, { externalId: 'coat' });
    const fields = { name: 'Eid', kind: 'flash_sale', percentOff: 20, scope: 'products' } as const;
    const definition = definitionOf({ ...fields, productExternalIds: ['dress'], endsAt: '2026-03-01T09:00:00Z' });
    const context = { commandId: SHOP, actor: { type: 'api_key' }, correlationId: 'test', workspaceId: SHOP } as const;
    await stage.commands.decide(context, promotion, OTHER, createPromotion(definition));
    await stage.waitForViews(await stage.events.head());
    await shows('dress', '<bdi>$20.00</bdi>', '$25.00');
    expect((await get('coat')).text).to.include('<bdi>$10.00</bdi>');
    await clock.advance(3_600_000);
    expect((await get('dress')).text)
      .to.include('<bdi>$25.00</bdi>')
      .and.not.include('$20.00');
  });

  it('escapes everything that a store wrote', async () => {
    stores[SHOP] = store(SHOP, { name: EVIL });
    await put({
      externalId: 'evil',
      name: EVIL,
      description: EVIL,
      imageUrls: ["https://cdn.example.com/1.jpg?'onerror='alert(3)&a", 'https://cdn.example.com/2.jpg'],
      variants: [{ externalId: 'evil-1', size: EVIL, color: EVIL }],
    });
    const { status, text } = await get('evil');
    expect(status).to.equal(200);
    expect(text).to.include('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).to.include('&amp;amp;');
    expect(text).not.to.match(/<script/i);
    const tags = text.match(/<[a-z][^>]*>/g) ?? [];
    const markup = tags.map((tag) => tag.replace(/"[^"]*"/g, '""')).join('');
    expect(markup).not.to.match(/onerror|alert/);
    expect(text.match(/<img\b/g)).to.have.length(2);
  });

  it('runs no script, and loads only its style and https images', async () => {
    await put({ externalId: 'a' });
    for (const { headers, text } of [await get('a'), await get('nothing')]) {
      const policy = headers.get('content-security-policy')!.split(';');
      expect(policy).to.include.members(["default-src 'none'", "img-src 'self' https:", "style-src 'self'"]);
      expect(policy.some((part) => part.startsWith('script-src'))).to.equal(false);
      expect(text).not.to.match(/<script|<style|\sstyle=/i);
      expect(headers.get('cache-control')).to.equal('public, max-age=60');
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      // The link is relative to the page, so that a proxy may serve both under a path.
      const style = new URL(/<link rel="stylesheet" href="(\.\.[^"]+)"/.exec(text)![1]!, `${url}/p/${SHOP}/a`);
      const answer = await fetch(style);
      expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([200, 'text/css; charset=utf-8']);
      expect(await answer.text()).to.include('.offer');
    }
  });

  it('shows the service’s own copy of a demo picture, and other images from their source', async () => {
    const other = 'https://images.example.com/a.jpg';
    const unknown = 'https://pictures.suuq.example/no-such.svg';
    await put({ externalId: 'a', imageUrls: [pictureUrl('teapot-blue'), other, unknown] });
    const { text } = await get('a');
    const [main, ...others] = [...text.matchAll(/<img[^>]* src="([^"]+)"/g)].map(([, src]) => src!);
    expect(others).to.deep.equal([other, unknown]);
    expect(text).to.include(
      `<meta property="og:image" content="https://shop.example.com/demo/pictures/teapot-blue.svg">`,
    );
    const picture = await fetch(new URL(main!, `${url}/p/${SHOP}/a`));
    expect([picture.status, picture.headers.get('content-type')]).to.deep.equal([200, 'image/svg+xml; charset=utf-8']);
    expect(picture.headers.get('content-security-policy')).to.include("default-src 'none'");
    expect(await picture.text()).to.match(/^<svg [^>]+>.+<\/svg>\n$/);
    for (const file of ['no-such.svg', 'teapot-blue', 'constructor.svg', 'teapot-blue.png'])
      expect((await fetch(`${url}/demo/pictures/${file}`)).status, file).to.equal(404);
  });

  it('shows the sale price inside its window only: start included, end not', async () => {
    const at = (ms: number): string => new Date(clock.now() + ms).toISOString();
    await put({
      externalId: 'a',
      priceCents: 10_00,
      salePriceCents: 7_50,
      saleStartsAt: at(60_000),
      saleEndsAt: at(120_000),
    });
    const sale = async () => /\$7\.50/.test((await get('a')).text);
    expect(await sale()).to.equal(false);
    await clock.advance(60_000);
    await shows('a', '<bdi>$7.50</bdi>', 'instead of </span><bdi>$10.00</bdi></s>');
    await clock.advance(59_999);
    expect(await sale()).to.equal(true);
    await clock.advance(1);
    expect(await sale()).to.equal(false);
    await shows('a', '<bdi>$10.00</bdi>');
  });

  it('shows each variant with its own price and stock, and the lowest available price above them', async () => {
    await put({
      externalId: 'shirt',
      priceCents: 20_00,
      stock: 3,
      variants: [
        { externalId: 'shirt-s', size: 'S', color: 'Indigo', priceCents: 15_00, stock: 0 },
        { externalId: 'shirt-m', size: 'M' },
        { externalId: 'shirt-l', size: 'L', priceCents: 18_00 },
      ],
    });
    const { text } = await get('shirt');
    expect(text).to.include('from <bdi>$18.00</bdi>');
    const rows = [...text.matchAll(/<tr>(<td.*?)<\/tr>/g)].map(([, row]) => row!.replace(/<[^>]*>/g, ' ').split(/\s+/));
    expect(rows.map((row) => row.filter(Boolean).join(' '))).to.deep.equal([
      'S Indigo $15.00 Out of stock',
      'M $20.00 Available',
      'L $18.00 Available',
    ]);
    expect(text).to.include('>Size<').and.to.include('>Colour<');
  });

  it('shows that nothing is left, by availability or by stock', async () => {
    await put({ externalId: 'a', availability: 'out_of_stock' }, { externalId: 'b', stock: 0 });
    for (const id of ['a', 'b']) {
      await shows(id, '>Out of stock<');
      expect((await get(id)).text).not.to.include('>Available<');
    }
  });

  it('is in the language of the store', async () => {
    stores[SHOP] = store(SHOP, { locale: 'ar' });
    await put({ externalId: 'a' });
    await shows('a', '<html lang="ar" dir="rtl">', 'متوفر');
    expect((await get('a')).text, 'amounts in its way').to.match(/<bdi>\u200f10\.00\u00a0\S*\$\u2069<\/bdi>/);
  });

  it('answers 404 if unknown, another store’s, not for sale, removed, or of a closed store', async () => {
    await put({ externalId: 'a' }, { externalId: 'resting', active: false });
    const missing = [
      await get('unknown'),
      await get('a', OTHER),
      await get('a', CLOSED),
      await get('a', 'constructor'),
      await get('resting'),
      await get('a%2F..'),
    ];
    for (const { status, text, headers } of missing) {
      expect(status).to.equal(404);
      expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect(text).to.include('This product is not available');
    }
    await stage.remove('a');
    await stage.waitForViews(await stage.events.head());
    expect((await get('a')).status).to.equal(404);
    stores[SHOP] = store(SHOP, { status: 'cancelled' });
    await put({ externalId: 'b' });
    expect((await get('b')).status).to.equal(404);
  });
});
