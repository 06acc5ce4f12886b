/** Limits of the specification's request bodies, copied by hand: values at each limit and beyond it. */

import { inboxQueryLimits } from './areas/inbox.js';
import { sendingLimits } from './areas/inboxSending.js';

import type { Limit, Limited } from './rows.js';

export type { Limit, Limited };

const NO_ID = '00000000-0000-4000-8000-00000000dead';
const MOST_CENTS = 100_000_000_000;
const MOST_INT32 = 2_147_483_647;
const chars = (count: number): string => 'x'.repeat(count);
const NO_TEXT = [7, true, null, {}, ['x']];

/** Text of `least` to `most` characters, counted as people count them: an emoji is one. */
const text = (at: string, least: number, most: number): Limit => ({
  at,
  accepts: [chars(most), '😀'.repeat(most), ...(least === 0 ? [''] : [chars(least)])],
  refuses: [chars(most + 1), '😀'.repeat(most + 1), ...(least === 0 ? [] : ['']), ...NO_TEXT],
});
const externalId = (at: string, most = 100): Limit => ({
  at,
  accepts: ['x', 'Az09._:-', chars(most)],
  refuses: ['', chars(most + 1), 'a b', 'a/b', 'é', 'a\n', '$', ...NO_TEXT],
});
const NO_INTEGER = [0.5, '1', true, null, [1], 1e300];
const cents = (at: string): Limit => ({
  at,
  accepts: [0, MOST_CENTS],
  refuses: [-1, MOST_CENTS + 1, ...NO_INTEGER],
});
const stock = (at: string): Limit => ({
  at,
  accepts: [0, MOST_INT32],
  refuses: [-1, MOST_INT32 + 1, ...NO_INTEGER],
});
const uses = (at: string): Limit => ({
  at,
  accepts: [1, MOST_INT32],
  refuses: [0, -1, MOST_INT32 + 1, ...NO_INTEGER],
});
/** Fields that a promotion for everybody cannot have. */
const flashSale = { code: undefined, maxPerCustomer: undefined, maxRedemptions: undefined };
const flag = (at: string): Limit => ({ at, accepts: [true, false], refuses: [0, 'true', null, []] });
const oneOf = (at: string, ...accepts: string[]): Limit => ({
  at,
  accepts,
  refuses: ['', accepts[0]!.toUpperCase().concat('x'), 'other', ...NO_TEXT],
});
const time = (at: string, fields = {}): Limit => ({
  at,
  fields,
  accepts: ['2026-02-28T23:59:59Z', '2026-01-31T09:30:00.123+03:00', '2024-02-29T00:00:00-11:30'],
  refuses: [
    '2026-01-31T09:30:00.123456789+03:00',
    '2026-02-29T00:00:00Z',
    '2026-01-31',
    '2026-01-31T09:30:00',
    '2026-01-31T24:00:00Z',
    'now',
    '',
    7,
    null,
  ],
});
/** `make` returns the item at an index. */
const items = (at: string, least: number, most: number, make: (index: number) => unknown): Limit => {
  const list = (length: number): unknown[] => Array.from({ length }, (_, index) => make(index));
  return {
    at,
    accepts: [list(most), list(least)],
    refuses: [list(most + 1), ...(least === 0 ? [] : [[]]), 'x', 7, {}],
  };
};

const image = (index: number): string => `https://cdn.example.com/${index}.jpg`;
const variant = (index: number): object => ({ externalId: `v-${index}` });
const inStock = ['in_stock', 'out_of_stock'];
const noSale = { salePriceCents: undefined, variants: [] };

/** (Specification 1, 'Product' and 'Variant'.) */
const productLimits = (): Limit[] => [
  text('name', 1, 200),
  text('description', 0, 5000),
  items('imageUrls', 1, 10, image),
  { at: 'imageUrls', accepts: [], refuses: [null] },
  {
    at: 'imageUrls[0]',
    accepts: [`https://cdn.example.com/${chars(2048 - 24)}`, 'https://8.8.8.8/1.jpg'],
    refuses: ['http://cdn.example.com/1.jpg', 'https://localhost/1.jpg', 'https://10.0.0.1/1.jpg', '1.jpg', '', 7],
  },
  { ...cents('priceCents'), fields: noSale },
  {
    at: 'salePriceCents',
    accepts: [0, MOST_CENTS - 1],
    refuses: [-1, MOST_CENTS, MOST_CENTS + 1, ...NO_INTEGER],
    fields: { priceCents: MOST_CENTS, variants: [] },
  },
  time('saleStartsAt', { saleEndsAt: undefined }),
  time('saleEndsAt', { saleStartsAt: undefined }),
  oneOf('currency', 'USD'),
  oneOf('availability', ...inStock),
  stock('stock'),
  flag('active'),
  { at: 'categoryExternalId', accepts: ['', chars(100)], refuses: [chars(101), 'a b', 'unknown', 7, null] },
  { at: 'variants', accepts: [null], refuses: [] },
  items('variants', 0, 50, variant),
  externalId('variants[0].externalId'),
  text('variants[0].size', 0, 100),
  text('variants[0].color', 0, 100),
  {
    ...cents('variants[0].priceCents'),
    fields: { salePriceCents: undefined, variants: [{ externalId: 'v-0' }] },
  },
  {
    at: 'variants[0].salePriceCents',
    accepts: [0, MOST_CENTS - 1],
    refuses: [-1, MOST_CENTS, MOST_CENTS + 1, ...NO_INTEGER],
    fields: { variants: [{ externalId: 'v-0', priceCents: MOST_CENTS }] },
  },
  oneOf('variants[0].availability', ...inStock),
  stock('variants[0].stock'),
];

const wholeProduct = {
  name: 'Linen shirt',
  description: 'Cool in the heat',
  imageUrls: [image(0)],
  priceCents: 12_00,
  salePriceCents: 9_00,
  saleStartsAt: '2026-01-01T00:00:00Z',
  saleEndsAt: '2026-12-31T00:00:00Z',
  currency: 'USD',
  availability: 'in_stock',
  stock: 5,
  active: true,
  categoryExternalId: chars(100),
  variants: [
    {
      externalId: 'v-0',
      size: 'M',
      color: 'white',
      priceCents: 13_00,
      salePriceCents: 8_00,
      availability: 'in_stock',
      stock: 2,
    },
  ],
};

const order = ['paid', 'preparing', 'out_for_delivery', 'delivered', 'cancelled', 'refunded'];

/** (Specification 2, 'Webhook endpoint' and 'Limits'.) */
const endpointLimits: readonly Limit[] = [
  {
    at: 'url',
    accepts: [`http://127.0.0.1:1234/${chars(2048 - 22)}`],
    refuses: [
      'https:/',
      `http://127.0.0.1:1234/${chars(2049 - 22)}`,
      'http://8.8.8.8/hook',
      'https://10.0.0.1/hook',
      'https://169.254.169.254/hook',
      'ftp://8.8.8.8/',
      'https://user:pass@8.8.8.8/',
      7,
      null,
    ],
  },
  { at: 'events', accepts: [['order.paid', 'message.received']], refuses: [[], Array(65).fill('order.paid'), 'x'] },
  { at: 'events', accepts: [Array(64).fill('order.paid')], refuses: [7] },
  { at: 'events[0]', accepts: ['webhook.test', 'call.missed'], refuses: ['order.lost', '', 7, null] },
  text('description', 0, 200),
];

export const limits: readonly Limited[] = [
  ...sendingLimits,
  {
    operation: 'upsertProductCategories',
    body: { categories: [{ externalId: 'shirts', name: 'Shirts' }] },
    required: ['categories', 'categories[0].externalId', 'categories[0].name'],
    objects: ['', 'categories[0]'],
    limits: [
      items('categories', 1, 500, (index) => ({ externalId: `c-${index}`, name: `Category ${index}` })),
      { at: 'categories', accepts: [], refuses: [null] },
      externalId('categories[0].externalId'),
      text('categories[0].name', 1, 120),
    ],
  },
  {
    operation: 'upsertProduct',
    body: wholeProduct,
    required: ['name', 'imageUrls', 'priceCents', 'variants[0].externalId'],
    objects: ['', 'variants[0]'],
    limits: productLimits(),
  },
  {
    operation: 'upsertProducts',
    body: { products: [{ externalId: 'linen-shirt', ...wholeProduct }] },
    required: ['products', ...['externalId', 'name', 'imageUrls', 'priceCents'].map((one) => `products[0].${one}`)],
    objects: ['', 'products[0]', 'products[0].variants[0]'],
    limits: [
      items('products', 1, 500, (index) => ({
        externalId: `p-${index}`,
        name: `Product ${index}`,
        imageUrls: [image(index)],
        priceCents: index,
      })),
      { at: 'products', accepts: [], refuses: [null] },
      externalId('products[0].externalId'),
      text('products[0].name', 1, 200),
      items('products[0].imageUrls', 1, 10, image),
      text('products[0].description', 0, 5000),
    ],
  },
  {
    operation: 'saveDeliverySettings',
    body: {
      deliveryEnabled: true,
      pickupEnabled: true,
      pickupAddress: 'Market street 1',
      requestLocation: false,
      notifyStatuses: ['paid'],
      areas: [{ name: 'Centre', feeCents: 2_00, active: true }],
      freeDeliveryAboveCents: 50_00,
      cashOnDelivery: false,
      cartValidDays: 7,
    },
    required: [
      ...['deliveryEnabled', 'pickupEnabled', 'pickupAddress', 'requestLocation', 'notifyStatuses', 'areas'],
      ...['name', 'feeCents', 'active'].map((one) => `areas[0].${one}`),
    ],
    objects: ['', 'areas[0]'],
    limits: [
      flag('deliveryEnabled'),
      flag('pickupEnabled'),
      text('pickupAddress', 0, 500),
      flag('requestLocation'),
      items('notifyStatuses', 0, 7, (index) => ['awaiting_payment', ...order][index] ?? 'paid'),
      { at: 'notifyStatuses[0]', accepts: ['awaiting_payment', ...order], refuses: ['new', '', 7, null] },
      {
        ...items('areas', 0, 100, (index) => ({ name: `Area ${index}`, feeCents: index, active: true })),
        fields: { deliveryEnabled: false },
      },
      text('areas[0].name', 1, 30),
      cents('areas[0].feeCents'),
      { ...flag('areas[0].active'), fields: { deliveryEnabled: false } },
      { at: 'areas[0].id', accepts: [], refuses: ['no-id', '', 7, null, '00000000-0000-4000-8000-00000000dead'] },
      cents('freeDeliveryAboveCents'),
      flag('cashOnDelivery'),
      { at: 'cartValidDays', accepts: [0, 365], refuses: [-1, 366, ...NO_INTEGER] },
    ],
  },
  ...['createNumberList', 'updateNumberList'].map(
    (operation): Limited => ({
      operation,
      body: { name: 'Best customers', kind: 'uploaded', minOrders: 3, phones: ['+252611000001'] },
      required: ['name', 'kind'],
      objects: [''],
      limits: [
        text('name', 1, 80),
        oneOf('kind', 'uploaded', 'past_orders'),
        {
          at: 'minOrders',
          accepts: [1, 1000],
          refuses: [0, -1, 1001, ...NO_INTEGER],
          fields: { kind: 'past_orders' },
        },
        { at: 'minOrders', accepts: [], refuses: [undefined], fields: { kind: 'past_orders' } },
        { at: 'phones', accepts: [null, undefined], refuses: [] },
        items('phones', 0, 10_000, (index) => `+2526${10_000_000 + index}`),
        {
          at: 'phones[0]',
          accepts: ['+252 61 1000001', '00252611000001', '252611000001', '+254712345678'],
          refuses: [
            '',
            '252',
            '061 1000001',
            '+99961100000',
            'no number',
            '+2526110000011111',
            '+252611000001 ext. 5',
            7,
            null,
          ],
        },
      ],
    }),
  ),
  ...['createPromotion', 'updatePromotion'].map(
    (operation): Limited => ({
      operation,
      body: {
        name: 'Eid',
        kind: 'coupon',
        scope: 'products',
        productExternalIds: ['shirt'],
        categoryExternalIds: ['shirts'],
        percentOff: 10,
        code: 'EID10',
        minSubtotalCents: 20_00,
        maxPerCustomer: 1,
        maxRedemptions: 100,
        combinable: true,
        active: true,
        startsAt: '2026-01-01T00:00:00Z',
        endsAt: '2026-12-31T00:00:00Z',
      },
      required: ['name', 'kind'],
      least: { percentOff: 10, code: 'EID10' },
      objects: [''],
      limits: [
        text('name', 1, 120),
        { ...oneOf('kind', 'coupon'), fields: {} },
        { ...oneOf('kind', 'flash_sale'), fields: flashSale },
        oneOf('scope', 'all', 'products', 'categories'),
        items('productExternalIds', 1, 500, (index) => `p-${index}`),
        { at: 'productExternalIds', accepts: [null, [], undefined], refuses: [], fields: { scope: 'all' } },
        externalId('productExternalIds[0]'),
        { ...items('categoryExternalIds', 1, 100, (index) => `c-${index}`), fields: { scope: 'categories' } },
        { at: 'categoryExternalIds', accepts: [null, [], undefined], refuses: [] },
        externalId('categoryExternalIds[0]'),
        { at: 'percentOff', accepts: [1, 100], refuses: [0, 101, -1, undefined, ...NO_INTEGER] },
        {
          at: 'amountOffCents',
          accepts: [1, MOST_CENTS],
          refuses: [0, MOST_CENTS + 1, -1, ...NO_INTEGER],
          fields: { percentOff: undefined },
        },
        { at: 'amountOffCents', accepts: [], refuses: [5_00] },
        {
          at: 'code',
          accepts: ['x', chars(32), '😀'.repeat(32), 'عيد'],
          refuses: [chars(33), '', '   ', undefined, ...NO_TEXT],
        },
        { at: 'numberListId', accepts: [], refuses: ['no-id', '', 7, null, '00000000-0000-4000-8000-00000000dead'] },
        {
          at: 'numberListId',
          accepts: [],
          refuses: [undefined, '00000000-0000-4000-8000-00000000dead'],
          fields: { kind: 'number_list', code: undefined },
        },
        cents('minSubtotalCents'),
        uses('maxPerCustomer'),
        uses('maxRedemptions'),
        flag('combinable'),
        flag('active'),
        time('startsAt', { endsAt: undefined }),
        time('endsAt', { startsAt: undefined }),
        { at: 'endsAt', accepts: [], refuses: ['2026-01-01T00:00:00Z', '2025-12-31T23:59:59Z'] },
      ],
    }),
  ),
  {
    operation: 'cancelOrder',
    body: { reason: 'sold out' },
    required: [],
    objects: [''],
    limits: [text('reason', 0, 500)],
  },
  {
    operation: 'setOrderStatus',
    body: { status: 'cancelled', note: 'sold out' },
    required: ['status'],
    objects: [''],
    limits: [
      { at: 'status', accepts: ['cancelled'], refuses: ['new', 'paid', 'refunded', 'awaiting_payment', '', 7, null] },
      text('note', 0, 500),
    ],
  },
  {
    operation: 'createPartnerStore',
    body: {
      externalRef: 'souk',
      name: 'Souk',
      owner: { email: 'hodan@example.com', name: 'Hodan' },
      country: 'SO',
      timezone: 'Africa/Mogadishu',
      locale: 'so',
    },
    required: ['externalRef', 'name', 'owner', 'owner.email', 'owner.name', 'country', 'timezone', 'locale'],
    objects: ['', 'owner'],
    limits: [
      externalId('externalRef', 255),
      text('name', 1, 120),
      text('owner.name', 1, 120),
      {
        at: 'owner.email',
        accepts: [`${chars(64)}@${[63, 63, 63, 63].map(chars).join('.')}`, 'a@b.co'],
        refuses: [`${chars(64)}@${[63, 63, 63, 62, 1].map(chars).join('.')}`, 'a@b', 'hodan', '@b.co', '', 7, null],
      },
      { at: 'country', accepts: ['SO', 'so', 'Ke'], refuses: ['S', 'SOM', 'S1', '', 'ÄÖ', 'ZZ', 'UK', 'EU', 7, null] },
      { at: 'timezone', accepts: ['UTC', 'Africa/Mogadishu'], refuses: ['', chars(65), 'Mars/Olympus', '+03:00', 7] },
      oneOf('locale', 'en', 'so', 'ar'),
    ],
  },
  {
    operation: 'updatePartnerStore',
    body: { name: 'Souk', status: 'active' },
    required: [],
    objects: [''],
    limits: [text('name', 1, 120), oneOf('status', 'suspended', 'active')],
  },
  {
    operation: 'savePaymentSettings',
    body: { merchantId: 'M0912269', apiKey: 'API-1901083745AHX' },
    required: ['merchantId', 'apiKey'],
    objects: [''],
    limits: [
      {
        at: 'merchantId',
        accepts: ['x', 'Az09_.-', chars(100)],
        refuses: ['', chars(101), 'a b', 'a:b', 'é', 'a\n', ...NO_TEXT],
      },
      text('apiKey', 1, 512),
    ],
  },
  {
    operation: 'savePaymentWallets',
    body: { wallets: ['evc_plus', 'zaad', 'sahal', 'waafi', 'edahab', 'jeeb'] },
    required: ['wallets'],
    objects: [''],
    limits: [
      {
        at: 'wallets',
        accepts: [[], ['jeeb']],
        refuses: [['zaad', 'zaad'], ['zaad', 'waafi', 'sahal', 'jeeb', 'edahab', 'evc_plus', 'zaad'], null, 'zaad', {}],
      },
      { at: 'wallets[0]', accepts: ['evc_plus'], refuses: ['EVC_PLUS', 'mpesa', '', ...NO_TEXT] },
    ],
  },
  {
    operation: 'updatePartnerStoreMember',
    body: { role: 'agent', teams: [] },
    required: ['role'],
    objects: [''],
    limits: [
      oneOf('role', 'owner', 'admin', 'supervisor', 'agent', 'viewer'),
      { at: 'teams', accepts: [[], undefined], refuses: [Array(51).fill(NO_ID), 'x', 7, {}, null] },
      { at: 'teams[0]', accepts: [], refuses: ['no-id', '', 7, null] },
    ],
  },
  ...['createWebhookEndpoint', 'createPartnerWebhookEndpoint'].map((operation) => ({
    operation,
    body: { url: 'http://127.0.0.1:1234/hook', events: ['order.created'], description: 'our shop' },
    required: ['url', 'events'],
    objects: [''],
    limits: [...endpointLimits, { at: 'events', accepts: [], refuses: [null, {}] }],
  })),
  ...['updateWebhookEndpoint', 'updatePartnerWebhookEndpoint'].map((operation) => ({
    operation,
    body: { url: 'http://127.0.0.1:1234/hook', events: ['order.created'], description: 'our shop', status: 'active' },
    required: [],
    objects: [''],
    limits: [
      ...endpointLimits,
      { at: 'events', accepts: [null], refuses: [{}] },
      oneOf('status', 'active', 'disabled'),
    ],
  })),
  {
    operation: 'updateConversation',
    body: { pinned: true },
    required: [],
    objects: [''],
    limits: [
      oneOf('status', 'open', 'closed'),
      { at: 'pinned', accepts: [true, false], refuses: ['true', 1, null] },
      { at: 'read', accepts: [true], refuses: [false, 'yes', null] },
      { at: 'assigneeMemberId', accepts: [null], refuses: ['', 'x', 1] },
      { at: 'teamId', accepts: [null], refuses: ['', 'x', 1] },
    ],
  },
  ...['createConsoleLink', 'createMemberLink'].map((operation) => ({
    operation,
    body: { minutes: 60 },
    required: [],
    objects: [''],
    limits: [{ at: 'minutes', accepts: [1, 1440], refuses: [0, 1441, 1.5, '60', null] }],
  })),
];

/** Limits of query parameters. (Specification 1, 'Endpoints'; 2, 'Partner API'; pages: the plan of record.) */
export const queryLimits: Readonly<Record<string, readonly Limit[]>> = {
  ...inboxQueryLimits,
  listProducts: [
    { at: 'category', accepts: ['x', chars(100)], refuses: [chars(101), 'a b', ''] },
    {
      at: 'status',
      accepts: ['queued', 'in_review', 'approved', 'rejected', 'failed', 'inactive'],
      refuses: ['other', 'QUEUED', ''],
    },
  ],
  listOrders: [
    { at: 'fulfilment', accepts: ['delivery', 'pickup'], refuses: ['post', ''] },
    { at: 'phone', accepts: ['+252611000001', '252 61 1000001'], refuses: [''] },
    { at: 'number', accepts: [1, 0, Number.MAX_SAFE_INTEGER], refuses: ['9007199254740993', '1.5', 'one', ''] },
    { at: 'from', accepts: ['2026-01-31T09:30:00Z'], refuses: ['2026-01-31', '2026-02-30T00:00:00Z', ''] },
    { at: 'to', accepts: ['2026-01-31T09:30:00+03:00'], refuses: ['tomorrow', '2026-01-31T09:30:00', ''] },
  ],
  listWebhookDeliveries: [
    { at: 'eventId', accepts: ['00000000-0000-4000-8000-00000000dead'], refuses: ['no-id', ''] },
    { at: 'status', accepts: ['succeeded', 'failed'], refuses: ['pending', ''] },
  ],
  rotateWebhookEndpointSecret: [{ at: 'keepPreviousHours', accepts: [0, 24, 168], refuses: [-1, 169, '1.5', 'a', ''] }],
  rotatePartnerWebhookEndpointSecret: [
    { at: 'keepPreviousHours', accepts: [0, 168], refuses: [-1, 169, '1.5', 'a', ''] },
  ],
  listPartnerWebhookDeliveries: [
    { at: 'eventId', accepts: ['00000000-0000-4000-8000-00000000dead'], refuses: ['no-id', ''] },
    { at: 'status', accepts: ['succeeded', 'failed'], refuses: ['pending', ''] },
  ],
};

/** Statuses that listOrders filters by. Several are separated by commas. */
export const orderStatuses = ['new', 'awaiting_payment', ...order];
