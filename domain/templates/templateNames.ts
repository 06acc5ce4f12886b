/** Uniqueness of a store's templates by name and language, see domain/names.ts. */
import type { NameKind } from '../names.js';

/** `most`: templates that exist at the provider are shown beyond it. */
export const templateNames = {
  name: 'template',
  most: 6_000,
  full: {
    code: 'template_limit_reached',
    detail: 'The store has reached the limit of 6000 templates. Delete unused templates.',
  },
  taken: { code: 'template_name_taken', detail: 'The store already has a template with this name and language.' },
} as const satisfies NameKind;

/** Returns the normalized form for comparing names. */
export const nameKey = ({ name, language }: { readonly name: string; readonly language: string }): string =>
  `${name} ${language}`;
