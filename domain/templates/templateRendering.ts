/** A template with its parameters, for the preview and for sending. Both call `renderTemplate`. */

import { imageUrlProblem } from '../catalog/imageUrl.js';
import type { TemplateComponent, TemplateParameter } from '../channel/templateComponents.js';
import { type FieldProblem, refuse } from '../decider.js';
import { defined } from '../defined.js';
import { renderButtons } from './buttonRendering.js';
import { BODY_TEXT, HEADER_TEXT } from './partRules.js';
import type { RenderedHeader, RenderedTemplate } from './renderedTemplate.js';
import type { ParameterFormat, TemplateDefinition, TemplateHeader } from './templateDefinition.js';
import { type PlacedComponent, type Problems, parametersOf, valuesOf, wellShaped } from './templateParameters.js';
import { distinctVariables, filled, lengthOf } from './textVariables.js';

/** The parts of a template that are sent. */
export interface Renderable {
  readonly definition: TemplateDefinition;
  readonly parameterFormat: ParameterFormat;
  readonly language: string;
}

/** Maximum length of the body of a template that has no other part. (The provider's rule.) */
const BODY_ALONE = 32_768;

/**
 * Fills parameters into a template, as the provider does. `at`: location of the components in the request. Refuses
 * `template_parameters_invalid` with every parameter that is missing, superfluous, of a wrong type or invalid, each with its location.
 * Refuses `template_not_sendable` for a template with parts that this service cannot send.
 */
export function renderTemplate(
  { definition, parameterFormat }: Renderable,
  components: readonly TemplateComponent[] = [],
  at = 'body.components',
): RenderedTemplate {
  if ((definition.unsupported?.length ?? 0) > 0)
    refuse('template_not_sendable', `The template has parts that this service cannot send: ${definition.unsupported}.`);
  const found: FieldProblem[] = [];
  const problems: Problems = (message, place, value) => {
    const location = place === '' ? at : `${at}${place}`;
    found.push({ message, location, ...defined({ value }) });
  };
  if (!wellShaped(components, problems)) refuse('template_parameters_invalid', found[0]!.message, found);
  const given = sorted(components, problems);
  const header = renderHeader(definition.header, given.header, parameterFormat, problems);
  const body = renderBody(definition, given.body, parameterFormat, problems);
  const buttons = renderButtons(definition.buttons ?? [], given.buttons, problems);
  if (found.length > 0) refuse('template_parameters_invalid', found[0]!.message, found);
  const footer = definition.footer?.text;
  const text = [header?.text, body, footer].filter((part) => part !== undefined && part !== '').join('\n\n');
  return {
    ...defined({ header }),
    body,
    ...defined({ footer }),
    buttons,
    text,
  };
}

interface Sorted {
  readonly header: PlacedComponent | undefined;
  readonly body: PlacedComponent | undefined;
  readonly buttons: ReadonlyMap<number, PlacedComponent>;
}

function sorted(components: readonly TemplateComponent[], problems: Problems): Sorted {
  const parts = new Map<string, PlacedComponent>();
  const buttons = new Map<number, PlacedComponent>();
  components.forEach((component, index) => {
    const place = `[${index}]`;
    if (component.type === 'button') {
      if (component.index === undefined) problems('Set index, the place of the button from 0.', `${place}.index`);
      else if (buttons.has(component.index))
        problems('This button has parameters already.', `${place}.index`, component.index);
      else buttons.set(component.index, { component, place });
      return;
    }
    for (const field of ['subType', 'index'] as const)
      if (component[field] !== undefined)
        problems(`Only a button can have ${field}.`, `${place}.${field}`, component[field]);
    if (parts.has(component.type)) problems(`There is a ${component.type} already.`, `${place}.type`, component.type);
    else parts.set(component.type, { component, place });
  });
  return { header: parts.get('header'), body: parts.get('body'), buttons };
}

function renderHeader(
  header: TemplateHeader | undefined,
  given: PlacedComponent | undefined,
  format: ParameterFormat,
  problems: Problems,
): RenderedHeader | undefined {
  if (header === undefined) {
    if (given !== undefined) problems('The template has no header.', `${given.place}.type`, 'header');
    return undefined;
  }
  if (header.format === 'text') {
    const values = valuesOf(distinctVariables(header.text ?? ''), parametersOf(given), {
      format,
      part: 'header',
      kinds: ['text'],
      place: given?.place,
      problems,
    });
    const text = filled(header.text ?? '', values);
    if (lengthOf(text) > HEADER_TEXT)
      problems(`With its value the header has more than ${HEADER_TEXT} characters.`, given?.place ?? '', text);
    return { format: 'text', text };
  }
  return attachedHeader(header.format, given, problems);
}

function attachedHeader(
  format: Exclude<TemplateHeader['format'], 'text'>,
  given: PlacedComponent | undefined,
  problems: Problems,
): RenderedHeader {
  const parameters = parametersOf(given);
  const [parameter] = parameters;
  const place = given === undefined ? '' : `${given.place}.parameters`;
  if (parameter === undefined) problems(`The header needs one parameter of the type ${format}.`, place);
  else if (parameter.type !== format)
    problems(`The header needs a parameter of the type ${format}.`, `${place}[0].type`, parameter.type);
  else if ('media' in parameter) mediaProblems(parameter.media, `${place}[0].media`, format, problems);
  if (parameters.length > 1) problems('The header takes one parameter.', `${place}[1]`);
  if (parameter === undefined) return { format };
  if ('media' in parameter) return { format, media: parameter.media };
  return 'location' in parameter ? { format, location: parameter.location } : { format };
}

function mediaProblems(
  { link, fileId, filename }: Extract<TemplateParameter, { media: object }>['media'],
  place: string,
  format: TemplateHeader['format'],
  problems: Problems,
): void {
  if ((link === undefined) === (fileId === undefined)) problems('Give either a link or a fileId.', place);
  // The channel fetches the link as the catalog provider fetches images: an unreachable one would fail when the message is sent.
  if (link !== undefined && imageUrlProblem(link) !== undefined)
    problems('A link must be an https URL of a host on the public internet.', `${place}.link`, link);
  if (filename !== undefined && format !== 'document')
    problems('Only a document can have a file name.', `${place}.filename`, filename);
}

function renderBody(
  { header, body, footer, buttons = [] }: TemplateDefinition,
  given: PlacedComponent | undefined,
  format: ParameterFormat,
  problems: Problems,
): string {
  const template = body.text ?? '';
  const kinds = ['text', 'currency', 'date_time'] as const;
  const place = given?.place;
  const values = valuesOf(distinctVariables(template), parametersOf(given), {
    format,
    part: 'body',
    kinds,
    place,
    problems,
  });
  const text = filled(template, values);
  const most = header === undefined && footer === undefined && buttons.length === 0 ? BODY_ALONE : BODY_TEXT;
  if (lengthOf(text) > most)
    problems(`With its values the body has ${lengthOf(text)} characters; it may have ${most}.`, place ?? '');
  return text;
}
