/**
 * Descriptions of operations that complement their summary. (Specifications 1 and 2, 'Endpoints' and the rules there.)
 */
import type { Operation } from '../../../contract/operation.js';

const REPLAY =
  'The event keeps its id and is tried again on the usual schedule; the delivery log shows every attempt. Receivers count each id once.';
const ROTATE =
  'Until previousSecretExpiresAt deliveries carry a signature for each secret, so that receivers can change over without a gap. The new secret is only in this answer.';
const TEST = 'It is tried once, whatever the endpoint subscribes to. The delivery log shows the result.';
const CREATE_ENDPOINT =
  'The host is resolved, and addresses that are not on the public internet are refused; redirects are never followed. The signing secret is in this response only, not in its replays.';
const UPDATE_ENDPOINT =
  'Omitted fields do not change. An endpoint that was turned off after failing for 3 days is turned back on with status `active`.';
const DELIVERIES = 'Attempts of one event share its id.';
const HISTORY = 'A page may be short or empty and still have a `next`.';
const CHANGES = 'The object is compared as the API returns it; sealed values are not compared.';
const TYPES = 'An event type with `emitted` false can be subscribed to already.';

const RULES: Readonly<Record<string, string>> = {
  createSDKSession:
    'Each user token opens one session. A partner’s user token lists the stores: the user becomes or stays an active member of each, with that role.',
  refreshSDKSession:
    'The previous token stays valid for a minute, for requests in flight. After refreshUntil a new user token is needed.',
  endSDKSession: 'Its tokens are no longer valid.',
  getPartnerProfile: 'New stores start on the default plan.',
  listPartnerApiStores: 'Closed stores too.',
  createPartnerStore:
    'If the partner already has a store with this externalRef, that store is returned (200) and nothing changes.',
  getPartnerStore: 'Its workspaceId selects it in the paths of workspaces.',
  updatePartnerStore: 'Omitted fields do not change. A closed store is read-only and keeps its data.',
  closePartnerStore: 'The same as updatePartnerStore with status `suspended`. Status `active` reopens it.',
  updatePartnerStoreMember:
    'A role that needs a seat takes one: `no_free_seat` when the store has none. Open screens of the user regain access immediately.',
  disablePartnerStoreMember:
    'Requests of the user are refused at once; a session left with no store ends. Leaving a store out of later user tokens does not do this.',
  listMembers: 'All on one page.',
  listTeams: 'All on one page.',
  getTeam: 'A team of another store is not found.',
  listProductCategories: 'All on one page.',
  upsertProductCategories: 'Categories left out keep their names and follow the ones sent.',
  listProducts: 'The status of a product is that of its worst item: a rejected size shows on the product.',
  upsertProduct:
    '201 when the product is new. A new one counts against the plan limit `commerce.products.max`: `plan_limit_reached` beyond it. Changes reach the channel catalog within a minute.',
  deleteProduct: 'Existing orders keep the product as it was.',
  upsertProducts: 'One invalid product fails the request and stores none. Results are in the order of the request.',
  getDeliverySettings: '`saved` is false for the defaults.',
  saveDeliverySettings:
    'An area left out is removed. Placed orders keep the area and the fee that they were priced with.',
  listNumberLists: 'All on one page.',
  createNumberList: 'A list of past orders is computed whenever it is used.',
  getNumberList: 'A list of another store is not found.',
  updateNumberList: 'Promotions that use it apply to the new numbers.',
  deleteNumberList: '`promotion_in_use` while a promotion uses it.',
  listPromotions: 'All on one page.',
  createPromotion: 'Only the best discount applies to an order, unless promotions are combinable.',
  getPromotion: '`open` is true while it applies.',
  updatePromotion: 'Fields that are left out are removed.',
  deletePromotion: 'Another promotion can then use its code.',
  listOrders: 'Items and history are on a single order only.',
  getOrder: '`nextStatuses` lists the statuses that the store may set now.',
  cancelOrder: 'The same as setOrderStatus with `cancelled`. Use it to reject an order that you cannot fill.',
  setOrderStatus:
    'Statuses only move forward: `order_status_not_allowed` for any other. The customer is notified if the status is in notifyStatuses; endpoints receive `order.status_changed`.',
  listHistory: 'Sealed values and hashes are left out.',
  listOrderHistory: HISTORY,
  compareOrderHistory: CHANGES,
  listProductHistory: HISTORY,
  compareProductHistory: CHANGES,
  listPromotionHistory: HISTORY,
  comparePromotionHistory: CHANGES,
  listConversationHistory: HISTORY,
  compareConversationHistory: CHANGES,
  listMemberHistory: HISTORY,
  compareMemberHistory: CHANGES,
  listKeyHistory: HISTORY,
  compareKeyHistory: CHANGES,
  listDeliveryHistory: HISTORY,
  compareDeliveryHistory: CHANGES,
  listConversations: 'A member sees the conversations of its teams; a key sees all.',
  startConversation: 'With `teamId` it belongs to that team; without, to the default team when it is one of yours.',
  getConversation: 'Until windowExpiresAt any message can be sent, afterwards only an approved template.',
  listMessages: 'Notes that only the team sees are among them.',
  createMemberLink:
    'A key needs the scope `console:open` as well. A member creates links for lower roles, an owner for everybody else.',
  updateConversation: 'A closed or snoozed conversation opens again when the customer writes.',
  sendMessage:
    'It is returned with status `pending`; changes follow as `message.updated` events. Sending the same clientMsgId again returns the same message and does not send it twice.',
  listRecordings: 'All on one page.',
  getRecording: 'A replacement that is processing or failed leaves the sound before playing.',
  getPaymentSettings: 'Only the last four characters of the key are ever shown.',
  savePaymentSettings: 'The key is stored encrypted.',
  deletePaymentSettings: 'Payments that were started are still followed, and refunded where necessary.',
  savePaymentWallets: 'Checkout offers them in this order.',
  checkPaymentKey: 'If `ok` is false, `reason` distinguishes a refused key from an unreachable provider.',
  listTemplates: '`syncedAt` is the time of the last comparison with the provider.',
  createTemplate: 'It can be sent once its status is `approved`.',
  getTemplate: 'Only an `approved` one can be sent.',
  editTemplate: '`editPending` while an edit is on its way.',
  deleteTemplate: 'Messages that were sent from it remain.',
  previewTemplate: 'Parameters are accepted and refused as when sending.',
  syncTemplates: 'Templates can be used meanwhile.',
  listPartnerWebhookEndpoints: 'At most 20, all on one page.',
  createPartnerWebhookEndpoint: CREATE_ENDPOINT,
  getPartnerWebhookEndpoint: 'Of the secret, only its prefix and last four characters are shown.',
  updatePartnerWebhookEndpoint: UPDATE_ENDPOINT,
  deletePartnerWebhookEndpoint: 'To keep the log, turn it off instead.',
  listPartnerWebhookDeliveries: DELIVERIES,
  replayPartnerWebhookEndpointEvent: REPLAY,
  rotatePartnerWebhookEndpointSecret: ROTATE,
  sendPartnerWebhookTest: TEST,
  listPartnerWebhookEventTypes: TYPES,
  listWebhookEndpoints: 'At most 20, all on one page.',
  createWebhookEndpoint: CREATE_ENDPOINT,
  getWebhookEndpoint: 'Of the secret, only its prefix and last four characters are shown.',
  updateWebhookEndpoint: UPDATE_ENDPOINT,
  deleteWebhookEndpoint: 'To keep the log, turn it off instead.',
  listWebhookDeliveries: DELIVERIES,
  replayWebhookEndpointEvent: REPLAY,
  rotateWebhookEndpointSecret: ROTATE,
  sendWebhookTest: TEST,
  listWebhookEventTypes: TYPES,
};

const needs = ({ scope, feature }: Operation): string[] => [
  ...(scope === null ? [] : [`the scope \`${scope}\``]),
  ...(feature === null ? [] : [`the plan feature \`${feature}\``]),
];

/** Returns the reason for an addition and the rules of an operation that its declaration does not state. */
export const rulesOf = ({ id, addition }: Operation): string =>
  [addition, RULES[id]].filter((text) => text !== undefined).join(' ');

/** The description of an operation: its rules, why it is there when it is an addition, and what it needs. */
export function descriptionOf(operation: Operation): string {
  const rules = rulesOf(operation);
  const needed = needs(operation);
  return [
    ...(rules === '' ? [] : [rules]),
    ...(needed.length === 0 ? [] : [`Needs ${needed.join(' and ')}.`]),
    ...(operation.idempotent ? ['Repeat it with the same Idempotency-Key, and it runs once.'] : []),
  ].join(' ');
}

/** Operations that have rules here, for a test that none is forgotten. */
export const describedOperations: readonly string[] = Object.keys(RULES);
