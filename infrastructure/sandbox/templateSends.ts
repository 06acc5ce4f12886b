/** Rules by which the channel refuses templates that are sent. (shared reference: table of codes, 132000 and following.) */

import type { JsonObject } from '../../domain/jsonObject.js';
import { list, record } from '../untypedJson.js';
import { lengthOf, text } from './bodyText.js';
import { GraphError } from './graphError.js';
import type { SandboxTemplate } from './templateContent.js';
import { buttonsOf, parametersOf, partOf, typeOf, variablesOf } from './templateParts.js';

const VALUE = 1_024;
const TYPES = ['text', 'currency', 'date_time'];

const count = (detail: string): GraphError =>
  new GraphError(132000, `(#132000) Number of parameters does not match the expected number of params: ${detail}`);
const format = (detail: string): GraphError =>
  new GraphError(132012, `(#132012) Parameter format does not match format in the created template: ${detail}`);

/** A value for a variable. Throws a GraphError. */
function checkValue(parameter: JsonObject | undefined, place: string): void {
  const type = text(parameter?.type);
  if (!TYPES.includes(type)) throw format(`${place}: a variable takes ${TYPES.join(', ')}, not ${type || 'nothing'}`);
  const value = type === 'text' ? parameter?.text : record(parameter?.[type])?.fallback_value;
  if (typeof value !== 'string' || value === '') throw new GraphError(131008, `${place}: the parameter has no text`);
  if (lengthOf(value) > VALUE) throw new GraphError(131009, `${place}: the parameter is longer than ${VALUE}`);
  if (/[\n\t]| {4}/.test(value)) throw new GraphError(132000, 'Parameters take no line breaks');
}

function checkVariables(
  text: unknown,
  given: readonly (JsonObject | undefined)[],
  named: boolean,
  place: string,
): void {
  const names = variablesOf(text);
  if (given.length !== names.length)
    throw count(
      `${place}: number of localizable_params (${given.length}) does not match the expected number of params (${names.length})`,
    );
  given.forEach((parameter) => {
    checkValue(parameter, place);
  });
  if (!named) return;
  const missing = names.filter((name) => !given.some((parameter) => parameter?.parameter_name === name));
  if (missing.length > 0) throw format(`${place}: parameter ${missing.join(', ')} is missing`);
}

function checkHeader(
  header: JsonObject | undefined,
  message: JsonObject,
  named: boolean,
  knowsFile: (id: unknown) => boolean,
): void {
  const given = parametersOf(message, 'HEADER');
  const kind = text(header?.format).toLowerCase();
  if (header === undefined || kind === 'text' || kind === '') {
    checkVariables(header?.text, given, named, 'header');
    return;
  }
  const [parameter] = given;
  if (given.length !== 1) throw format(`header: Format mismatch, expected ${kind.toUpperCase()}, received UNKNOWN`);
  if (parameter?.type !== kind)
    throw format(
      `header: Format mismatch, expected ${kind.toUpperCase()}, received ${text(parameter?.type).toUpperCase()}`,
    );
  const value = record(parameter[kind]);
  if (kind === 'location') {
    if (value?.latitude === undefined || value.longitude === undefined)
      throw new GraphError(131008, 'header: a location needs latitude and longitude');
    return;
  }
  if (value?.id === undefined ? !/^https?:\/\//.test(text(value?.link)) : !knowsFile(value.id))
    throw new GraphError(131009, `header: the ${kind} has neither a known id nor a link`);
}

/** Parameter that a button requires when it is sent, by its type; undefined for the others. */
function requiredParameter(button: JsonObject): { sub: string; type: string; field: string } | undefined {
  const type = typeOf(button);
  if (type === 'URL' && variablesOf(button.url).length > 0) return { sub: 'url', type: 'text', field: 'text' };
  if (type === 'OTP') return { sub: 'url', type: 'text', field: 'text' };
  if (type === 'COPY_CODE') return { sub: 'copy_code', type: 'coupon_code', field: 'coupon_code' };
  return undefined;
}

function checkButtons(buttons: readonly JsonObject[], message: JsonObject): void {
  const given = list(message.components)
    .map((one) => record(one) ?? {})
    .filter((one) => typeOf(one) === 'BUTTON');
  for (const component of given) {
    const button = buttons[Number(component.index)];
    if (button === undefined) throw format(`buttons: there is no button at index ${component.index}`);
    const sub = text(component.sub_type).toLowerCase();
    const fits = sub === typeOf(button).toLowerCase() || (sub === 'url' && typeOf(button) === 'OTP');
    if (!fits)
      throw format(`buttons: the button at index ${component.index} is of the type ${typeOf(button)}, not ${sub}`);
  }
  buttons.forEach((button, at) => {
    const requested = requiredParameter(button);
    if (requested === undefined) return;
    const component = given.find((one) => Number(one.index) === at);
    const parameter = record(list(component?.parameters)[0]);
    if (parameter === undefined)
      throw new GraphError(131008, `buttons: Button at index ${at} of type ${typeOf(button)} requires a parameter`);
    if (parameter.type !== requested.type || text(parameter[requested.field]) === '')
      throw format(`buttons: the button at index ${at} takes a parameter of the type ${requested.type}`);
  });
}

export interface TemplateSendContext {
  /** Templates of the number's business account. */
  readonly templates: readonly SandboxTemplate[];
  knowsFile(id: unknown): boolean;
}

/** Throws a GraphError unless the template exists, is approved, and gets what it needs. */
export function checkTemplateSend(message: JsonObject, { templates, knowsFile }: TemplateSendContext): void {
  const name = text(message.name);
  const language = text(record(message.language)?.code);
  if (name === '') throw new GraphError(131008, 'template.name is required');
  if (language === '') throw new GraphError(131008, 'template.language.code is required');
  if (message.components !== undefined && !Array.isArray(message.components))
    throw new GraphError(131009, 'template.components must be a list');
  const found = templates.find((one) => one.name === name && one.language === language);
  if (found?.status === 'PAUSED') throw new GraphError(132015, '(#132015) Template is paused');
  if (found?.status === 'DISABLED') throw new GraphError(132016, '(#132016) Template is disabled');
  if (found?.status !== 'APPROVED')
    throw new GraphError(
      132001,
      `(#132001) Template name does not exist in the translation: template name (${name}) does not exist in ${language}`,
    );
  const named = found.parameterFormat === 'NAMED';
  checkHeader(partOf(found.components, 'HEADER'), message, named, knowsFile);
  checkVariables(partOf(found.components, 'BODY')?.text, parametersOf(message, 'BODY'), named, 'body');
  checkButtons(buttonsOf(found.components), message);
}
