import type { Operation } from '../../contract/operation.js';
import { createWebhookEndpoint } from './createWebhookEndpoint.js';
import { deleteWebhookEndpoint } from './deleteWebhookEndpoint.js';
import { getWebhookEndpoint } from './getWebhookEndpoint.js';
import { listWebhookDeliveries } from './listWebhookDeliveries.js';
import { listWebhookEndpoints } from './listWebhookEndpoints.js';
import { listWebhookEventTypes } from './listWebhookEventTypes.js';
import { type Owners, ofPartner, ofWorkspace } from './owners.js';
import { replayWebhookEndpoint } from './replayWebhookEndpoint.js';
import { replayWebhookEndpointEvent } from './replayWebhookEndpointEvent.js';
import { rotateWebhookEndpointSecret } from './rotateWebhookEndpointSecret.js';
import { sendWebhookTest } from './sendWebhookTest.js';
import { updateWebhookEndpoint } from './updateWebhookEndpoint.js';

/** In the order of the reference. */
const all = [
  listWebhookEndpoints,
  createWebhookEndpoint,
  getWebhookEndpoint,
  updateWebhookEndpoint,
  deleteWebhookEndpoint,
  listWebhookDeliveries,
  replayWebhookEndpointEvent,
  replayWebhookEndpoint,
  rotateWebhookEndpointSecret,
  sendWebhookTest,
  listWebhookEventTypes,
];
const operationsOf = (owners: Owners): readonly Operation[] => all.map((declare) => declare(owners));

export const webhookOperations = operationsOf(ofWorkspace);
export const partnerWebhookOperations = operationsOf(ofPartner);
