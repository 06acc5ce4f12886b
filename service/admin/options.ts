/** The kinds of options that commands of the operator have. */
import { resolve } from 'node:path';
import type { Option, OptionWords } from './declaration.js';

type Required = OptionWords & { readonly required: true };

/** Text that is not empty. */
export function text(words: Required): Option<string>;
export function text(words: OptionWords): Option<string | undefined>;
export function text(words: OptionWords): Option<string | undefined> {
  return {
    ...words,
    check: (fields, name) => (words.required ? fields.text(name) : fields.optionalText(name)),
  };
}

/** An id, which may be typed in capitals. */
export const id = (about: string, value = 'ID'): Option<string> => ({
  value,
  about,
  required: true,
  check: (fields, name) => fields.text(name).toLowerCase(),
});

/** The store that a command is about. */
export const workspace = text({ value: 'ID', about: "The store's workspace id.", required: true });

/** One of these values; `otherwise` when it is left out. */
export const oneOf = <const V extends readonly string[]>(
  words: OptionWords,
  values: V,
  otherwise?: V[number],
): Option<V[number]> => ({
  ...words,
  choices: values,
  check: (fields, name) => fields.oneOf<V[number]>(name, values, otherwise),
});

/** The same, undefined when it is left out. */
export const maybeOneOf = <const V extends readonly string[]>(
  words: OptionWords,
  values: V,
): Option<V[number] | undefined> => ({
  ...words,
  choices: values,
  check: (fields, name) => fields.optionalOneOf<V[number]>(name, values),
});

/** Several texts, each option with one or more between commas. */
export const texts = (words: OptionWords): Option<readonly string[]> => ({
  ...words,
  many: true,
  sendMany: (typed) => typed.flatMap((each) => each.split(',')),
  check: (fields, name) => fields.texts(name),
});

/** Text that is typed by its place. */
export function argument(name: string, words: { readonly required: true }): Option<string>;
export function argument(name: string): Option<string | undefined>;
export function argument(name: string, words: { readonly required?: boolean } = {}): Option<string | undefined> {
  return {
    argument: name,
    ...words,
    check: (fields, field) => (words.required ? fields.text(field) : fields.optionalText(field)),
  };
}

/** A file by its absolute path: the service reads and writes it itself, wherever it was started. */
export const file: Option<string> = {
  argument: 'FILE',
  required: true,
  from: 'file',
  send: (typed) => resolve(typed ?? ''),
  check: (fields, name) => fields.text(name),
};

/** A time, in ms since 1970. */
export function time(words: Required): Option<number>;
export function time(words: OptionWords): Option<number | undefined>;
export function time(words: OptionWords): Option<number | undefined> {
  return {
    ...words,
    check(fields, name) {
      const typed = words.required ? fields.text(name) : fields.optionalText(name);
      if (typed === undefined || typed === '') return words.required ? 0 : undefined;
      const ms = Date.parse(typed);
      if (Number.isNaN(ms)) fields.problem(name, 'must be a time, such as 2026-03-01T08:00:00Z', typed);
      return ms;
    },
  };
}
