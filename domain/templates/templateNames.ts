/** A store has one template of a name in a language. How that is kept: domain/names.ts. */
import type { NameKind } from '../names.js';

/** `most`: those that the provider has are shown, however many. */
export const templateNames = {
  name: 'template',
  most: 6_000,
  full: { code: 'template_limit_reached', detail: 'The store has 6000 templates; delete those that are not needed.' },
  taken: { code: 'template_name_taken', detail: 'The store has a template of this name in this language.' },
} as const satisfies NameKind;

/** The form in which names are compared. */
export const nameKey = ({ name, language }: { readonly name: string; readonly language: string }): string =>
  `${name} ${language}`;
