/**
 * The specification's tables of operations, copied by hand. They are binding, not the code's declarations. `{C}` is
 * /api/v1/workspaces/{workspaceId}/commerce, `{W}` is /api/v1/workspaces/{workspaceId}.
 */
import { filesSchemas, filesSpecified } from './areas/files.js';
import { inboxSchemas, inboxSpecified } from './areas/inbox.js';
import { sendingSchemas, sendingSpecified } from './areas/inboxSending.js';
import { recordingsSchemas, recordingsSpecified } from './areas/recordings.js';
import { sessionsSchemas, sessionsSpecified } from './areas/sessions.js';
import { templatesSchemas, templatesSpecified } from './areas/templates.js';
import type { Specified } from './rows.js';

export type { Specified } from './rows.js';

const partner = { scope: 'partner.stores:manage', feature: 'workspace.core' };
const stores = { scope: 'partner.stores:view', feature: 'workspace.core' };
const catalog = { scope: 'commerce:manage', feature: 'commerce.catalog' };
const delivery = { scope: 'commerce:manage', feature: 'commerce.orders' };
const viewed = { scope: 'orders:view', feature: 'commerce.orders' };
const managed = { scope: 'orders:manage', feature: 'commerce.orders' };
/** Scope, feature and paths follow the area's plan. */
const paid = { scope: 'payments:manage', feature: 'commerce.orders' };
/** The specification names the scope; the feature is that of the partner's endpoints. */
const hooks = { scope: 'developers:manage', feature: 'workspace.core' };
const partnerHooks = { scope: 'partner.webhooks:manage', feature: 'workspace.core' };
/** The scope is the project's own choice; paths follow the conventions. */
const people = { scope: 'members:view', feature: 'workspace.core' };
const page = ['cursor', 'limit'];

export const specified: readonly Specified[] = [
  // Specification 2, 'Partner API'.
  {
    id: 'getPartnerProfile',
    route: 'GET /api/v1/partner',
    scope: 'partner.account:view',
    feature: 'workspace.core',
    answers: { 200: 'PartnerProfileBody' },
    others: [],
  },
  {
    id: 'listPartnerApiStores',
    route: 'GET /api/v1/partner/stores',
    ...stores,
    query: page,
    answers: { 200: 'StoresBody' },
    others: [],
  },
  {
    id: 'createPartnerStore',
    route: 'POST /api/v1/partner/stores',
    ...partner,
    takes: 'StoreInputBody',
    answers: { 201: 'StoreBody', 200: 'StoreBody' },
    others: [409, 422, 500],
  },
  {
    id: 'getPartnerStore',
    route: 'GET /api/v1/partner/stores/{externalRef}',
    ...stores,
    answers: { 200: 'StoreBody' },
    others: [404, 422, 500],
  },
  {
    id: 'updatePartnerStore',
    route: 'PATCH /api/v1/partner/stores/{externalRef}',
    ...partner,
    takes: 'StoreChangeBody',
    answers: { 200: 'StoreBody' },
    others: [404, 409, 422, 500],
  },
  {
    id: 'closePartnerStore',
    route: 'POST /api/v1/partner/stores/{externalRef}/close',
    ...partner,
    answers: { 200: 'StoreBody' },
    others: [404, 409, 422, 500],
  },
  {
    id: 'updatePartnerStoreMember',
    route: 'PUT /api/v1/partner/stores/{externalRef}/members/{partnerUserId}',
    ...partner,
    takes: 'UpdatePartnerMemberInputBody',
    answers: { 200: 'PartnerMemberBody' },
    others: [403, 404, 409, 422, 500],
  },
  {
    id: 'disablePartnerStoreMember',
    route: 'DELETE /api/v1/partner/stores/{externalRef}/members/{partnerUserId}',
    ...partner,
    answers: { 204: null },
    others: [404, 409, 422, 500],
  },
  // Specification 2, 'Members and teams'.
  { id: 'listMembers', route: 'GET {W}/members', ...people, answers: { 200: 'MembersBody' }, others: [] },
  { id: 'listTeams', route: 'GET {W}/teams', ...people, answers: { 200: 'TeamsBody' }, others: [] },
  {
    id: 'getTeam',
    route: 'GET {W}/teams/{teamId}',
    ...people,
    answers: { 200: 'TeamDetailBody' },
    others: [404, 422, 500],
  },
  ...filesSpecified,
  ...inboxSpecified,
  ...sendingSpecified,
  ...recordingsSpecified,
  ...sessionsSpecified,
  ...templatesSpecified,
  // Specification 1, 'Categories' and 'Products'.
  {
    id: 'listProductCategories',
    route: 'GET {C}/categories',
    ...catalog,
    answers: { 200: 'CategoriesBody' },
    others: [],
  },
  {
    id: 'upsertProductCategories',
    route: 'PUT {C}/categories',
    ...catalog,
    takes: 'CategoriesInputBody',
    answers: { 200: 'CategoriesBody' },
    others: [422, 500],
  },
  {
    id: 'listProducts',
    route: 'GET {C}/products',
    ...catalog,
    query: ['category', 'status', ...page],
    answers: { 200: 'ProductsBody' },
    others: [],
  },
  {
    id: 'upsertProduct',
    route: 'PUT {C}/products/{externalId}',
    ...catalog,
    takes: 'ProductFields',
    answers: { 201: 'UpsertResultBody', 200: 'UpsertResultBody' },
    others: [409, 422, 500],
  },
  {
    id: 'deleteProduct',
    route: 'DELETE {C}/products/{externalId}',
    ...catalog,
    answers: { 204: null },
    others: [404, 422, 500],
  },
  {
    id: 'upsertProducts',
    route: 'POST {C}/products/batch',
    ...catalog,
    takes: 'BatchBody',
    answers: { 200: 'BatchResultBody' },
    others: [409, 422, 500],
  },
  // Specification 1, 'Delivery' and 'Orders'.
  {
    id: 'getDeliverySettings',
    route: 'GET {C}/delivery',
    ...delivery,
    answers: { 200: 'DeliveryBody' },
    others: [],
  },
  {
    id: 'saveDeliverySettings',
    route: 'PUT {C}/delivery',
    ...delivery,
    takes: 'DeliverySettingsBody',
    answers: { 200: 'DeliveryBody' },
    others: [422, 500],
  },
  // Specification 1, 'Number lists' and 'Promotions'.
  {
    id: 'listNumberLists',
    route: 'GET {C}/number-lists',
    ...delivery,
    answers: { 200: 'NumberListsBody' },
    others: [],
  },
  {
    id: 'createNumberList',
    route: 'POST {C}/number-lists',
    ...delivery,
    takes: 'NumberListFields',
    answers: { 201: 'NumberListBody' },
    others: [409, 422, 500],
  },
  {
    id: 'getNumberList',
    route: 'GET {C}/number-lists/{listId}',
    ...delivery,
    answers: { 200: 'NumberListBody' },
    others: [404, 422, 500],
  },
  {
    id: 'updateNumberList',
    route: 'PUT {C}/number-lists/{listId}',
    ...delivery,
    takes: 'NumberListFields',
    answers: { 200: 'NumberListBody' },
    others: [404, 409, 422, 500],
  },
  {
    id: 'deleteNumberList',
    route: 'DELETE {C}/number-lists/{listId}',
    ...delivery,
    answers: { 204: null },
    others: [404, 409, 422, 500],
  },
  {
    id: 'listPromotions',
    route: 'GET {C}/promotions',
    ...delivery,
    answers: { 200: 'PromotionsBody' },
    others: [],
  },
  {
    id: 'createPromotion',
    route: 'POST {C}/promotions',
    ...delivery,
    takes: 'PromotionFields',
    answers: { 201: 'PromotionBody' },
    others: [409, 422, 500],
  },
  {
    id: 'getPromotion',
    route: 'GET {C}/promotions/{promotionId}',
    ...delivery,
    answers: { 200: 'PromotionBody' },
    others: [404, 422, 500],
  },
  {
    id: 'updatePromotion',
    route: 'PUT {C}/promotions/{promotionId}',
    ...delivery,
    takes: 'PromotionFields',
    answers: { 200: 'PromotionBody' },
    others: [404, 409, 422, 500],
  },
  {
    id: 'deletePromotion',
    route: 'DELETE {C}/promotions/{promotionId}',
    ...delivery,
    answers: { 204: null },
    others: [404, 422, 500],
  },
  {
    id: 'listOrders',
    route: 'GET {C}/orders',
    ...viewed,
    // `checkedOut` is an addition.
    query: ['status', 'fulfilment', 'checkedOut', 'phone', 'number', 'from', 'to', ...page],
    answers: { 200: 'StoreOrdersBody' },
    others: [422, 500],
  },
  {
    id: 'getOrder',
    route: 'GET {C}/orders/{orderId}',
    ...viewed,
    answers: { 200: 'StoreOrderBody' },
    others: [404, 422, 500],
  },
  {
    id: 'cancelOrder',
    route: 'POST {C}/orders/{orderId}/cancel',
    ...managed,
    takes: 'OrderCancelBody',
    answers: { 200: 'StoreOrderBody' },
    others: [404, 409, 422, 500],
  },
  {
    id: 'setOrderStatus',
    route: 'POST {C}/orders/{orderId}/status',
    ...managed,
    takes: 'OrderStatusBody',
    answers: { 200: 'StoreOrderBody' },
    others: [404, 409, 422, 500],
  },
  // Specification 2, 'Store payments'.
  {
    id: 'getPaymentSettings',
    route: 'GET {C}/payments',
    ...paid,
    answers: { 200: 'PaymentSettingsBody' },
    others: [],
  },
  {
    id: 'savePaymentSettings',
    route: 'PUT {C}/payments',
    ...paid,
    takes: 'PaymentSettingsInputBody',
    answers: { 200: 'PaymentSettingsSavedBody' },
    others: [422, 500],
  },
  {
    id: 'deletePaymentSettings',
    route: 'DELETE {C}/payments',
    ...paid,
    answers: { 204: null },
    others: [404, 500],
  },
  {
    id: 'savePaymentWallets',
    route: 'PUT {C}/payments/wallets',
    ...paid,
    takes: 'PaymentWalletsInputBody',
    answers: { 200: 'PaymentSettingsBody' },
    others: [422, 500],
  },
  {
    id: 'checkPaymentKey',
    route: 'POST {C}/payments/check',
    ...paid,
    answers: { 200: 'PaymentKeyCheckBody' },
    others: [404, 500],
  },
  // Specification 2, 'Partner webhook endpoints'.
  {
    id: 'listPartnerWebhookEndpoints',
    route: 'GET /api/v1/partner/webhook-endpoints',
    ...partnerHooks,
    answers: { 200: 'WebhookEndpointsOutputBody' },
    others: [],
  },
  {
    id: 'createPartnerWebhookEndpoint',
    route: 'POST /api/v1/partner/webhook-endpoints',
    ...partnerHooks,
    takes: 'CreatePartnerEndpointInputBody',
    answers: { 201: 'WebhookSecretOutputBody' },
    others: [409, 422, 500],
  },
  {
    id: 'getPartnerWebhookEndpoint',
    route: 'GET /api/v1/partner/webhook-endpoints/{endpointId}',
    ...partnerHooks,
    answers: { 200: 'WebhookEndpointBody' },
    others: [404, 422, 500],
  },
  {
    id: 'updatePartnerWebhookEndpoint',
    route: 'PATCH /api/v1/partner/webhook-endpoints/{endpointId}',
    ...partnerHooks,
    takes: 'UpdatePartnerEndpointInputBody',
    answers: { 200: 'WebhookEndpointBody' },
    others: [404, 422, 500],
  },
  {
    id: 'deletePartnerWebhookEndpoint',
    route: 'DELETE /api/v1/partner/webhook-endpoints/{endpointId}',
    ...partnerHooks,
    answers: { 204: null },
    others: [404, 422, 500],
  },
  {
    id: 'listPartnerWebhookDeliveries',
    route: 'GET /api/v1/partner/webhook-endpoints/{endpointId}/deliveries',
    ...partnerHooks,
    query: ['eventId', 'status', ...page],
    answers: { 200: 'WebhookDeliveriesOutputBody' },
    others: [404, 422, 500],
  },
  {
    id: 'replayPartnerWebhookEndpointEvent',
    route: 'POST /api/v1/partner/webhook-endpoints/{endpointId}/events/{eventId}/replay',
    ...partnerHooks,
    answers: { 202: null },
    others: [404, 409, 422, 500],
  },
  // An addition.
  {
    id: 'replayPartnerWebhookEndpoint',
    route: 'POST /api/v1/partner/webhook-endpoints/{endpointId}/replay',
    ...partnerHooks,
    takes: 'WebhookReplayInputBody',
    answers: { 202: null },
    others: [404, 409, 422, 500],
  },
  {
    id: 'rotatePartnerWebhookEndpointSecret',
    route: 'POST /api/v1/partner/webhook-endpoints/{endpointId}/rotate-secret',
    ...partnerHooks,
    query: ['keepPreviousHours'],
    answers: { 200: 'WebhookSecretOutputBody' },
    others: [404, 422, 500],
  },
  {
    id: 'sendPartnerWebhookTest',
    route: 'POST /api/v1/partner/webhook-endpoints/{endpointId}/test',
    ...partnerHooks,
    answers: { 202: 'WebhookTestOutputBody' },
    others: [404, 422, 500],
  },
  {
    id: 'listPartnerWebhookEventTypes',
    route: 'GET /api/v1/partner/webhook-event-types',
    ...partnerHooks,
    answers: { 200: 'WebhookEventTypesOutputBody' },
    others: [],
  },
  // Specification 2, 'Workspace webhook endpoints', after the partner's.
  {
    id: 'listWebhookEndpoints',
    route: 'GET {W}/webhook-endpoints',
    ...hooks,
    answers: { 200: 'WebhookEndpointsOutputBody' },
    others: [],
  },
  {
    id: 'createWebhookEndpoint',
    route: 'POST {W}/webhook-endpoints',
    ...hooks,
    takes: 'CreateWebhookEndpointInputBody',
    answers: { 201: 'WebhookSecretOutputBody' },
    others: [409, 422, 500],
  },
  {
    id: 'getWebhookEndpoint',
    route: 'GET {W}/webhook-endpoints/{endpointId}',
    ...hooks,
    answers: { 200: 'WebhookEndpointBody' },
    others: [404, 422, 500],
  },
  {
    id: 'updateWebhookEndpoint',
    route: 'PATCH {W}/webhook-endpoints/{endpointId}',
    ...hooks,
    takes: 'UpdateWebhookEndpointInputBody',
    answers: { 200: 'WebhookEndpointBody' },
    others: [404, 422, 500],
  },
  {
    id: 'deleteWebhookEndpoint',
    route: 'DELETE {W}/webhook-endpoints/{endpointId}',
    ...hooks,
    answers: { 204: null },
    others: [404, 422, 500],
  },
  {
    id: 'listWebhookDeliveries',
    route: 'GET {W}/webhook-endpoints/{endpointId}/deliveries',
    ...hooks,
    query: ['eventId', 'status', ...page],
    answers: { 200: 'WebhookDeliveriesOutputBody' },
    others: [404, 422, 500],
  },
  {
    id: 'replayWebhookEndpointEvent',
    route: 'POST {W}/webhook-endpoints/{endpointId}/events/{eventId}/replay',
    ...hooks,
    answers: { 202: null },
    others: [404, 409, 422, 500],
  },
  // An addition.
  {
    id: 'replayWebhookEndpoint',
    route: 'POST {W}/webhook-endpoints/{endpointId}/replay',
    ...hooks,
    takes: 'WebhookReplayInputBody',
    answers: { 202: null },
    others: [404, 409, 422, 500],
  },
  {
    id: 'rotateWebhookEndpointSecret',
    route: 'POST {W}/webhook-endpoints/{endpointId}/rotate-secret',
    ...hooks,
    query: ['keepPreviousHours'],
    answers: { 200: 'WebhookSecretOutputBody' },
    others: [404, 422, 500],
  },
  {
    id: 'sendWebhookTest',
    route: 'POST {W}/webhook-endpoints/{endpointId}/test',
    ...hooks,
    answers: { 202: 'WebhookTestOutputBody' },
    others: [404, 422, 500],
  },
  {
    id: 'listWebhookEventTypes',
    route: 'GET {W}/webhook-event-types',
    ...hooks,
    answers: { 200: 'WebhookEventTypesOutputBody' },
    others: [],
  },
];

/** Properties of each named schema, as the specification lists them; `?` after those that may be absent. */
export const schemas: Readonly<Record<string, string>> = {
  ...filesSchemas,
  ...inboxSchemas,
  ...sendingSchemas,
  ...recordingsSchemas,
  ...sessionsSchemas,
  ...templatesSchemas,
  CategoryInputBody: 'externalId name',
  CategoriesInputBody: 'categories',
  CategoryBody: 'externalId name position',
  CategoriesBody: 'categories',
  CategoryRefBody: 'externalId name',
  ProductFields:
    'name description? imageUrls priceCents salePriceCents? saleStartsAt? saleEndsAt? currency? availability? stock? active? categoryExternalId? variants?',
  ProductUpsertBody:
    'externalId name description? imageUrls priceCents salePriceCents? saleStartsAt? saleEndsAt? currency? availability? stock? active? categoryExternalId? variants?',
  BatchBody: 'products',
  VariantBody: 'externalId size? color? priceCents? salePriceCents? availability? stock?',
  ProductBody:
    'externalId name description imageUrls priceCents currency availability active sync variants updatedAt category? saleStartsAt? saleEndsAt? salePriceCents? stock?',
  VariantViewBody: 'externalId sync size? color? priceCents? salePriceCents? availability? stock?',
  SyncBody: 'status lastSyncedAt? reason?',
  CatalogBody: 'status metaCatalogId? errorCode? errorMessage?',
  ProductsBody: 'catalog products next?',
  BatchResultBody: 'results',
  DeliveryAreaBody: 'name feeCents active id?',
  DeliverySettingsBody:
    'deliveryEnabled pickupEnabled pickupAddress requestLocation notifyStatuses areas freeDeliveryAboveCents?',
  DeliveryBody:
    'deliveryEnabled pickupEnabled pickupAddress requestLocation notifyStatuses areas freeDeliveryAboveCents? saved',
  NumberListFields: 'name kind minOrders? phones?',
  NumberListBody: 'id name kind size usedBy createdAt updatedAt minOrders? phones?',
  NumberListsBody: 'lists',
  PromotionFields:
    'name kind scope? productExternalIds? categoryExternalIds? percentOff? amountOffCents? code? numberListId? minSubtotalCents? maxPerCustomer? maxRedemptions? combinable? active? startsAt? endsAt?',
  PromotionBody:
    'id name kind scope productExternalIds categoryExternalIds percentOff? amountOffCents? code? numberListId? minSubtotalCents? maxPerCustomer? maxRedemptions? combinable? active startsAt? endsAt? open redemptions createdAt updatedAt',
  PromotionsBody: 'promotions',
  StoreOrderBody:
    'id number status nextStatuses fulfilment? currency subtotalCents discountCents deliveryFeeCents totalCents itemCount customerPhone customerName? contactPhone? address? deliveryArea? couponCode? cancelReason? discountReason? note? checkedOutAt? conversationId? teamId? location? items? events? createdAt updatedAt',
  StoreOrderItemBody: 'name productExternalId quantity retailerId unitPriceCents color? size?',
  StoreOrderEventBody: 'at actorType kind actorId? fromStatus? toStatus? note?',
  StoreOrdersBody: 'orders next?',
  OrderCancelBody: 'reason?',
  OrderStatusBody: 'status note?',
  PaymentSettingsBody: 'available saved merchantId? last4? options wallets updatedAt?',
  PaymentWalletOptionBody: 'id name',
  PaymentSettingsInputBody: 'merchantId apiKey',
  PaymentSettingsSavedBody: 'saved last4',
  PaymentWalletsInputBody: 'wallets',
  PaymentKeyCheckBody: 'ok reason?',
  PartnerProfileBody: 'id name slug status defaultPlan features',
  StoreBody: 'workspaceId externalRef name owner country timezone locale status createdAt closedAt?',
  StoreInputBody: 'externalRef name owner country timezone locale',
  StoreChangeBody: 'name? status?',
  StoresBody: 'stores next?',
  PartnerMemberBody: 'partnerUserId workspaceId externalRef memberId role status teamIds',
  UpdatePartnerMemberInputBody: 'role teams?',
  MemberBody: 'id userId email name role status createdAt teams joinedAt? lastActiveAt?',
  MembersBody: 'members',
  TeamDetailBody: 'id name color isDefault members queue workingHours createdAt updatedAt',
  TeamsBody: 'teams',
  WebhookEndpointBody:
    'id url description events status secretMasked createdAt updatedAt createdBy disabledAt? disabledReason? failingSince? lastSuccessAt? previousSecretExpiresAt?',
  CreateWebhookEndpointInputBody: 'url events description?',
  CreatePartnerEndpointInputBody: 'url events description?',
  UpdateWebhookEndpointInputBody: 'url? events? description? status?',
  UpdatePartnerEndpointInputBody: 'url? events? description? status?',
  WebhookReplayInputBody: 'since until?',
  WebhookTestOutputBody: 'eventId',
  WebhookSecretOutputBody: 'endpoint secret?',
  WebhookEndpointsOutputBody: 'endpoints',
  WebhookDeliveryBody:
    'id eventId eventType attempt attemptedAt latencyMs status trigger responseCode? error? nextRetryAt? workspaceId? storeExternalRef?',
  WebhookDeliveriesOutputBody: 'deliveries next?',
  WebhookEventTypeBody: 'type description emitted',
  WebhookEventTypesOutputBody: 'eventTypes',
  /** `conversationId` is an addition to the specification. */
  Problem: 'type title status code detail? errors? requestId? conversationId?',
  FieldError: 'message location? value?',
};
