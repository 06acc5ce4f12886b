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
  name: 'As the store knows it; also told as the reason of a discount.',
  kind: '`flash_sale` lowers prices inside its window and shows in the channel catalog; `number_list` is for the numbers of a list; `coupon` needs its code in checkout.',
  scope: 'What it applies to; `all` when absent in a request.',
  active: 'False turns it off; true when absent in a request.',
};

export const commerceWords: Words = {
  ProductFields: { '': 'A product as it is sent.', ...productFields },
  ProductUpsertBody: {
    '': 'A product of a batch.',
    ...productFields,
    externalId: "The partner's own id of the product.",
  },
  ProductBody: {
    '': 'A product of the store, and how the channel catalog took it.',
    ...productFields,
    externalId: "The partner's own id of the product.",
    imageUrls: 'The first is the main image.',
    updatedAt: 'When it was last changed.',
  },
  VariantBody: {
    '': 'One size or color of a product.',
    externalId: 'Also the retailer id of the item in the channel catalog.',
    ...variantFields,
  },
  VariantViewBody: { '': 'One size or color of a product, and how the channel catalog took it.', ...variantFields },
  ...same(['CategoryBody', 'CategoryInputBody', 'CategoryRefBody'], {
    '': 'A category of products.',
    ...categoryFields,
  }),
  CategoriesBody: { '': 'All categories of a store.', categories: 'In display order.' },
  CategoriesInputBody: { '': 'Categories to make, to rename and to put in order.' },
  CatalogBody: {
    '': "The store's catalog at the catalog provider.",
    status:
      '`pending`: not set up with the provider yet; `no_number`: the store has no channel number; `failed`: errorCode and errorMessage say why.',
    metaCatalogId: "The provider's id of the catalog.",
    errorCode: "The provider's code of what failed.",
    errorMessage: 'What failed, for people.',
  },
  SyncBody: {
    '': 'Where an item stands with the catalog provider; of a product, its worst item.',
    status:
      '`queued`: goes with the next push, within a minute; `in_review`: the provider reviews it; `failed`: the provider refused the push; `inactive`: not in the catalog.',
    lastSyncedAt: 'When it was last pushed.',
    reason: "The provider's reason of a rejection, or why the push failed.",
  },
  ProductsBody: { '': 'A page of products, and the state of the catalog.' },
  BatchBody: { '': 'Products to create or change, all or none.', products: 'Each externalId once.' },
  UpsertResultBody: {
    '': 'What became of a product that was sent.',
    externalId: "The partner's own id of the product.",
    result: '`unchanged`: it was the same already.',
  },
  BatchResultBody: { '': 'What became of each product of a batch.' },
  DeliveryAreaBody: {
    '': 'Where the store delivers, and for how much.',
    feeCents: 'Fee of a delivery there, in cents.',
    id: 'Absent for a new area.',
  },
  DeliverySettingsBody: { '': 'How orders reach customers; replaces what was saved before.', ...deliveryFields },
  DeliveryBody: { '': 'How orders reach customers.', ...deliveryFields },
  NumberListFields: { '': 'A number list as it is sent.', name: 'As the store knows it.' },
  NumberListBody: {
    '': 'Customers, by their numbers, for whom promotions can be.',
    name: 'As the store knows it.',
    kind: '`uploaded`: the numbers given; `past_orders`: every customer with minOrders paid orders.',
  },
  NumberListsBody: { '': 'All number lists of a store.' },
  PromotionFields: { '': 'A promotion as it is sent.', ...promotionFields },
  PromotionBody: { '': 'A discount, and how often it was used.', ...promotionFields },
  PromotionsBody: { '': 'All promotions of a store.' },
  StoreOrderItemBody: {
    '': 'One line of an order, as it was priced.',
    name: 'Name of the product then.',
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
    actorId: 'Who it was, such as the id of the member or of the key.',
    fromStatus: 'With status_changed: the status before.',
    toStatus: 'With status_changed: the status from then on.',
    note: 'What was said with it; of a cancellation, the reason.',
  },
  StoreOrderBody: {
    '': 'An order: what a customer wants from the store, priced from its catalog.',
    status: 'Statuses only move forward.',
    fulfilment: 'As the customer chose in checkout.',
    subtotalCents: 'Sum of the items, in cents.',
    discountCents: 'What promotions take off, in cents.',
    deliveryFeeCents: 'Fee of the delivery area, in cents.',
    itemCount: 'Sum of the quantities.',
    customerName: 'As the customer told it, or as the channel shows it.',
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
  StoreOrdersBody: { '': 'A page of orders.', orders: 'Newest first, without their items and history.' },
  OrderCancelBody: { '': 'Why an order is cancelled.', reason: 'Kept in the history as the reason.' },
  OrderStatusBody: { '': 'Where an order goes.', status: "One of the order's nextStatuses." },
  PaymentWallet: { '': 'A wallet, by its id.' },
  PaymentWalletOptionBody: {
    '': 'A wallet that customers can pay with.',
    id: 'Id of the wallet.',
    name: 'As customers see it.',
  },
  PaymentSettingsBody: {
    '': 'How the store is paid.',
    saved: "The store's account at the payment provider is saved.",
    merchantId: "The store's id at the payment provider.",
    options: 'Wallets that the payment provider offers.',
  },
  PaymentSettingsInputBody: { '': "The store's account at the payment provider.", merchantId: "The store's id there." },
  PaymentSettingsSavedBody: { '': 'What is shown of a saved account.', saved: 'Always true.' },
  PaymentWalletsInputBody: { '': 'The wallets that customers may pay with.' },
  PaymentKeyCheckBody: {
    '': 'Whether the payment provider takes the saved key.',
    reason: 'Why not, when ok is false.',
  },
};
