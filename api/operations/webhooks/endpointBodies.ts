import { HostUnknown, type WebhookSender } from '../../../application/ports/webhookSender.js';
import { storedHealth } from '../../../application/webhooks/deliveryLog.js';
import { urlProblems } from '../../../application/webhooks/endpoints.js';
import { refuse } from '../../../domain/decider.js';
import { ownerId } from '../../../domain/webhooks/webhookEndpoint.js';
import type { EndpointOwner } from '../../../domain/webhooks/webhookEvents.js';
import type { Documents, StoredDocument } from '../../../engine/ports/documents.js';
import { type WebhookEndpointView, webhookEndpoints } from '../../../projections/webhookEndpoints.js';
import type { BodyRule, RequestReads } from '../../contract/operation.js';
import type { Services } from '../../contract/services.js';

type Row = StoredDocument<WebhookEndpointView>;

/** More than an owner can have. */
const ALL = 200;

/** Removes the previous secret after its expiry. */
function withoutPast(body: WebhookEndpointView, now: number): WebhookEndpointView {
  const { previousSecretExpiresAt: until, ...others } = body;
  return until === undefined || Date.parse(until) > now ? body : others;
}

/** Endpoints as the API answers them: with what their attempts add up to. `now` in ms. */
export async function endpointBodies(
  work: Documents,
  rows: readonly Row[],
  now: number,
): Promise<WebhookEndpointView[]> {
  const health = await storedHealth(
    work,
    rows.map(({ id }) => id),
  );
  return rows.map(({ id, body }) => {
    const { lastFailureAt: _, ...shown } = health.get(id)?.body ?? {};
    return { ...withoutPast(body, now), ...shown };
  });
}

/** The endpoint, if it is this owner's; `not_found` otherwise. */
export async function ownEndpoint(read: RequestReads, owner: EndpointOwner, endpointId: string): Promise<Row> {
  const row = await read.get(webhookEndpoints, endpointId);
  if (row === undefined || row.keys.ownerId !== ownerId(owner))
    refuse('not_found', 'There is no such webhook endpoint.');
  return row;
}

interface EndpointRequest {
  readonly read: RequestReads;
  readonly services: Services;
  /** ms since 1970. */
  readonly now: number;
}

/** All endpoints of the owner as the API answers them, newest first. */
export async function allBodies(
  { read, services, now }: EndpointRequest,
  owner: EndpointOwner,
): Promise<WebhookEndpointView[]> {
  const where = { ownerId: ownerId(owner) };
  const rows = await read.find(webhookEndpoints, { where, sort: ['-createdAt'], limit: ALL });
  return endpointBodies(services.work, rows, now);
}

/** The owner's endpoint as the API answers it; `not_found` otherwise. */
export async function ownBody(
  { read, services, now }: EndpointRequest,
  owner: EndpointOwner,
  endpointId: string,
): Promise<WebhookEndpointView> {
  const [body] = await endpointBodies(services.work, [await ownEndpoint(read, owner, endpointId)], now);
  return body!;
}

/** Returns the check of webhook URLs. */
export const urlCheck = ({ webhookUrls }: Services): Pick<WebhookSender, 'check'> =>
  webhookUrls ?? refuse('unavailable', 'This service cannot check URLs.');

/** The request is refused for something else: then a host that nobody knows at this moment adds nothing. */
function notKnown(error: unknown): [] {
  if (error instanceof HostUnknown) return [];
  throw error;
}

/** The URL of an endpoint, where the body has one. */
export const urlRule: BodyRule = {
  fields: ['url'],
  problems: ({ url }: { url?: string }, { services }) =>
    url === undefined ? [] : urlProblems(urlCheck(services), url).catch(notKnown),
};
