/**
 * Rules for definitions that are submitted to the provider, and their stored form. (Specification 2, 'Templates'; the provider's rules.)
 */

import { type FieldProblem, refuse } from '../decider.js';
import { defined } from '../defined.js';
import { authenticationFooter, authenticationProblems, authenticationText } from './authenticationTexts.js';
import { buttonProblems, dialled } from './buttonRules.js';
import { bodyProblems, footerProblems, headerProblems } from './partRules.js';
import type {
  ParameterFormat,
  Report,
  TemplateCategory,
  TemplateDefinition,
  TemplateExample,
} from './templateDefinition.js';
import { parameterFormatOf } from './textVariables.js';

export interface Known {
  readonly category: TemplateCategory;
  /** Current definition of the template. Texts that the provider wrote may be sent back unchanged. */
  readonly current?: TemplateDefinition | undefined;
}

/** Returns every problem that the provider would find in a definition. `at`: location in the request. */
export function definitionProblems(
  definition: TemplateDefinition,
  { category, current }: Known,
  at = 'body.definition',
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const report: Report = (place, message, value) => {
    problems.push({ message, location: `${at}.${place}`, ...defined({ value }) });
  };
  if ((definition.unsupported?.length ?? 0) > 0)
    report('unsupported', 'Parts of this kind cannot be submitted through this service. Leave this empty.');
  if (category === 'authentication') authenticationProblems(definition, current, report);
  else contentProblems(definition, report);
  return problems;
}

function contentProblems(definition: TemplateDefinition, report: Report): void {
  const format = parameterFormatOf([definition.header?.text, definition.body.text]);
  if (format === undefined)
    report('body.text', 'Variables are numbered ({{1}}) or named ({{first_name}}), not both in one template.');
  if (definition.header !== undefined) headerProblems(definition.header, format ?? 'positional', report);
  bodyProblems(definition.body, format ?? 'positional', report);
  if (definition.footer !== undefined) footerProblems(definition.footer, report);
  buttonProblems(definition.buttons ?? [], report);
}

/** Refuses `validation_failed` with every problem of the definition and its location. */
export function checkDefinition(definition: TemplateDefinition, known: Known, at?: string): void {
  const problems = definitionProblems(definition, known, at);
  if (problems.length > 0) refuse('validation_failed', problems[0]!.message, problems);
}

export interface CreateTemplate {
  readonly name: string;
  readonly language: string;
  readonly category: TemplateCategory;
  readonly definition: TemplateDefinition;
}

/** A language in the channel's notation, such as en, en_US or zh_HK. */
export const LANGUAGE = /^[a-z]{2,3}(_[A-Za-z]{2,4})?$/;

export const languageProblems = (language: string): FieldProblem[] =>
  LANGUAGE.test(language)
    ? []
    : [{ message: 'A language of the channel, such as en_US.', location: 'body.language', value: language }];

/** Refuses `validation_failed` with every problem that the provider would find. */
export function checkTemplate({ language, category, definition }: CreateTemplate): void {
  const problems = [...languageProblems(language), ...definitionProblems(definition, { category })];
  if (problems.length > 0) refuse('validation_failed', problems[0]!.message, problems);
}

/** Returns the format of a valid definition. Without variables: `positional`. */
export const formatOf = ({ header, body }: TemplateDefinition): ParameterFormat =>
  parameterFormatOf([header?.text, body.text]) ?? 'positional';

/** Returns the stored form: without empty parts, and with the texts that the provider writes itself. */
export function normalDefinition(definition: TemplateDefinition, { category, current }: Known): TemplateDefinition {
  const { header, body, footer, buttons = [] } = definition;
  const shownButtons = buttons.length === 0 ? {} : { buttons };
  if (category === 'authentication') {
    const { examples: _, ...rest } = body;
    const expires = footer !== undefined && (footer.codeExpirationMinutes ?? 0) > 0;
    return {
      body: { ...rest, text: authenticationText(body, current?.body) },
      ...(expires ? { footer: authenticationFooter(footer, current?.footer) } : {}),
      ...shownButtons,
    };
  }
  return {
    ...(header === undefined ? {} : { header: withoutEmpty(header) }),
    body: withoutEmpty(body),
    ...defined({ footer }),
    ...shownButtons,
  };
}

function withoutEmpty<Part extends { readonly examples?: readonly TemplateExample[] }>(part: Part): Part {
  if (part.examples === undefined || part.examples.length > 0) return part;
  const { examples: _, ...rest } = part;
  return rest as Part;
}

/** Returns true if two definitions look the same to customers. Examples and samples are only for reviewers. */
export function sameContent(one: TemplateDefinition, other: TemplateDefinition): boolean {
  return spoken(one) === spoken(other);
}

/** Returns true if the provider has the requested definition. The text of an authentication template is the provider's own. */
export function isAsRequested(
  category: TemplateCategory,
  requested: TemplateDefinition,
  found: TemplateDefinition,
): boolean {
  return category === 'authentication'
    ? chosen(requested, found) === chosen(found, found)
    : sameContent(requested, found);
}

/** Returns the choices of an authentication template as text. `found`: default for the button's text. */
const chosen = ({ body, footer, buttons = [] }: TemplateDefinition, found: TemplateDefinition): string =>
  JSON.stringify([
    body.addSecurityRecommendation === true,
    footer?.codeExpirationMinutes ?? 0,
    buttons[0]?.text ?? found.buttons?.[0]?.text ?? '',
  ]);

function spoken({ header, body, footer, buttons = [], unsupported = [] }: TemplateDefinition): string {
  return JSON.stringify([
    [header?.format ?? '', header?.text ?? ''],
    [body.text ?? '', body.addSecurityRecommendation === true],
    [footer?.text ?? '', footer?.codeExpirationMinutes ?? 0],
    buttons.map((button) => [
      button.type,
      button.text ?? '',
      button.url ?? '',
      dialled(button.phoneNumber ?? '').replace('+', ''),
    ]),
    unsupported,
  ]);
}
