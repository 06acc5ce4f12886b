import { catalogOperations } from './catalog/index.js';
import { deliveryOperations } from './delivery/operations.js';
import { fileOperations } from './files/operations.js';
import { inboxOperations } from './inbox/operations.js';
import { memberOperations } from './members/operations.js';
import { numberListOperations } from './numberLists/operations.js';
import type { Operation } from './operation.js';
import { orderOperations } from './orders/operations.js';
import { partnerOperations } from './partners/index.js';
import { paymentOperations } from './payments/operations.js';
import { promotionOperations } from './promotions/operations.js';
import { recordingOperations } from './recordings/operations.js';
import { sessionOperations } from './sessions/operations.js';
import { templateOperations } from './templates/operations.js';
import { partnerWebhookOperations, webhookOperations } from './webhooks/index.js';

/** Every operation of the API, by area, in the order of the reference. */
export const operations: readonly Operation[] = [
  ...sessionOperations,
  ...partnerOperations,
  ...memberOperations,
  ...catalogOperations,
  ...deliveryOperations,
  ...numberListOperations,
  ...promotionOperations,
  ...orderOperations,
  ...inboxOperations,
  ...fileOperations,
  ...recordingOperations,
  ...paymentOperations,
  ...templateOperations,
  ...partnerWebhookOperations,
  ...webhookOperations,
];
