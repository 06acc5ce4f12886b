/**
 * Texts for customers, one file per language: en.json has the originals, so.json and ar.json the translations. Plain words, no markup. For
 * translators: docs/internals/translations.md.
 */
import { createRequire } from 'node:module';
import type { Locale } from '../../domain/stores/storeEvents.js';
import { lengthOf } from '../../domain/templates/textVariables.js';
import type arabic from './ar.json';
import type english from './en.json';
import { writingIn } from './localeFormats.js';
import type somali from './so.json';

type Originals = (typeof english)['texts'];
export type TextKey = keyof Originals;

/** A text, or one for each plural form of the language. */
type Translation = string | ({ readonly other: string } & { readonly [form in Intl.LDMLPluralRule]?: string });
/** A file without one of the keys does not compile. */
type TextsOf<Language extends Locale> = {
  readonly texts: Readonly<Record<TextKey, Readonly<Record<Language, Translation>>>>;
};

// Read instead of imported: on Node.js 20 importing a JSON file prints a warning at every start.
const read = createRequire(import.meta.url);
const FILES: { readonly [Language in Locale]: () => TextsOf<Language> } = {
  en: () => read('./en.json') as typeof english,
  so: () => read('./so.json') as typeof somali,
  ar: () => read('./ar.json') as typeof arabic,
};

/** Each file is read when one of its texts is first needed. */
const known = new Map<Locale, TextsOf<Locale>['texts']>();

function translationOf(locale: Locale, key: TextKey): Translation {
  let texts = known.get(locale);
  if (texts === undefined) {
    texts = FILES[locale]().texts as TextsOf<Locale>['texts'];
    known.set(locale, texts);
  }
  const entry: { readonly [Language in Locale]?: Translation } = texts[key];
  return entry[locale]!;
}

type Placeholders<Key extends TextKey> = Key extends unknown
  ? Originals[Key] extends { readonly placeholders: infer Notes }
    ? keyof Notes
    : never
  : never;

/** Values for `{name}`: names, codes and amounts as text. `count` also selects the plural form. */
type Values<Key extends TextKey> = {
  readonly [Name in Placeholders<Key>]: Name extends 'count' ? number : string | number;
};

/**
 * Returns the text of this key, such as `text('so', 'orders.heading', { number: 17 })`. Unknown keys and placeholders do not compile.
 * Format amounts with `money`.
 */
export function text<Key extends TextKey>(
  locale: Locale,
  key: Key,
  ...[values]: [Placeholders<Key>] extends [never] ? [] : [values: Values<Key>]
): string {
  const { formFor, number, inserted } = writingIn(locale);
  const given: { readonly [name: string]: string | number } = values ?? {};
  const translation = translationOf(locale, key);
  const chosen =
    typeof translation === 'string' ? translation : (translation[formFor(Number(given.count))] ?? translation.other);
  return chosen.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = given[name]!;
    return typeof value === 'number' ? number(value) : inserted(value);
  });
}

/** Truncates names that would make a text too long for the channel. `length`: in characters. */
export const short = (name: string, length: number): string =>
  lengthOf(name) <= length ? name : `${[...name].slice(0, length - 1).join('')}…`;
