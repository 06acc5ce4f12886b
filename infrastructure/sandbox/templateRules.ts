/** Rules by which the channel refuses new and changed templates. */

import type { JsonObject } from '../../domain/jsonObject.js';
import { list, record } from '../untypedJson.js';
import { lengthOf, text } from './bodyText.js';
import { GraphError } from './graphError.js';
import type { TemplateContent } from './templateContent.js';
import { buttonsOf, partOf, typeOf, variablesOf } from './templateParts.js';

const BODY = 1_024;
const SHORT = 60;
const BUTTON = 25;
const MOST_BUTTONS = 10;
const CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION'];
const COMPONENTS = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS', 'CALL_PERMISSION_REQUEST'];
const HEADERS = ['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION'];
const BUTTONS: Readonly<Record<string, number>> = {
  QUICK_REPLY: MOST_BUTTONS,
  URL: 2,
  PHONE_NUMBER: 1,
  COPY_CODE: 1,
  OTP: 1,
  VOICE_CALL: 1,
};

/** The channel's words for a wrong template: a sentence for the person in `error_user_msg`. */
const wrong = (title: string, detail: string): GraphError =>
  new GraphError(100, 'Invalid parameter', 400, { title, detail });

type Format = TemplateContent['parameterFormat'];

/** How many examples there are: in order, or by name. */
function examples(component: JsonObject, part: 'body' | 'header', format: Format): readonly unknown[] {
  const example = record(component.example);
  if (format === 'NAMED') return list(example?.[`${part}_text_named_params`]).map((one) => record(one)?.param_name);
  const given = list(example?.[`${part}_text`]);
  return part === 'body' ? list(given[0]) : given;
}

function checkVariables(component: JsonObject, part: 'body' | 'header', format: Format): void {
  const names = variablesOf(component.text);
  const given = examples(component, part, format);
  if (format === 'NAMED') {
    if (names.some((name) => !/^[a-z][a-z0-9_]*$/.test(name)))
      throw wrong(
        'Invalid parameter name',
        `Variables of the ${part} are named in lower case, with digits and underscores.`,
      );
    if (names.some((name) => !given.includes(name)))
      throw wrong('Missing sample', `Each named variable of the ${part} needs an example.`);
    return;
  }
  if (names.some((name, at) => name !== String(at + 1)))
    throw wrong('Invalid variables', `Variables of the ${part} are {{1}}, {{2}}… in order.`);
  if (given.length !== names.length)
    throw wrong('Missing sample', `The ${part} has ${names.length} variables and ${given.length} examples.`);
}

function checkHeader(header: JsonObject, format: Format, knowsHandle: (handle: unknown) => boolean): void {
  const kind = text(header.format).toUpperCase();
  if (!HEADERS.includes(kind)) throw wrong('Invalid header', `The header's format is one of ${HEADERS.join(', ')}.`);
  if (kind === 'LOCATION') return;
  if (kind !== 'TEXT') {
    if (!knowsHandle(list(record(header.example)?.header_handle)[0]))
      throw wrong('Missing sample', `A header of the format ${kind} needs example.header_handle of an uploaded file.`);
    return;
  }
  const message = text(header.text);
  if (message === '' || lengthOf(message) > SHORT)
    throw wrong('Invalid header', `The header has 1 to ${SHORT} characters.`);
  if (variablesOf(message).length > 1) throw wrong('Invalid header', 'The header has at most one variable.');
  checkVariables(header, 'header', format);
}

function checkButton(button: JsonObject): void {
  const type = typeOf(button);
  if (BUTTONS[type] === undefined)
    throw wrong('Invalid button', `A button is one of ${Object.keys(BUTTONS).join(', ')}.`);
  const label = text(button.text);
  if (!['COPY_CODE', 'OTP'].includes(type) && (label === '' || lengthOf(label) > BUTTON))
    throw wrong('Invalid button', `A button's text has 1 to ${BUTTON} characters.`);
  if (type === 'URL') {
    const url = text(button.url);
    if (!/^https?:\/\//.test(url) || url.length > 2_000 || /\{\{(?!1\}\}$)/.test(url))
      throw wrong('Invalid button', 'A URL button has an address, which may end with {{1}}.');
    if (variablesOf(url).length > 0 && list(button.example).length === 0)
      throw wrong('Missing sample', 'A URL button with a variable needs an example.');
  }
  if (type === 'PHONE_NUMBER' && !/^\+?\d{7,20}$/.test(text(button.phone_number)))
    throw wrong('Invalid button', 'A PHONE_NUMBER button needs phone_number with its country code.');
  if (type === 'COPY_CODE' && [button.example].flat().length !== 1)
    throw wrong('Missing sample', 'A COPY_CODE button needs an example.');
}

function checkButtons(components: readonly JsonObject[]): void {
  const buttons = buttonsOf(components);
  const types = buttons.map(typeOf);
  if (partOf(components, 'BUTTONS') !== undefined && (buttons.length === 0 || buttons.length > MOST_BUTTONS))
    throw wrong('Invalid buttons', `There are 1 to ${MOST_BUTTONS} buttons.`);
  buttons.forEach(checkButton);
  for (const [type, most] of Object.entries(BUTTONS))
    if (types.filter((one) => one === type).length > most)
      throw wrong('Invalid buttons', `There are at most ${most} buttons of the type ${type}.`);
  const turns = types.filter((type, at) => at > 0 && (type === 'QUICK_REPLY') !== (types[at - 1] === 'QUICK_REPLY'));
  if (turns.length > 1) throw wrong('Invalid buttons', 'Quick replies stand together.');
}

/** The channel writes the words of one-time codes itself. */
function authentication(components: readonly JsonObject[]): readonly JsonObject[] {
  return components.map((component) => {
    if (typeOf(component) === 'BODY') {
      const security = component.add_security_recommendation ? ' For your security, do not share this code.' : '';
      return { ...component, text: `*{{1}}* is your verification code.${security}` };
    }
    const minutes = component.code_expiration_minutes;
    return minutes === undefined ? component : { ...component, text: `This code expires in ${minutes} minutes.` };
  });
}

/** The parts of a template that may be changed later. */
export type Changeable = Pick<TemplateContent, 'category' | 'parameterFormat' | 'components'>;

/** Throws a GraphError for the first mistake; returns the content to store. */
export function checkedContent(
  given: JsonObject,
  before: Changeable | undefined,
  knowsHandle: (handle: unknown) => boolean,
): Changeable {
  const category = text(given.category ?? before?.category).toUpperCase();
  if (!CATEGORIES.includes(category)) throw wrong('Invalid category', `category is one of ${CATEGORIES.join(', ')}.`);
  const parameterFormat: Format =
    text(given.parameter_format ?? before?.parameterFormat).toUpperCase() === 'NAMED' ? 'NAMED' : 'POSITIONAL';
  const components =
    given.components === undefined && before
      ? before.components
      : list(given.components).map((one) => record(one) ?? {});
  const types = components.map(typeOf);
  if (types.some((type, at) => !COMPONENTS.includes(type) || types.indexOf(type) !== at))
    throw wrong('Invalid components', `components has each of ${COMPONENTS.join(', ')} at most once.`);
  const bodyPart = partOf(components, 'BODY');
  if (bodyPart === undefined) throw wrong('Missing body', 'A template needs a body.');
  checkButtons(components);
  if (category === 'AUTHENTICATION') return { category, parameterFormat, components: authentication(components) };
  const message = text(bodyPart.text);
  if (message === '' || lengthOf(message) > BODY) throw wrong('Invalid body', `The body has 1 to ${BODY} characters.`);
  checkVariables(bodyPart, 'body', parameterFormat);
  const header = partOf(components, 'HEADER');
  if (header !== undefined) checkHeader(header, parameterFormat, knowsHandle);
  const footer = partOf(components, 'FOOTER');
  if (
    footer !== undefined &&
    (text(footer.text) === '' || lengthOf(text(footer.text)) > SHORT || variablesOf(footer.text).length > 0)
  )
    throw wrong('Invalid footer', `The footer has 1 to ${SHORT} characters and no variables.`);
  return { category, parameterFormat, components };
}

/** Name and language of a new template. */
export function checkedName(
  { name, language }: JsonObject,
  taken: readonly TemplateContent[],
): Pick<TemplateContent, 'name' | 'language'> {
  const named = { name: text(name), language: text(language) };
  if (!/^[a-z0-9_]{1,512}$/.test(named.name))
    throw wrong('Invalid name', 'The name has lower-case letters, digits and underscores.');
  if (!/^[a-z]{2,3}(_[A-Za-z]{2,4})?$/.test(named.language))
    throw wrong('Invalid language', 'The language is a code such as en_US.');
  if (taken.some((one) => one.name === named.name && one.language === named.language))
    throw wrong(
      'Content in this language already exists',
      `There is already ${named.language} content for this template.`,
    );
  return named;
}
