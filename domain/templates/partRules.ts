/** The provider's rules for header, body and footer. Lengths count characters as users see them, like those of the schemas. */
import type {
  ParameterFormat,
  Report,
  TemplateBodyPart,
  TemplateExample,
  TemplateFooter,
  TemplateHeader,
} from './templateDefinition.js';
import { lengthOf, variableProblems, variablesIn } from './textVariables.js';

/** (Specification 2, 'Definition'; shared reference: 'Text limits'.) */
export const HEADER_TEXT = 60;
export const BODY_TEXT = 1_024;
const FOOTER_TEXT = 60;

const LINE_BREAK = /[\r\n\t]/;
const VARIABLE_AT_AN_END = /^\s*\{\{\w+\}\}|\{\{\w+\}\}\s*$/;
const ADJACENT = /\{\{\w+\}\}\s*\{\{\w+\}\}/;

export const isMedia = (format: TemplateHeader['format']): format is 'image' | 'video' | 'document' =>
  format === 'image' || format === 'video' || format === 'document';

/** Reports problems of a short text of one line. */
function lineProblems(text: string, most: number, place: string, report: Report): void {
  if (text.trim() === '') report(place, 'The text must not be empty. To omit the part, remove it.', text);
  if (lengthOf(text) > most) report(place, `At most ${most} characters.`, text);
  if (LINE_BREAK.test(text)) report(place, 'No line breaks and no tabs here.', text);
}

export function headerProblems(header: TemplateHeader, format: ParameterFormat, report: Report): void {
  if (header.format === 'text') {
    const text = header.text ?? '';
    lineProblems(text, HEADER_TEXT, 'header.text', report);
    if (variablesIn(text).length > 1) report('header.text', 'A header has at most one variable.', text);
    variableProblems(header, format, 'header', report);
  } else {
    if (header.text !== undefined)
      report('header.text', `A header of the format ${header.format} has no text.`, header.text);
    if ((header.examples?.length ?? 0) > 0) report('header.examples', 'Only variables of a text have examples.');
  }
  if (isMedia(header.format) && header.sampleFileId === undefined)
    report(
      'header.sampleFileId',
      `A header of the format ${header.format} needs a sample for the review: the id of a file.`,
    );
  if (!isMedia(header.format) && header.sampleFileId !== undefined)
    report('header.sampleFileId', 'Only a header with an image, video or document has a sample.');
}

export function bodyProblems(body: TemplateBodyPart, format: ParameterFormat, report: Report): void {
  const { text = '' } = body;
  if (text.trim() === '') report('body.text', 'A template needs a body.', text);
  if (lengthOf(text) > BODY_TEXT) report('body.text', `At most ${BODY_TEXT.toLocaleString('en')} characters.`, text);
  if (/\t| {5}|\n\s*\n\s*\n/.test(text.replaceAll('\r\n', '\n')))
    report('body.text', 'No tabs, no more than four spaces in a row, no more than one empty line at a place.', text);
  if (VARIABLE_AT_AN_END.test(text)) report('body.text', 'A body must not begin or end with a variable.', text);
  if (ADJACENT.test(text)) report('body.text', 'Two variables must be separated by words, not only spaces.', text);
  if (body.addSecurityRecommendation !== undefined)
    report('body.addSecurityRecommendation', 'Only authentication templates can have this.');
  variableProblems(body satisfies { readonly examples?: readonly TemplateExample[] }, format, 'body', report);
}

export function footerProblems(footer: TemplateFooter, report: Report): void {
  const { text = '' } = footer;
  lineProblems(text, FOOTER_TEXT, 'footer.text', report);
  if (/\{\{|\}\}/.test(text)) report('footer.text', 'A footer has no variables.', text);
  if (footer.codeExpirationMinutes !== undefined)
    report('footer.codeExpirationMinutes', 'Only authentication templates can have this.');
}
