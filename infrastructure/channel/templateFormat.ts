/** Parameters of templates in the channel's form. (shared reference: 'Outbound', template.) */

import { ProviderError } from '../../application/ports/catalogProvider.js';
import type { OutboundContent } from '../../domain/channel/conversationEvents.js';
import type { TemplateComponent, TemplateParameter } from '../../domain/channel/templateComponents.js';
import { never } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { fitting, wellFormed } from './cleanText.js';

type Template = Extract<OutboundContent, { type: 'template' }>;
type MediaParameter = Extract<TemplateParameter, { type: 'image' | 'video' | 'document' }>;
type MediaIds = Readonly<Record<string, string>>;

/** Longest value of a variable of the service's own templates; the channel limits only the length of the whole text. */
const VALUE = 1_024;

/** The channel takes no line breaks, tabs or long gaps in a template's variables. Those of stores are checked before. */
const inOneLine = (text: string): string => fitting(text.replace(/\s+/g, ' ').trim(), VALUE);

const named = ({ parameterName }: { parameterName?: string }): object => defined({ parameter_name: parameterName });

/** The channel's id of an uploaded file. Throws when it was not uploaded before. */
export function mediaId(fileId: string, mediaIds: MediaIds): string {
  const id = mediaIds[fileId];
  if (id === undefined) throw new ProviderError('131009', `The file ${fileId} was not uploaded to the channel.`, false);
  return id;
}

function media({ type, media: { link, fileId, filename } }: MediaParameter, mediaIds: MediaIds): object {
  const place = fileId === undefined ? { link } : { id: mediaId(fileId, mediaIds) };
  return type === 'document' && filename !== undefined ? { ...place, filename: wellFormed(filename) } : place;
}

function parameter(value: TemplateParameter, mediaIds: MediaIds): object {
  const { type } = value;
  switch (type) {
    case 'text':
      return { type, ...named(value), text: value.text };
    case 'currency': {
      const { amount1000, code, fallbackValue } = value.currency;
      return { type, ...named(value), currency: { fallback_value: fallbackValue, code, amount_1000: amount1000 } };
    }
    case 'date_time':
      return { type, ...named(value), date_time: { fallback_value: value.dateTime.fallbackValue } };
    case 'image':
    case 'video':
    case 'document':
      return { type, [type]: media(value, mediaIds) };
    case 'location': {
      const { latitude, longitude, ...place } = value.location;
      // The channel writes coordinates of templates as texts.
      return { type, location: { latitude: String(latitude), longitude: String(longitude), ...place } };
    }
    case 'payload':
      return { type, payload: value.payload };
    case 'coupon_code':
      return { type, coupon_code: value.couponCode };
    default:
      return never(type);
  }
}

function component({ type, subType, index, parameters = [] }: TemplateComponent, mediaIds: MediaIds): object {
  return {
    type,
    ...defined({ sub_type: subType }),
    ...(index === undefined ? {} : { index: String(index) }),
    parameters: parameters.map((value) => parameter(value, mediaIds)),
  };
}

/** `components` as they are, or the body's variables in order; nothing for a template without variables. */
export function templateBody({ name, language, body, components }: Template, mediaIds: MediaIds): object {
  const variables: readonly TemplateComponent[] = components ?? [
    { type: 'body', parameters: body.map((text) => ({ type: 'text', text: inOneLine(text) })) },
  ];
  const filled = variables.filter(({ parameters = [] }) => parameters.length > 0);
  return {
    name,
    language: { code: language },
    ...(filled.length === 0 ? {} : { components: filled.map((one) => component(one, mediaIds)) }),
  };
}
