/** The kinds of options that commands of the operator have. */
import { resolve } from 'node:path';
import type { Option, OptionWords } from './declaration.js';
import { EXAMPLE_TIME, timeMs } from './times.js';

/** Characters of a reason. */
export const MOST_REASON = 500;

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

/** A switch: typed without a value. */
export const flag = (about: string): Option<boolean> => ({
  about,
  // For forms: at the command line it is a switch.
  choices: ['true'],
  send: (typed) => (typed === undefined || typed === 'false' ? undefined : true),
  check: (fields, name) => fields.value(name) === true,
});

/** Reason of a change; stored in the log. */
export const reason = (about: string): Option<string> => {
  const typed = text({ value: 'TEXT', about, required: true });
  return {
    ...typed,
    check(fields, name) {
      const value = typed.check(fields, name);
      if (value.length > MOST_REASON) fields.problem(name, `must not be longer than ${MOST_REASON} characters`);
      return value;
    },
  };
};

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
      const ms = timeMs(typed);
      if (ms === undefined) fields.problem(name, `must be a time, such as ${EXAMPLE_TIME}`, typed);
      return ms ?? 0;
    },
  };
}
