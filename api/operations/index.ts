import type { Operation } from '../contract/operation.js';
import { catalogOperations } from './catalog/index.js';
import { consoleLinkOperations } from './consoleLinks/index.js';
import { deliveryOperations } from './delivery/index.js';
import { fileOperations } from './files/index.js';
import { historyOperations } from './history/index.js';
import { inboxOperations } from './inbox/index.js';
import { memberOperations } from './members/index.js';
import { numberListOperations } from './numberLists/index.js';
import { orderOperations } from './orders/index.js';
import { partnerOperations } from './partners/index.js';
import { paymentOperations } from './payments/index.js';
import { promotionOperations } from './promotions/index.js';
import { recordingOperations } from './recordings/index.js';
import { reportOperations } from './reports/index.js';
import { sessionOperations } from './sessions/index.js';
import { templateOperations } from './templates/index.js';
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
  ...reportOperations,
  ...inboxOperations,
  ...fileOperations,
  ...recordingOperations,
  ...paymentOperations,
  ...templateOperations,
  ...partnerWebhookOperations,
  ...webhookOperations,
  ...historyOperations,
  ...consoleLinkOperations,
];
