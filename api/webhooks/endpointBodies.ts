import type { ReadModels, StoredDocument } from '../../application/ports/readModels.js';
import { storedHealth } from '../../application/webhooks/deliveryLog.js';
import { refuse } from '../../domain/decider.js';
import { ownerId } from '../../domain/webhooks/webhookEndpoint.js';
import type { EndpointOwner } from '../../domain/webhooks/webhookEvents.js';
import { type WebhookEndpointView, webhookEndpoints } from '../../projections/webhookEndpoints.js';
import type { RequestReads } from '../operation.js';

type Row = StoredDocument<WebhookEndpointView>;

/** Endpoints as the API answers them: with what their attempts add up to. */
export async function endpointBodies(work: ReadModels, rows: readonly Row[]): Promise<object[]> {
  const health = await storedHealth(
    work,
    rows.map(({ id }) => id),
  );
  return rows.map(({ id, body }) => ({ ...body, ...health.get(id)?.body }));
}

/** The endpoint, if it is this owner's; `not_found` otherwise. */
export async function ownEndpoint(read: RequestReads, owner: EndpointOwner, endpointId: string): Promise<Row> {
  const row = await read.get(webhookEndpoints, endpointId);
  if (row === undefined || row.keys.ownerId !== ownerId(owner))
    refuse('not_found', 'There is no such webhook endpoint.');
  return row;
}
