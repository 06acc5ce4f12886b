/** A store has one template of a name in a language. How that is kept: domain/holding.ts. */
import { holdable } from '../holding.js';
import type { Template } from './template.js';

/** Stream `templateName-{workspaceId}.{hash of name and language}`. */
export const templateNames = holdable({
  stream: 'templateName',
  taken: 'TemplateNameTaken',
  freed: 'TemplateNameFreed',
  code: 'template_name_taken',
  detail: 'The store has a template of this name in this language.',
  thing: 'The name of a template in a language',
});

/** The form in which names are compared. */
export const nameKey = ({ name, language }: { readonly name: string; readonly language: string }): string =>
  `${name} ${language}`;

/** What application/holding.ts asks of a holder: a template keeps its name until it is gone. */
export const keepsName = (state: Template): 'yes' | 'no' | 'gone' =>
  state.standing ? 'yes' : state.gone === undefined ? 'no' : 'gone';
