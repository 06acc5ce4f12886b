import { at, CURSOR, IDS } from './ids.js';

const category = { externalId: 'dresses', name: 'Dresses' };
const imageUrls = ['https://shop.example.com/images/dirac-indigo.jpg'];
const productInput = {
  name: 'Dirac, indigo',
  description: 'Hand-dyed cotton, four metres.',
  imageUrls,
  priceCents: 4500,
  salePriceCents: 3900,
  saleStartsAt: at('06:00:00'),
  saleEndsAt: at('20:00:00'),
  categoryExternalId: category.externalId,
  variants: [
    { externalId: 'dirac-indigo-s', size: 'S', stock: 12 },
    { externalId: 'dirac-indigo-m', size: 'M', stock: 0 },
  ],
};
const approved = { status: 'approved', lastSyncedAt: at('08:01:12.480') };

export const product = {
  externalId: 'dirac-indigo',
  name: productInput.name,
  description: productInput.description,
  imageUrls,
  priceCents: 4500,
  salePriceCents: 3900,
  saleStartsAt: productInput.saleStartsAt,
  saleEndsAt: productInput.saleEndsAt,
  currency: 'USD',
  availability: 'in_stock',
  active: true,
  category,
  sync: approved,
  variants: [
    { externalId: 'dirac-indigo-s', size: 'S', stock: 12, sync: approved },
    { externalId: 'dirac-indigo-m', size: 'M', stock: 0, sync: approved },
  ],
  updatedAt: at('08:00:31.204'),
};

const delivery = {
  deliveryEnabled: true,
  pickupEnabled: true,
  pickupAddress: 'Maka al-Mukarama Road 12, Mogadishu',
  requestLocation: true,
  notifyStatuses: ['paid', 'out_for_delivery', 'delivered', 'cancelled'],
  freeDeliveryAboveCents: 10_000,
};
const area = { name: 'Hodan', feeCents: 300, active: true };

const uploaded = { name: 'Wholesale', kind: 'uploaded' };
const phones = ['+252615550101', '+252615550102'];
const list = {
  id: IDS.list,
  ...uploaded,
  size: 2,
  usedBy: 1,
  createdAt: at('07:10:00.000'),
  updatedAt: at('07:10:00.000'),
};

const terms = {
  name: 'Opening week',
  kind: 'coupon',
  scope: 'categories',
  categoryExternalIds: [category.externalId],
  percentOff: 10,
  code: 'OPEN10',
  minSubtotalCents: 2000,
  maxPerCustomer: 1,
  startsAt: at('00:00:00'),
  endsAt: '2026-11-28T00:00:00Z',
};
const promotion = {
  id: IDS.promotion,
  ...terms,
  productExternalIds: [],
  active: true,
  open: true,
  redemptions: 3,
  createdAt: at('07:20:00.000'),
  updatedAt: at('07:20:00.000'),
};

/** As lists show it: without its items and history. */
const listedOrder = {
  id: IDS.order,
  number: 1042,
  status: 'preparing',
  nextStatuses: ['out_for_delivery', 'delivered', 'cancelled'],
  fulfilment: 'delivery',
  currency: 'USD',
  subtotalCents: 7800,
  discountCents: 780,
  deliveryFeeCents: 300,
  totalCents: 7320,
  itemCount: 2,
  customerPhone: '+252615550101',
  customerName: 'Hodan Ali',
  contactPhone: '+252615550101',
  address: 'Beside the blue mosque, second floor',
  deliveryArea: area.name,
  couponCode: terms.code,
  discountReason: 'Opening week (OPEN10): 10 % off',
  customerNote: 'No onions please',
  checkedOutAt: at('08:31:40.112'),
  conversationId: IDS.conversation,
  teamId: IDS.team,
  location: { latitude: 2.0371, longitude: 45.3044 },
  createdAt: at('08:30:02.518'),
  updatedAt: at('08:45:19.007'),
};
export const order = {
  ...listedOrder,
  items: [
    {
      name: product.name,
      productExternalId: product.externalId,
      retailerId: 'dirac-indigo-s',
      quantity: 2,
      unitPriceCents: 3900,
      size: 'S',
    },
  ],
  events: [
    { at: at('08:30:02.518'), kind: 'created', actorType: 'customer' },
    { at: at('08:31:40.112'), kind: 'checkout', actorType: 'customer' },
    {
      at: at('08:45:19.007'),
      kind: 'status_changed',
      actorType: 'api_key',
      actorId: IDS.key,
      fromStatus: 'paid',
      toStatus: 'preparing',
      note: 'Packed by noon',
    },
  ],
};

const payments = { merchantId: 'M0912269' };
const result = { externalId: product.externalId, result: 'created' };

const day = {
  ...{ date: '2026-11-22', placed: 14, checkedOut: 11, sold: 10, revenueCents: 48_300, deliveryFeeCents: 2_700 },
  ...{ discountCents: 3_150, returned: 1, returnedCents: 4_500, paymentFailures: 2 },
};
const report = {
  ...{ from: '2026-11-22', to: '2026-11-22', timezone: 'Africa/Mogadishu', currency: 'USD' },
  days: [day],
  ordersByStatus: [{ status: 'preparing', orders: 3 }],
  topProducts: [{ productExternalId: 'dirac-indigo', name: 'Dirac, indigo', quantity: 6, revenueCents: 23_400 }],
  promotions: [{ promotionId: IDS.promotion, name: 'Eid', uses: 4, discountCents: 3_150 }],
  attention: { waitingChats: 2, waitingSince: at('08:29:11.000'), rejectedItems: 1, failingEndpoints: 0 },
};

/** Samples by the name of the schema. */
export const commerceSamples: Readonly<Record<string, unknown>> = {
  CategoriesInputBody: { categories: [category, { externalId: 'scarves', name: 'Scarves' }] },
  CategoriesBody: {
    categories: [
      { ...category, position: 0 },
      { externalId: 'scarves', name: 'Scarves', position: 1 },
    ],
  },
  ProductFields: productInput,
  UpsertResultBody: result,
  BatchBody: {
    products: [
      { externalId: product.externalId, ...productInput },
      {
        externalId: 'scarf-red',
        name: 'Scarf, red',
        imageUrls: ['https://shop.example.com/images/scarf-red.jpg'],
        priceCents: 900,
      },
    ],
  },
  BatchResultBody: { results: [result, { externalId: 'scarf-red', result: 'unchanged' }] },
  ProductsBody: { catalog: { status: 'active', metaCatalogId: '1080250610052' }, products: [product], next: CURSOR },
  DeliverySettingsBody: { ...delivery, areas: [area] },
  DeliveryBody: { ...delivery, areas: [{ id: IDS.area, ...area }], saved: true },
  NumberListFields: { ...uploaded, phones },
  NumberListBody: { ...list, phones },
  NumberListsBody: { lists: [list] },
  PromotionFields: terms,
  PromotionBody: promotion,
  PromotionsBody: { promotions: [promotion] },
  StoreOrderBody: order,
  StoreReportBody: report,
  StoreOrdersBody: { orders: [listedOrder], next: CURSOR },
  OrderCancelBody: { reason: 'Out of indigo cloth' },
  OrderStatusBody: { status: 'out_for_delivery', note: 'With Abdi, by two' },
  PaymentSettingsInputBody: { ...payments, apiKey: 'the-key-that-the-provider-shows-you' },
  PaymentSettingsSavedBody: { saved: true, last4: '-you' },
  PaymentWalletsInputBody: { wallets: ['evc_plus', 'zaad'] },
  PaymentSettingsBody: {
    available: true,
    saved: true,
    ...payments,
    last4: '-you',
    options: [
      { id: 'evc_plus', name: 'EVC Plus' },
      { id: 'zaad', name: 'ZAAD' },
    ],
    wallets: ['evc_plus', 'zaad'],
    updatedAt: at('07:30:00.000'),
  },
  PaymentKeyCheckBody: { ok: true },
};
