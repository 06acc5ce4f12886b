import { randomBytes } from 'node:crypto';
import { type FieldProblem, refuse } from '../../domain/decider.js';
import { rotateSecret } from '../../domain/webhooks/endpointChanges.js';
import { freePlace, MOST_WORKSPACE_ENDPOINTS, takePlace, webhookPlaces } from '../../domain/webhooks/endpointPlaces.js';
import {
  abandonWebhookEndpoint,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  isOpen,
  ownerId,
  webhookEndpoint,
} from '../../domain/webhooks/webhookEndpoint.js';
import type { EndpointOwner } from '../../domain/webhooks/webhookEvents.js';
import type { BoundCommands } from '../../engine/commandHandler/boundCommands.js';
import type { SecretBox } from '../ports/secretBox.js';
import { HostUnknown, type WebhookSender } from '../ports/webhookSender.js';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;
/** Time in ms after which a place without an endpoint belongs to an interrupted creation. */
const ABANDONED_MS = 300_000;

/** Binds a sealed signing secret to its endpoint. */
export const secretContext = (endpointId: string): string => `webhookEndpoint ${endpointId}`;

export interface NewEndpoint {
  /** The same id when the request is repeated. */
  readonly endpointId: string;
  readonly owner: EndpointOwner;
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
  readonly createdBy: string;
  /** ms since 1970. */
  readonly now: number;
}

interface Means {
  readonly commands: BoundCommands;
  readonly secretBox: SecretBox;
  readonly urls: Pick<WebhookSender, 'check'>;
}

/** Returns why webhooks cannot be sent to a URL. Rejects with HostUnknown. */
export async function urlProblems(urls: Means['urls'], url: string): Promise<readonly FieldProblem[]> {
  const message = await urls.check(url);
  return message === undefined ? [] : [{ message, location: 'body.url', value: url }];
}

/** A host that nobody knows at this moment is no fault of the request. */
function unchecked(error: unknown): never {
  if (!(error instanceof HostUnknown)) throw error;
  return refuse('unavailable', `The URL cannot be checked: ${error.message}. Send the request again after a moment.`);
}

/** Refuses `validation_failed` with the reason, and `unavailable` where the name servers do not answer. */
export async function checkUrl(urls: Means['urls'], url: string): Promise<void> {
  const problems = await urlProblems(urls, url).catch(unchecked);
  for (const { message } of problems)
    refuse('validation_failed', `The URL cannot receive webhooks: ${message}.`, problems);
}

const newSecret = (): string => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64url');

/** Returns the current secret. A repeated request gets the one that the first request created. */
async function storedSecret(
  { commands, secretBox }: Pick<Means, 'commands' | 'secretBox'>,
  endpointId: string,
): Promise<string> {
  const sealed = await commands.query(webhookEndpoint, endpointId, (endpoint) =>
    isOpen(endpoint)
      ? endpoint.secretSealed
      : refuse('not_found', 'The endpoint was deleted during the request. Create a new one.'),
  );
  return secretBox.open(sealed, secretContext(endpointId));
}

/**
 * Frees the places of deleted endpoints, and of interrupted creations or deletions. A creation is ended first: if it was only slow, it
 * would create an endpoint without a place.
 */
async function freeAbandoned(commands: BoundCommands, owner: EndpointOwner, now: number): Promise<void> {
  const places = await commands.query(webhookPlaces, ownerId(owner), (taken) => [...taken]);
  for (const [endpointId, takenAt] of places) {
    if (now - takenAt > ABANDONED_MS) await commands.decide(webhookEndpoint, endpointId, abandonWebhookEndpoint(owner));
    const status = await commands.query(webhookEndpoint, endpointId, (endpoint) => endpoint.status);
    if (status === 'deleted') await commands.decide(webhookPlaces, ownerId(owner), freePlace(endpointId));
  }
}

/**
 * Reserves a place, then creates the endpoint. A repetition with the same id continues after the first attempt and returns the first
 * secret. Refuses `validation_failed` (url, events) and `webhook_endpoint_limit_reached`.
 */
export async function createEndpoint({ commands, secretBox, urls }: Means, requested: NewEndpoint): Promise<string> {
  const { endpointId, owner, now, ...settings } = requested;
  await checkUrl(urls, requested.url);
  const full = await commands.query(webhookPlaces, ownerId(owner), (taken) => taken.size >= MOST_WORKSPACE_ENDPOINTS);
  if (full) await freeAbandoned(commands, owner, now);
  await commands.decide(webhookPlaces, ownerId(owner), takePlace(endpointId, MOST_WORKSPACE_ENDPOINTS));
  const secret = newSecret();
  await commands.decide(
    webhookEndpoint,
    endpointId,
    createWebhookEndpoint({
      ...settings,
      owner,
      secretSealed: secretBox.seal(secret, secretContext(endpointId)),
      secretLast4: secret.slice(-4),
    }),
  );
  return storedSecret({ commands, secretBox }, endpointId);
}

export interface Rotation {
  readonly owner: EndpointOwner;
  readonly endpointId: string;
  /** The same id when the request is repeated. */
  readonly rotationId: string;
  readonly keepPreviousHours: number;
  /** ms since 1970. */
  readonly now: number;
}

const HOUR_MS = 3_600_000;

/** Replaces the signing secret and returns the new one. A repetition returns the same secret. Refuses `not_found`. */
export async function rotateEndpointSecret(
  { commands, secretBox }: Pick<Means, 'commands' | 'secretBox'>,
  { owner, endpointId, rotationId, keepPreviousHours, now }: Rotation,
): Promise<string> {
  const secret = newSecret();
  const rotation = {
    rotationId,
    secretSealed: secretBox.seal(secret, secretContext(endpointId)),
    secretLast4: secret.slice(-4),
    ...(keepPreviousHours > 0 && { previousUntil: now + keepPreviousHours * HOUR_MS }),
  };
  await commands.decide(webhookEndpoint, endpointId, rotateSecret(owner, rotation));
  return storedSecret({ commands, secretBox }, endpointId);
}

/** Deletes the endpoint, then frees its place. The processor removes its log of attempts. Refuses `not_found`. */
export async function deleteEndpoint(commands: BoundCommands, owner: EndpointOwner, endpointId: string): Promise<void> {
  await commands.decide(webhookEndpoint, endpointId, deleteWebhookEndpoint(owner));
  await commands.decide(webhookPlaces, ownerId(owner), freePlace(endpointId));
}
