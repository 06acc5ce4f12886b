/** Fields as a list, those of inner objects folded. */
import { escaped, prose } from '../api/pages/escaped.js';
import { breakable } from './frame.js';
import type { Field } from './schema.js';

const values = (all: readonly unknown[]): string =>
  all.length === 0
    ? ''
    : `<p class="values"><span class="soft">One of</span> ${all.map((value) => `<code>${escaped(String(value))}</code>`).join(' ')}</p>`;

const rules = (all: readonly string[]): string =>
  all.length === 0 ? '' : `<p class="rules">${all.map(prose).join(' · ')}</p>`;

function fieldItem({ name, type, isRequired, description, rules: ruleTexts, values: allowed, inner }: Field): string {
  const required = isRequired ? '<span class="required">required</span>' : '';
  const deeper =
    inner.length === 0
      ? ''
      : `<details><summary>${inner.length} ${inner.length === 1 ? 'field' : 'fields'} <span class="unseen">of ${escaped(name)}</span></summary>${fieldList(inner)}</details>`;
  return `<li><p class="field"><code>${breakable(name)}</code> <span class="type">${escaped(type)}</span> ${required}</p>
${description === '' ? '' : `<p>${prose(description)}</p>`}${values(allowed)}${rules(ruleTexts)}${deeper}</li>`;
}

/** HTML; nothing for no fields. */
export const fieldList = (fields: readonly Field[]): string =>
  fields.length === 0 ? '' : `<ul class="fields">${fields.map(fieldItem).join('\n')}</ul>`;

/** Removes `required` and the rules, which describe requests only, from the fields of an answer. */
export const answeredFields = (fields: readonly Field[]): readonly Field[] =>
  fields.map((field) => ({ ...field, isRequired: false, rules: [], inner: answeredFields(field.inner) }));
