/**
 * Rules that the document states and the service checks after its schemas, because its error is then clearer than a
 * pattern that does not match.
 */
import { defined } from '../../../domain/defined.js';
import { LANGUAGE } from '../../../domain/templates/definitionRules.js';
import { HTTPS_URL_PATTERN } from '../../../domain/urls.js';
import { EMAIL_LENGTH, EMAIL_PATTERN } from '../../contract/formats.js';
import type { JsonObject } from '../components.js';

const HTTPS = { format: 'uri', pattern: HTTPS_URL_PATTERN };
const IMAGE = { ...HTTPS, maxLength: 2048 };

/** Rules by the name of the schema and the path of the field. */
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

/** As `api/contract/cursor.ts` makes them. */
const CURSOR = { pattern: '^[A-Za-z0-9_-]+$' };

/** Bounds of exact JavaScript numbers: the service refuses others. (api/contract/formats.ts) */
const BOUNDS: Readonly<Record<string, readonly [number, number]>> = {
  int64: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  int32: [-(2 ** 31), 2 ** 31 - 1],
};

export const fieldRules = (schema: string, path: string): JsonObject => FIELDS[schema]?.[path] ?? {};

/**
 * Replaces a format of our own by a pattern, and narrows other formats. A pattern next to date-time would make
 * generated clients match it against parsed times.
 */
export function withPattern({ format, ...part }: JsonObject): JsonObject {
  if (format === 'visible') return { ...part, pattern: '\\S' };
  const form = format === 'email' ? { maxLength: EMAIL_LENGTH, pattern: EMAIL_PATTERN } : {};
  return { ...form, ...part, ...defined({ format }) };
}

const TIME_FORM =
  'RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second.';

/** In words: no pattern for it is read by JavaScript, RE2 and Python alike. */
const VISIBLE_FORM =
  'Holds something visible: not only blanks and invisible characters, such as zero-width spaces (Unicode category Cf).';
const EMAIL_FORM = 'At most 64 characters before the at sign; the domain by name, not by address.';
const DATE_FORM = 'From 2000-01-01 to 2099-12-31.';
const FORMS: Readonly<Record<string, string>> = {
  ...{ 'date-time': TIME_FORM, date: DATE_FORM, email: EMAIL_FORM, visible: VISIBLE_FORM },
};

/** The words for a part that is sent, with what its format leaves open. */
export const withForm = (description: string | undefined, { format }: JsonObject): string | undefined =>
  [description, FORMS[String(format)]].filter(Boolean).join(' ') || undefined;

export const parameterRules = (name: string): JsonObject => (name === 'cursor' ? CURSOR : {});

/** Adds the type of a constant, which generators need although the value implies it. */
export const typeOf = ({ const: value, type }: JsonObject): JsonObject =>
  type === undefined && typeof value === 'string' ? { type: 'string' } : {};

/** The bounds of an integer's format, where the schema sets none of its own. */
export function boundsOf({ format, minimum, maximum }: JsonObject): JsonObject {
  const bounds = BOUNDS[String(format)];
  if (bounds === undefined) return {};
  return { minimum: minimum ?? bounds[0], maximum: maximum ?? bounds[1] };
}
