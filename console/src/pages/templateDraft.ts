/** A template as a form holds it, from its definition and back; what a form does not show stays as it is. */
import type { Schemas } from '../api/openapi.js';

export type Definition = Schemas['TemplateDefinitionBody'];
type Button = NonNullable<Definition['buttons']>[number];

export interface Draft {
  readonly name: string;
  readonly language: string;
  readonly category: 'marketing' | 'utility';
  readonly header: string;
  readonly body: string;
  readonly footer: string;
  /** Texts of quick replies, one a line. */
  readonly replies: string;
  /** By the variable, with `header ` before those of the header. */
  readonly examples: Readonly<Record<string, string>>;
}

export const NEW_DRAFT: Draft = {
  ...{ name: '', language: 'en', category: 'utility', header: '', body: '', footer: '', replies: '' },
  examples: {},
};

export const LANGUAGES = ['en', 'en_US', 'so', 'ar', 'sw', 'am', 'fr'] as const;

/** `{{1}}` and `{{name}}` of a text, each once, in their order. */
export const variablesOf = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(/\{\{\s*([a-z0-9_]+)\s*\}\}/g)].map(([, name]) => name!)),
];

export const OF_HEADER = 'header ';

/** Whether the form shows all of the header: a picture's, for one, it only keeps. */
export const hasTextHeader = ({ header }: Definition): boolean => header === undefined || header.format === 'text';
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

/** `kept`: of the template that is edited. */
export function definitionOf(draft: Draft, kept?: Definition): Definition {
  const header = draft.header.trim();
  const footer = draft.footer.trim();
  const replies: Button[] = draft.replies.split('\n').flatMap((line) => {
    const text = line.trim();
    return text === '' ? [] : [{ type: 'quick_reply', text }];
  });
  const buttons = [...replies, ...(kept === undefined ? [] : otherButtons(kept))];
  const told =
    kept !== undefined && !hasTextHeader(kept)
      ? kept.header
      : header === ''
        ? undefined
        : { format: 'text' as const, text: header, ...examplesOf(draft, header, OF_HEADER) };
  return {
    ...(told !== undefined && { header: told }),
    body: { text: draft.body.trim(), ...examplesOf(draft, draft.body) },
    ...(footer !== '' && { footer: { text: footer } }),
    ...(buttons.length > 0 && { buttons }),
  };
}

/** The text with its examples in place. */
export const filled = (text: string, examples: Draft['examples'], before = ''): string =>
  text.replace(/\{\{\s*([a-z0-9_]+)\s*\}\}/g, (whole, name: string) => examples[before + name]?.trim() || whole);
