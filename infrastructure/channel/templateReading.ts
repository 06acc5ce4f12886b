/** Templates as the provider lists them, in the service's terms. What the service does not know goes to `unsupported`. */
import { defined } from '../../domain/defined.js';
import type { JsonObject } from '../../domain/jsonObject.js';
import { formatOf } from '../../domain/templates/definitionRules.js';
import type {
  ParameterFormat,
  TemplateButton,
  TemplateCategory,
  TemplateDefinition,
  TemplateExample,
  TemplateFooter,
  TemplateHeader,
} from '../../domain/templates/templateDefinition.js';
import type { ProviderStatus } from '../../domain/templates/templateEvents.js';
import type { ListedTemplate } from '../../domain/templates/templateReports.js';
import { list, record } from '../untypedJson.js';
import { cleanText, cut } from './cleanText.js';

const ID = 64;
/** Most UTF-16 units of a template's name, and of its language. */
export const NAME = 512;
export const LANGUAGE = 16;
const TEXT = 4_096;
const EXAMPLE = 200;
const URL_TEXT = 2_000;
const REASON = 400;
const RATING = 32;

const text = (value: unknown, most = TEXT): string | undefined =>
  typeof value === 'string' && value !== '' ? cut(value, most) : undefined;
const kind = (value: unknown): string => (typeof value === 'string' ? cut(value.toUpperCase(), ID) : '');

const STATUSES: ReadonlyMap<string, ListedTemplate['status']> = new Map<string, ListedTemplate['status']>([
  ['PENDING', 'pending'],
  ['IN_REVIEW', 'pending'],
  ['APPROVED', 'approved'],
  ['REJECTED', 'rejected'],
  ['PAUSED', 'paused'],
  ['DISABLED', 'disabled'],
  ['IN_APPEAL', 'in_appeal'],
  ['PENDING_DELETION', 'pending_deletion'],
  ['LIMIT_EXCEEDED', 'limit_exceeded'],
  ['ARCHIVED', 'archived'],
  ['DELETED', 'deleted'],
]);

/** Undefined: one that the service does not know. */
export const statusOf = (value: unknown): ListedTemplate['status'] | undefined => STATUSES.get(kind(value));

/** Status after a submission: under review, unless the answer has another. */
export function submittedStatus(value: unknown): ProviderStatus {
  const status = statusOf(value);
  return status === undefined || status === 'deleted' ? 'pending' : status;
}

export function categoryOf(value: unknown): TemplateCategory | undefined {
  const category = kind(value).toLowerCase();
  return category === 'marketing' || category === 'utility' || category === 'authentication' ? category : undefined;
}

/** GREEN, YELLOW or RED; undefined where there is no rating. */
export function ratingOf(value: unknown): string | undefined {
  const rating = text(value, RATING);
  return rating === 'UNKNOWN' ? undefined : rating;
}

/** Why it was rejected; the provider writes NONE where there is no reason. */
export function reasonOf(value: unknown): string | undefined {
  const reason = cleanText(value, REASON);
  return reason === 'NONE' ? undefined : reason;
}

/** A provider's id: digits, as text or as a number. */
export const idOf = (value: unknown): string | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : text(value, ID);

function examplesOf(example: JsonObject | undefined, part: 'header' | 'body'): TemplateExample[] {
  const named = list(example?.[`${part}_text_named_params`]).map((one) => record(one));
  if (named.length > 0)
    return named.map((one) => ({ value: text(one?.example, EXAMPLE) ?? '', name: text(one?.param_name, ID) ?? '' }));
  const given = list(example?.[`${part}_text`]);
  const values = part === 'body' && Array.isArray(given[0]) ? list(given[0]) : given;
  return values.map((value) => ({ value: text(value, EXAMPLE) ?? '' }));
}

const withExamples = (examples: readonly TemplateExample[]) => (examples.length === 0 ? {} : { examples });

const HEADERS = new Set(['image', 'video', 'document', 'location']);

function headerOf(component: JsonObject, unsupported: string[]): TemplateHeader | undefined {
  const format = kind(component.format).toLowerCase();
  if (format === 'text')
    return {
      format,
      text: text(component.text) ?? '',
      ...withExamples(examplesOf(record(component.example), 'header')),
    };
  if (HEADERS.has(format)) return { format: format as TemplateHeader['format'] };
  unsupported.push(`header ${format}`);
  return undefined;
}

const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);
const shown = (value: unknown): { text?: string } => defined({ text: text(value, ID) });

/** Undefined: a kind that the service does not know. */
function buttonOf(button: JsonObject, category: TemplateCategory): TemplateButton | undefined {
  const example = text(first(button.example), EXAMPLE);
  switch (kind(button.type)) {
    case 'QUICK_REPLY':
      return { type: 'quick_reply', ...shown(button.text) };
    case 'URL': {
      // The provider lists the button of an authentication template as the address that it makes of it.
      if (category === 'authentication') return { type: 'otp', ...shown(button.text) };
      const url = text(button.url, URL_TEXT) ?? '';
      return { type: 'url', ...shown(button.text), url, ...defined({ example }) };
    }
    case 'PHONE_NUMBER':
      return { type: 'phone_number', ...shown(button.text), phoneNumber: text(button.phone_number, ID) ?? '' };
    case 'COPY_CODE':
      return { type: 'copy_code', ...shown(button.text), ...defined({ example }) };
    case 'OTP':
      return { type: 'otp', ...shown(button.text) };
    default:
      return undefined;
  }
}

interface Parts {
  header?: TemplateHeader;
  body?: TemplateDefinition['body'];
  footer?: TemplateFooter;
  buttons: TemplateButton[];
  requestsCall: boolean;
  readonly unsupported: string[];
}

function readFooter(component: JsonObject): TemplateFooter {
  const minutes = component.code_expiration_minutes;
  return {
    ...defined({ text: text(component.text) }),
    ...(typeof minutes === 'number' && Number.isInteger(minutes) ? { codeExpirationMinutes: minutes } : {}),
  };
}

function readPart(component: JsonObject, category: TemplateCategory, parts: Parts): void {
  switch (kind(component.type)) {
    case 'HEADER': {
      const header = headerOf(component, parts.unsupported);
      if (header !== undefined) parts.header = header;
      return;
    }
    case 'BODY': {
      const secured = component.add_security_recommendation === true;
      parts.body = {
        text: text(component.text) ?? '',
        // The examples of an authentication template are the provider's own.
        ...(category === 'authentication' ? {} : withExamples(examplesOf(record(component.example), 'body'))),
        ...(secured ? { addSecurityRecommendation: true } : {}),
      };
      return;
    }
    case 'FOOTER':
      parts.footer = readFooter(component);
      return;
    case 'BUTTONS':
      for (const one of list(component.buttons)) {
        const button = record(one);
        const known = button && buttonOf(button, category);
        if (known !== undefined) parts.buttons.push(known);
        else parts.unsupported.push(`button ${kind(button?.type).toLowerCase()}`);
      }
      return;
    case 'CALL_PERMISSION_REQUEST':
      parts.requestsCall = true;
      return;
    default:
      parts.unsupported.push(kind(component.type).toLowerCase() || 'component');
  }
}

function definitionOf(components: readonly unknown[], category: TemplateCategory): TemplateDefinition {
  const parts: Parts = { buttons: [], requestsCall: false, unsupported: [] };
  for (const component of components) readPart(record(component) ?? {}, category, parts);
  const buttons = parts.requestsCall ? [...parts.buttons, { type: 'voice_call_request' } as const] : parts.buttons;
  const unsupported = [...new Set(parts.unsupported)];
  return {
    ...defined({ header: parts.header }),
    body: parts.body ?? { text: '' },
    ...defined({ footer: parts.footer }),
    ...(buttons.length === 0 ? {} : { buttons }),
    ...(unsupported.length === 0 ? {} : { unsupported }),
  };
}

const FORMATS: Readonly<Record<string, ParameterFormat>> = { NAMED: 'named', POSITIONAL: 'positional' };

/** Returns true if a listed row, readable or not, is the template with this name in this language. */
export const isNamed = (value: unknown, name: string, language: string): boolean => {
  const row = record(value);
  return cleanText(row?.name, NAME) === name && cleanText(row?.language, LANGUAGE) === language;
};

/** Undefined: without what every template has, or with a category that the service does not know. */
export function listedTemplate(value: unknown): ListedTemplate | undefined {
  const row = record(value);
  const providerId = idOf(row?.id);
  const name = cleanText(row?.name, NAME);
  const language = cleanText(row?.language, LANGUAGE);
  const category = categoryOf(row?.category);
  if (row === undefined || !providerId || !name || !language || category === undefined) return undefined;
  const definition = definitionOf(list(row.components), category);
  return {
    providerId,
    name,
    language,
    category,
    definition,
    parameterFormat: FORMATS[kind(row.parameter_format)] ?? formatOf(definition),
    status: statusOf(row.status) ?? 'pending',
    ...defined({ quality: ratingOf(record(row.quality_score)?.score), rejectedReason: reasonOf(row.rejected_reason) }),
  };
}
