/** A template's parts in the provider's form. (shared reference: 'Message templates'.) */

import type { SubmittedTemplate } from '../../application/ports/templateProvider.js';
import { defined } from '../../domain/defined.js';
import { dialled, hasUrlVariable } from '../../domain/templates/buttonRules.js';
import type {
  ParameterFormat,
  TemplateBodyPart,
  TemplateButton,
  TemplateExample,
  TemplateFooter,
  TemplateHeader,
} from '../../domain/templates/templateDefinition.js';

type Content = Pick<SubmittedTemplate, 'category' | 'definition' | 'parameterFormat' | 'sampleHandle'>;

function examples(part: 'header' | 'body', format: ParameterFormat, given: readonly TemplateExample[]): object {
  if (given.length === 0) return {};
  const values = given.map(({ value }) => value);
  if (format === 'named') {
    const params = given.map(({ name, value }) => ({ param_name: name, example: value }));
    return { example: { [`${part}_text_named_params`]: params } };
  }
  return { example: part === 'body' ? { body_text: [values] } : { header_text: values } };
}

function header({ format, text, examples: given = [] }: TemplateHeader, { parameterFormat, sampleHandle }: Content) {
  const base = { type: 'HEADER', format: format.toUpperCase() };
  if (format === 'text') return { ...base, text, ...examples('header', parameterFormat, given) };
  return sampleHandle === undefined ? base : { ...base, example: { header_handle: [sampleHandle] } };
}

function body({ text, examples: given = [], addSecurityRecommendation }: TemplateBodyPart, content: Content): object {
  if (content.category !== 'authentication')
    return { type: 'BODY', text, ...examples('body', content.parameterFormat, given) };
  return { type: 'BODY', ...(addSecurityRecommendation === true && { add_security_recommendation: true }) };
}

const footer = ({ text, codeExpirationMinutes }: TemplateFooter, { category }: Content): object =>
  category === 'authentication'
    ? { type: 'FOOTER', code_expiration_minutes: codeExpirationMinutes }
    : { type: 'FOOTER', text };

/** The example of an address is the whole of it at the provider. */
function urlExample(url: string, example: string): string {
  const fixed = url.slice(0, -'{{1}}'.length);
  return example.startsWith(fixed) ? example : fixed + example;
}

function button(given: TemplateButton): object {
  const { type, text, url = '', phoneNumber = '', example = '' } = given;
  switch (type) {
    case 'url':
      return { type: 'URL', text, url, ...(hasUrlVariable(given) && { example: [urlExample(url, example)] }) };
    case 'phone_number':
      return { type: 'PHONE_NUMBER', text, phone_number: dialled(phoneNumber) };
    case 'copy_code':
      return { type: 'COPY_CODE', example };
    case 'otp':
      return { type: 'OTP', otp_type: 'COPY_CODE', ...defined({ text }) };
    default:
      return { type: 'QUICK_REPLY', text };
  }
}

/** `components` for creating and editing. The request for call permission is a part of its own there. */
export function templateComponents(content: Content): object[] {
  const { definition } = content;
  const all = definition.buttons ?? [];
  const buttons = all.filter(({ type }) => type !== 'voice_call_request').map(button);
  return [
    ...(definition.header === undefined ? [] : [header(definition.header, content)]),
    body(definition.body, content),
    ...(definition.footer === undefined ? [] : [footer(definition.footer, content)]),
    ...(buttons.length === 0 ? [] : [{ type: 'BUTTONS', buttons }]),
    ...(all.length === buttons.length ? [] : [{ type: 'CALL_PERMISSION_REQUEST' }]),
  ];
}
