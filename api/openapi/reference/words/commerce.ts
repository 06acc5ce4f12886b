import { same, type Words } from './words.js';

const productFields = {
  name: 'As customers see it.',
  description: 'As customers see it.',
  priceCents: 'Price of one, in cents.',
  salePriceCents: 'Price of one while the sale window is open, in cents.',
  saleStartsAt: 'When the sale window opens; now when absent.',
  saleEndsAt: 'When the sale window ends; open-ended when absent.',
  availability: 'Whether it can be ordered; `in_stock` when absent in a request.',
  active: 'False keeps the product and takes it out of the channel catalog; true when absent in a request.',
  variants: 'Each is a catalog item of its own, grouped under the product; without any the product is the one item.',
};
const variantFields = {
  size: 'Such as M or 42.',
  color: 'In words, as customers see it.',
  priceCents: "Price of one, in cents; the product's when absent.",
  salePriceCents: "Price of one while the sale window is open, in cents; the product's when absent.",
  availability: "The product's when absent.",
};
const categoryFields = {
  externalId: "The partner's own id of the category.",
  name: 'As customers see it.',
};
const deliveryFields = {
  deliveryEnabled: 'Customers may choose delivery in checkout.',
  pickupEnabled: 'Customers may choose to pick the order up.',
};
const promotionFields = {
  name: 'As the store knows it, in one line; also given as the reason of a discount.',
  kind: '`flash_sale` lowers prices inside its window and shows in the channel catalog; `number_list` is for the numbers of a list; `coupon` needs its code in checkout.',
  scope: 'What it applies to; `all` when absent in a request.',
  active: 'False turns it off; true when absent in a request.',
};

export const commerceWords: Words = {
  ProductFields: { '': 'Input for a product.', ...productFields },
  ProductUpsertBody: {
    '': 'A product of a batch.',
    ...productFields,
    externalId: "The partner's own id of the product; not `.` or `..`, which clients drop from a path.",
  },
  ProductBody: {
    '': 'A product of the store, with its status in the channel catalog.',
    ...productFields,
    externalId: "The partner's own id of the product.",
    imageUrls: 'The first is the main image.',
    updatedAt: 'Time of the last change.',
  },
  VariantBody: {
    '': 'One size or color of a product.',
    externalId: 'Also the retailer id of the item in the channel catalog.',
    ...variantFields,
  },
  VariantViewBody: { '': 'One size or color of a product, with its status in the channel catalog.', ...variantFields },
  ...same(['CategoryBody', 'CategoryInputBody', 'CategoryRefBody'], {
    '': 'A category of products.',
    ...categoryFields,
  }),
  CategoriesBody: { '': 'All categories of a store.', categories: 'In display order.' },
  CategoriesInputBody: { '': 'Categories to create, rename and order.' },
  CatalogBody: {
    '': "The store's catalog at the catalog provider.",
    status:
      '`pending`: not set up with the provider yet; `no_number`: the store has no channel number; `failed`: see errorCode and errorMessage.',
    metaCatalogId: "The provider's id of the catalog.",
    errorCode: "The provider's error code.",
    errorMessage: 'Human-readable error.',
  },
  SyncBody: {
    '': 'State of an item at the catalog provider; for a product, that of its worst item.',
    status:
      '`queued`: part of the next push, within a minute; `in_review`: the provider reviews it; `failed`: the provider refused the push; `inactive`: not in the catalog.',
    lastSyncedAt: 'When it was last pushed.',
    reason: "The provider's reason for a rejection, or why the push failed.",
  },
  ProductsBody: { '': 'A page of products, and the state of the catalog.' },
  BatchBody: { '': 'Products to create or change, all or none.', products: 'Each externalId once.' },
  UpsertResultBody: {
    '': 'Result for one product of a batch.',
    externalId: "The partner's own id of the product.",
    result: '`unchanged`: the product was already the same.',
  },
  BatchResultBody: { '': 'Results of a batch, one for each product.' },
  DeliveryAreaBody: {
    '': 'Where the store delivers, and for how much.',
    feeCents: 'Fee of a delivery there, in cents.',
    id: 'Absent for a new area.',
  },
  DeliverySettingsBody: { '': 'Delivery settings, which replace the saved ones.', ...deliveryFields },
  DeliveryBody: { '': 'Delivery settings of a store.', ...deliveryFields },
  NumberListFields: { '': 'Input for a number list.', name: 'As the store knows it.' },
  NumberListBody: {
    '': 'A list of customer phone numbers that promotions can target.',
    name: 'As the store knows it.',
    kind: '`uploaded`: the numbers given; `past_orders`: every customer with minOrders paid orders.',
  },
  NumberListsBody: { '': 'All number lists of a store.' },
  PromotionFields: { '': 'Input for a promotion.', ...promotionFields },
  PromotionBody: { '': 'A discount, and how often it was used.', ...promotionFields },
  PromotionsBody: { '': 'All promotions of a store.' },
  StoreOrderItemBody: {
    '': 'One line of an order, as it was priced.',
    name: 'Name of the product when the order was placed.',
    productExternalId: "The partner's own id of the product.",
    quantity: 'How many.',
    color: 'Of the variant.',
    size: 'Of the variant.',
  },
  StoreOrderEventBody: {
    '': 'One step of the history of an order.',
    at: 'When it happened.',
    kind: 'What happened.',
    actorType: 'Who did it.',
    actorId: 'Id of the actor, such as that of the member or the key.',
    fromStatus: 'With status_changed: the previous status.',
    toStatus: 'With status_changed: the new status.',
    note: 'The note; for a cancellation, the reason.',
  },
  StoreOrderBody: {
    '': "An order of a customer, priced from the store's catalog.",
    status: 'Statuses only move forward.',
    fulfilment: 'As the customer chose in checkout.',
    subtotalCents: 'Sum of the items, in cents.',
    discountCents: 'Discount by promotions, in cents.',
    deliveryFeeCents: 'Fee of the delivery area, in cents.',
    itemCount: 'Sum of the quantities.',
    customerName: 'The name that the customer gave, or that the channel shows.',
    contactPhone: 'The number that the customer left in checkout.',
    address: 'Where to deliver, in the words of the customer.',
    deliveryArea: 'Name of the area, as it was when the order was priced.',
    couponCode: 'The code that the customer entered.',
    cancelReason: 'Why it was cancelled.',
    checkedOutAt: 'When the customer checked out; absent before.',
    conversationId: 'The conversation that the order came from.',
    teamId: 'The team of that conversation.',
    location: 'The pin that the customer shared after checkout.',
  },
  StoreReportBody: { '': 'Sales of a store by day, and what needs attention.' },
  SalesDayBody: { '': 'Sales of one day.', date: "The day, in the store's time zone." },
  SoldProductBody: {
    '': 'Sales of one product.',
    productExternalId: "The partner's own id of the product.",
    name: 'As it was sold last.',
  },
  PromotionCostBody: {
    '': 'Uses and cost of one promotion.',
    promotionId: 'Id of the promotion.',
    name: 'As it was used last.',
  },
  OrderStatusCountBody: { '': 'Number of orders in one status.', status: 'Present status of these orders.' },
  StoreAttentionBody: {
    '': 'What needs attention in the store.',
    waitingSince: 'Time of the first unread message; absent if there is none.',
  },
  StoreOrdersBody: { '': 'A page of orders.', orders: 'Newest first, without their items and history.' },
  OrderCancelBody: { '': 'Input for a cancellation.', reason: 'Stored in the history as the reason.' },
  OrderStatusBody: { '': 'Input for a change of status.', status: "One of the order's nextStatuses." },
  PaymentWallet: { '': 'A wallet, by its id.' },
  PaymentWalletOptionBody: {
    '': 'A wallet that customers can pay with.',
    id: 'Id of the wallet.',
    name: 'As customers see it.',
  },
  PaymentSettingsBody: {
    '': 'Payment settings of a store.',
    saved: "The store's account at the payment provider is saved.",
    merchantId: "The store's id at the payment provider.",
    options: 'Wallets that the payment provider offers.',
  },
  PaymentSettingsInputBody: {
    '': "The store's account at the payment provider.",
    merchantId: "The store's id at the payment provider.",
  },
  PaymentSettingsSavedBody: { '': 'Visible part of a saved account.', saved: 'Always true.' },
  PaymentWalletsInputBody: { '': 'The wallets that customers may pay with.' },
  PaymentKeyCheckBody: {
    '': 'Result of checking the saved key at the payment provider.',
    reason: 'Reason when ok is false.',
  },
};
