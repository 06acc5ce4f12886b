/**
 * Rules that the document tells and that the service finds out after its schemas, since it then knows a better answer than that a pattern
 * does not match.
 */
import { LANGUAGE } from '../../domain/templates/definitionRules.js';
import type { JsonObject } from '../http/openapiComponents.js';

const HTTPS = { format: 'uri', pattern: '^https://' };
const IMAGE = { ...HTTPS, maxLength: 2048 };

/** By the name of the schema and the path of the field. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, JsonObject>>>> = {
  CreateWebhookEndpointInputBody: { url: HTTPS },
  CreatePartnerEndpointInputBody: { url: HTTPS },
  UpdateWebhookEndpointInputBody: { url: HTTPS },
  UpdatePartnerEndpointInputBody: { url: HTTPS },
  WebhookEndpointBody: { url: { format: 'uri' } },
  ProductFields: { 'imageUrls[]': IMAGE },
  ProductUpsertBody: { 'imageUrls[]': IMAGE },
  PaymentWalletsInputBody: { wallets: { uniqueItems: true } },
  CreateInputBody2: { language: { pattern: LANGUAGE.source } },
};

/** As `api/cursor.ts` makes them. */
const CURSOR = { pattern: '^[A-Za-z0-9_-]+$' };

/** What a JavaScript number holds exactly: the service refuses others. (api/http/formats.ts) */
const BOUNDS: Readonly<Record<string, readonly [number, number]>> = {
  int64: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  int32: [-(2 ** 31), 2 ** 31 - 1],
};

export const fieldRules = (schema: string, path: string): JsonObject => FIELDS[schema]?.[path] ?? {};

export const parameterRules = (name: string): JsonObject => (name === 'cursor' ? CURSOR : {});

/** The type of a constant, which generators ask for although the value says it. */
export const typeOf = ({ const: value, type }: JsonObject): JsonObject =>
  type === undefined && typeof value === 'string' ? { type: 'string' } : {};

/** The bounds of an integer's format, where the schema sets none of its own. */
export function boundsOf({ format, minimum, maximum }: JsonObject): JsonObject {
  const bounds = BOUNDS[String(format)];
  if (bounds === undefined) return {};
  return { minimum: minimum ?? bounds[0], maximum: maximum ?? bounds[1] };
}
