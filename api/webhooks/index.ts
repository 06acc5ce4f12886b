import type { Operation } from '../operation.js';
import { createWebhookEndpoint } from './createWebhookEndpoint.js';
import { deleteWebhookEndpoint } from './deleteWebhookEndpoint.js';
import { getWebhookEndpoint } from './getWebhookEndpoint.js';
import { listWebhookDeliveries } from './listWebhookDeliveries.js';
import { listWebhookEndpoints } from './listWebhookEndpoints.js';
import { listWebhookEventTypes } from './listWebhookEventTypes.js';

/** Workspace webhook endpoints, in the order of the reference. */
export const webhookOperations: readonly Operation[] = [
  listWebhookEndpoints,
  createWebhookEndpoint,
  getWebhookEndpoint,
  deleteWebhookEndpoint,
  listWebhookDeliveries,
  listWebhookEventTypes,
];
