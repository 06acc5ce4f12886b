import { expect } from 'chai';
import { catalog } from '../../domain/catalog/catalog.js';
import type { CatalogEvent, ProductContent } from '../../domain/catalog/catalogEvents.js';
import { imageUrlProblem } from '../../domain/catalog/imageUrl.js';
import type { ProductFields } from '../../domain/catalog/productContent.js';
import { MAX_CATEGORIES, putCategories } from '../../domain/catalog/putCategories.js';
import {
  deleteProduct,
  type UpsertProduct,
  upsertProducts,
  upsertResults,
} from '../../domain/catalog/upsertProducts.js';
import { given, stateAfter } from '../support/spec/given.js';

const shirt: ProductFields = {
  name: 'Linen shirt',
  description: 'Cool in the heat.',
  imageUrls: ['https://images.example.com/shirt.jpg'],
  priceCents: 25_00,
};
const shirtContent: ProductContent = {
  name: 'Linen shirt',
  description: 'Cool in the heat.',
  imageUrls: ['https://images.example.com/shirt.jpg'],
  priceCents: 25_00,
  availability: 'in_stock',
  active: true,
  variants: [],
};

/** Commands as a batch makes them. */
const batch = (...products: (ProductFields & { externalId: string })[]): UpsertProduct[] =>
  products.map(({ externalId, ...fields }, index) => ({
    externalId,
    fields,
    at: `body.products[${index}]`,
    idAt: `body.products[${index}].externalId`,
  }));
const upsert = (...products: (ProductFields & { externalId: string })[]) =>
  upsertProducts(batch(...products), { maxProducts: undefined });
const added = (externalId: string, product: Partial<ProductContent> = {}): CatalogEvent => {
  const content = { ...shirtContent, ...product };
  const retailerIds = content.variants.length === 0 ? [externalId] : content.variants.map((v) => v.externalId);
  return { type: 'ProductAdded', data: { externalId, product: content, retailerIds } };
};
const categories = (...names: string[]): CatalogEvent => ({
  type: 'CategoriesAdded',
  data: { categories: names.map((name, position) => ({ externalId: name.toLowerCase(), name, position })) },
});
const locations = (error: { problems: readonly { location?: string }[] }) =>
  error.problems.map(({ location }) => location);

describe('catalog: products', () => {
  it('are added with defaults applied', () =>
    given(catalog)
      .when(upsert({ externalId: 'shirt', ...shirt }))
      .then([added('shirt')]));

  it('reject new ids that cannot appear in a path; existing ones can still be changed', () => {
    for (const externalId of ['.', '..']) {
      const outcome = given(catalog).when(upsert({ externalId: 'shirt', ...shirt }, { externalId, ...shirt }));
      expect(locations(outcome.thenRefused('validation_failed'))).to.deep.equal(['body.products[1].externalId']);
    }
    given(catalog, added('..'))
      .when(upsert({ externalId: '..', ...shirt }))
      .then([]);
  });

  it('append no event when sent again, also when the same values are spelled differently', () =>
    given(catalog, added('shirt', { saleStartsAt: '2026-03-01T09:00:00.000Z', salePriceCents: 20_00 }))
      .when(
        upsert({
          externalId: 'shirt',
          ...shirt,
          salePriceCents: 20_00,
          saleStartsAt: '2026-03-01T12:00:00+03:00',
          currency: 'USD',
          availability: 'in_stock',
          active: true,
          categoryExternalId: '',
          variants: null,
        }),
      )
      .then([]));

  it('append a revision with the changed fields and their previous values', () =>
    given(catalog, categories('Shirts'), added('shirt', { stock: 4, categoryExternalId: 'shirts' }))
      .when(upsert({ externalId: 'shirt', ...shirt, priceCents: 30_00, categoryExternalId: 'shirts' }))
      .then([
        {
          type: 'ProductRevised',
          data: {
            externalId: 'shirt',
            changes: { priceCents: 30_00, stock: null },
            before: { priceCents: 25_00, stock: 4 },
            retailerIds: ['shirt'],
            droppedRetailerIds: [],
          },
        },
      ]));

  it('list new and removed items in the event, with the full content of new items', () => {
    const variants = [{ externalId: 'shirt-m', size: 'M' }];
    given(catalog, added('shirt'))
      .when(upsert({ externalId: 'shirt', ...shirt, variants }))
      .then([
        {
          type: 'ProductRevised',
          data: {
            externalId: 'shirt',
            changes: { variants },
            before: { variants: [] },
            retailerIds: ['shirt-m'],
            droppedRetailerIds: ['shirt'],
            product: { ...shirtContent, variants },
          },
        },
      ]);
  });

  it('report the outcome for each product', () => {
    const commands = batch(
      { externalId: 'new', ...shirt },
      { externalId: 'same', ...shirt },
      { externalId: 'other', ...shirt, name: 'Other' },
    );
    const events = given(catalog, added('same'), added('other'))
      .when(upsertProducts(commands, { maxProducts: 3 }))
      .events();
    expect(upsertResults(commands, events)).to.deep.equal(['created', 'unchanged', 'updated']);
  });

  it('are removed with their items', () =>
    given(catalog, added('shirt', { variants: [{ externalId: 'shirt-m' }, { externalId: 'shirt-l' }] }))
      .when(deleteProduct('shirt'))
      .then([{ type: 'ProductRemoved', data: { externalId: 'shirt', retailerIds: ['shirt-m', 'shirt-l'] } }]));

  it('cannot be removed if they do not exist', () => {
    given(catalog, added('shirt')).when(deleteProduct('shoe')).thenRefused('not_found');
  });
});

describe('catalog validation', () => {
  it('reports every problem of a batch with its path, and stores nothing', () => {
    const error = given(catalog, categories('Shirts'))
      .when(
        upsert(
          { externalId: 'a', ...shirt, salePriceCents: 25_00 },
          {
            externalId: 'b',
            ...shirt,
            imageUrls: ['https://images.example.com/b.jpg', 'http://images.example.com/b.jpg'],
          },
          { externalId: 'c', ...shirt, categoryExternalId: 'hats' },
          { externalId: 'a', ...shirt, saleStartsAt: '2026-03-02T00:00:00Z', saleEndsAt: '2026-03-02T00:00:00Z' },
          { externalId: 'd', ...shirt, variants: [{ externalId: 'd-m' }, { externalId: 'd-m' }] },
          { externalId: 'e', ...shirt, saleEndsAt: '2026-03-02T23:59:60Z' },
        ),
      )
      .thenRefused('validation_failed');
    expect(locations(error)).to.have.members([
      'body.products[0].salePriceCents',
      'body.products[1].imageUrls[1]',
      'body.products[2].categoryExternalId',
      'body.products[3].externalId',
      'body.products[3].saleEndsAt',
      'body.products[4].variants[1].externalId',
      'body.products[5].saleEndsAt',
    ]);
  });

  it('rejects a variant whose sale price does not fit its price, own or inherited', () => {
    const error = given(catalog)
      .when(
        upsert({
          externalId: 'shirt',
          ...shirt,
          salePriceCents: 20_00,
          variants: [
            { externalId: 'fits', priceCents: 22_00 },
            { externalId: 'too-cheap', priceCents: 20_00 },
            { externalId: 'no-sale', salePriceCents: 25_00 },
          ],
        }),
      )
      .thenRefused('validation_failed');
    expect(locations(error)).to.deep.equal([
      'body.products[0].variants[1].priceCents',
      'body.products[0].variants[2].salePriceCents',
    ]);
  });

  it('rejects a retailer id that another product uses, for the product or a variant', () => {
    const events = [added('shirt'), added('shoe', { variants: [{ externalId: 'shoe-42' }] })];
    const taken = (...products: (ProductFields & { externalId: string })[]) =>
      locations(
        given(catalog, ...events)
          .when(upsert(...products))
          .thenRefused('retailer_id_taken'),
      );
    expect(taken({ externalId: 'shoe-42', ...shirt })).to.deep.equal(['body.products[0].externalId']);
    expect(
      taken({ externalId: 'hat', ...shirt, variants: [{ externalId: 'hat-s' }, { externalId: 'shirt' }] }),
    ).to.deep.equal(['body.products[0].variants[1].externalId']);
    expect(
      taken({ externalId: 'a', ...shirt, variants: [{ externalId: 'x' }] }, { externalId: 'x', ...shirt }),
    ).to.deep.equal(['body.products[1].externalId']);
  });

  it('accepts the id of a product with variants, since such a product is no item', () => {
    given(catalog, added('shoe', { variants: [{ externalId: 'shoe-42' }] }))
      .when(upsert({ externalId: 'boot', ...shirt, variants: [{ externalId: 'shoe' }] }))
      .then([added('boot', { variants: [{ externalId: 'shoe' }] })]);
  });

  it('accepts an id that another product in the same batch gives up, in either order', () => {
    const a = added('a', { variants: [{ externalId: 'x' }, { externalId: 'a1' }] });
    const give = { externalId: 'a', ...shirt, variants: [{ externalId: 'a1' }] };
    const take = { externalId: 'b', ...shirt, variants: [{ externalId: 'x' }] };
    for (const order of [
      [give, take],
      [take, give],
    ]) {
      const events = given(catalog, a)
        .when(upsert(...order))
        .events();
      expect(events).to.have.length(2);
      const after = stateAfter(catalog, [a, ...events]);
      expect(after.variantOwner).to.deep.equal(
        new Map([
          ['a1', 'a'],
          ['x', 'b'],
        ]),
      );
    }
  });

  it('rejects a product beyond the plan’s limit, and always accepts changes', () => {
    const two = [added('a'), added('b')];
    const limited = (maxProducts: number, ...products: (ProductFields & { externalId: string })[]) =>
      given(catalog, ...two).when(upsertProducts(batch(...products), { maxProducts }));
    expect(limited(3, { externalId: 'c', ...shirt }).events()).to.have.length(1);
    limited(3, { externalId: 'c', ...shirt }, { externalId: 'd', ...shirt }).thenRefused('plan_limit_reached');
    expect(limited(1, { externalId: 'a', ...shirt, name: 'Changed' }).events()).to.have.length(1);
  });
});

describe('catalog: categories', () => {
  const put = (...names: string[]) => putCategories(names.map((name) => ({ externalId: name.toLowerCase(), name })));

  it('are appended after the existing ones', () =>
    given(catalog)
      .when(put('Shirts', 'Shoes'))
      .then([categories('Shirts', 'Shoes')]));

  it('append no event when the order is already the same', () =>
    given(catalog, categories('Shirts', 'Shoes', 'Hats'))
      .when(put('Shirts', 'Shoes'))
      .then([]));

  it('are renamed; omitted ones keep their names and follow in their old order', () => {
    const events = given(catalog, categories('A', 'B', 'C', 'D'))
      .when(
        putCategories([
          { externalId: 'e', name: 'E' },
          { externalId: 'c', name: 'Cc' },
        ]),
      )
      .events();
    expect(events.map(({ type }) => type)).to.deep.equal([
      'CategoriesAdded',
      'CategoriesRenamed',
      'CategoriesReordered',
    ]);
    expect([...stateAfter(catalog, [categories('A', 'B', 'C', 'D'), ...events]).categories]).to.deep.equal([
      ['e', 'E'],
      ['c', 'Cc'],
      ['a', 'A'],
      ['b', 'B'],
      ['d', 'D'],
    ]);
  });

  it('reject a duplicate external id', () => {
    const error = given(catalog)
      .when(put('A', 'B', 'A'))
      .thenRefused('validation_failed');
    expect(locations(error)).to.deep.equal(['body.categories[2].externalId']);
  });

  it('are limited in number, and can be reordered at the limit', () => {
    const names = Array.from({ length: MAX_CATEGORIES }, (_, index) => `C${index}`);
    const full = given(catalog, categories(...names));
    full.when(put('One more')).thenRefused('validation_failed');
    expect(full.when(put(...names.slice(500))).events()).to.have.length(1);
  });
});

describe('catalog: image URLs', () => {
  for (const url of [
    'https://cdn.example.com/a.jpg',
    'https://cdn-1.example.com/a%20b@c:/%7a?x=[1]#y'.replace('[1]', '%5B1%5D'),
    'https://cdn_1.example.com:443/a;b=c/(d)!$',
    'https://xn--bcher-kva.example.com/a.jpg',
    'https://8.8.8.8/a.jpg',
    'https://[2606:4700::1111]:8443/a?b#c',
  ])
    it(`accepts ${url}`, () => expect(imageUrlProblem(url)).to.equal(undefined));
  for (const url of [
    'http://cdn.example.com/a.jpg',
    'ftp://cdn.example.com/a.jpg',
    'HTTPS://cdn.example.com/a.jpg',
    'https:cdn.example.com/a.jpg',
    'https:/cdn.example.com/a.jpg',
    'https:///cdn.example.com/a.jpg',
    'https://cdn.example.com\\a.jpg',
    'https://cdn.example.com/a b.jpg',
    ' https://cdn.example.com/a.jpg',
    'https://cdn.example.com/a.jpg\n',
    'https://cdn.example.com/a\tb.jpg',
    'https://cdn.example.com/%zz.jpg',
    'https://cdn.example.com/ü.jpg',
    'https://@cdn.example.com/a.jpg',
    'cdn.example.com/a.jpg',
    'https://user:pass@cdn.example.com/a.jpg',
    'https://localhost/a.jpg',
    'https://LOCALHOST./a.jpg',
    'https://shop.localhost/a.jpg',
    'https://intranet/a.jpg',
    'https://printer.local/a.jpg',
    'https://xn--a.example.com/a.jpg',
    'https://a.example.com:99999/a.jpg',
    'https://me@a.example.com/a.jpg',
    'https://10.0.0.0x1/a.jpg',
    'https://127.0.0.1/a.jpg',
    'https://0x7f.1/a.jpg',
    'https://2130706433/a.jpg',
    'https://10.1.2.3/a.jpg',
    'https://172.31.0.1/a.jpg',
    'https://192.168.1.1/a.jpg',
    'https://169.254.169.254/latest/meta-data',
    'https://100.64.0.1/a.jpg',
    'https://224.0.0.1/a.jpg',
    'https://[::1]/a.jpg',
    'https://[::ffff:10.0.0.1]/a.jpg',
    'https://[fd00::1]/a.jpg',
    'https://[fe80::1]/a.jpg',
    'https://[2002:7f00:1::]/a.jpg',
    'https://[2001:db8::1]/a.jpg',
    `https://cdn.example.com/${'a'.repeat(2048)}`,
  ])
    it(`rejects ${url.slice(0, 60)}`, () => expect(imageUrlProblem(url)).to.be.a('string'));
});
