/** A template as a form holds it, from its definition and back; what a form does not show stays as it is. */
import type { Schemas } from '../api/openapi.js';

export type Definition = Schemas['TemplateDefinitionBody'];
type Button = NonNullable<Definition['buttons']>[number];

type HeaderFormat = NonNullable<Definition['header']>['format'];
export type MediaFormat = Exclude<HeaderFormat, 'text' | 'location'>;

/** With what one may begin, as the form calls it. */
export const HEADERS: Readonly<Record<HeaderFormat, string>> = {
  text: 'text, or none',
  image: 'image',
  video: 'video',
  document: 'document',
  location: 'place on a map',
};

export const isMedia = (format: string): format is MediaFormat =>
  format === 'image' || format === 'video' || format === 'document';

export interface Draft {
  readonly name: string;
  readonly language: string;
  readonly category: 'marketing' | 'utility';
  readonly headerFormat: HeaderFormat;
  /** Present for a header with text. */
  readonly header: string;
  /** Present for a header with a picture, video or document: the file that its reviewers see. */
  readonly sampleFileId: string | undefined;
  readonly body: string;
  readonly footer: string;
  /** Texts of quick replies, one a line. */
  readonly replies: string;
  /** Examples by variable, with `header ` before those of the header. */
  readonly examples: Readonly<Record<string, string>>;
}

export const NEW_DRAFT: Draft = {
  ...{ name: '', language: 'en', category: 'utility', header: '', body: '', footer: '', replies: '' },
  ...{ headerFormat: 'text', sampleFileId: undefined, examples: {} },
};

export const LANGUAGES = ['en', 'en_US', 'so', 'ar', 'sw', 'am', 'fr'] as const;

const VARIABLE = /\{\{\s*([a-z0-9_]+)\s*\}\}/g;

/** `{{1}}` and `{{name}}` of a text, each once, in their order. */
export const variablesOf = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(VARIABLE)].map(([, name]) => name!)),
];

export const OF_HEADER = 'header ';

const isReply = ({ type }: Button): boolean => type === 'quick_reply';
/** Buttons that the form only keeps. */
export const otherButtons = ({ buttons = [] }: Definition): readonly Button[] => buttons.filter((one) => !isReply(one));

export function draftOf({ name, language, category, definition }: Schemas['TemplateBody']): Draft {
  const { header, body, footer, buttons = [] } = definition;
  const examples: Record<string, string> = {};
  const note = (before: string, text: string, given: Definition['body']['examples'] = []): void => {
    for (const [i, variable] of variablesOf(text).entries()) {
      const found = given.find((one) => one.name === variable) ?? given[i];
      if (found !== undefined) examples[before + variable] = found.value;
    }
  };
  note('', body.text ?? '', body.examples);
  note(OF_HEADER, header?.text ?? '', header?.examples);
  return {
    ...{ name, language, category: category === 'marketing' ? 'marketing' : 'utility', examples },
    ...{ headerFormat: header?.format ?? 'text', sampleFileId: header?.sampleFileId },
    ...{ header: header?.text ?? '', body: body.text ?? '', footer: footer?.text ?? '' },
    replies: buttons
      .filter(isReply)
      .map(({ text = '' }) => text)
      .join('\n'),
  };
}

function examplesOf({ examples }: Draft, text: string, before = '') {
  const all = variablesOf(text).map((variable) => {
    const value = examples[before + variable]?.trim() ?? '';
    return /^\d+$/.test(variable) ? { value } : { name: variable, value };
  });
  return all.length === 0 ? {} : { examples: all };
}

function headerOf(draft: Draft): Definition['header'] {
  const { headerFormat: format, sampleFileId } = draft;
  if (format !== 'text') return isMedia(format) && sampleFileId !== undefined ? { format, sampleFileId } : { format };
  const text = draft.header.trim();
  return text === '' ? undefined : { format, text, ...examplesOf(draft, text, OF_HEADER) };
}

/** `retained`: definition of the edited template. */
export function definitionOf(draft: Draft, retained?: Definition): Definition {
  const footer = draft.footer.trim();
  const replies: Button[] = draft.replies.split('\n').flatMap((line) => {
    const text = line.trim();
    return text === '' ? [] : [{ type: 'quick_reply', text }];
  });
  const buttons = [...replies, ...(retained === undefined ? [] : otherButtons(retained))];
  const header = headerOf(draft);
  return {
    ...(header !== undefined && { header }),
    body: { text: draft.body.trim(), ...examplesOf(draft, draft.body) },
    ...(footer !== '' && { footer: { text: footer } }),
    ...(buttons.length > 0 && { buttons }),
  };
}

/** The text with its examples in place. */
export const filled = (text: string, examples: Draft['examples'], before = ''): string =>
  text.replace(VARIABLE, (whole, name: string) => examples[before + name]?.trim() || whole);
