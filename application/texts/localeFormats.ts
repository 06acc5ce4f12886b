/** Formats of each language: amounts, numbers, plural forms, and the direction of inserted values. */
import type { Locale } from '../../domain/stores/storeEvents.js';
import { isolated, isolatedWhereNeeded } from './bidiIsolation.js';

interface Writing {
  /** Cents of US dollars. Negative amounts have their sign. */
  readonly amount: (cents: number) => string;
  readonly number: (value: number) => string;
  readonly formFor: (count: number) => Intl.LDMLPluralRule;
  /** Prepares a name, a code, a phone number or an amount for insertion into a sentence. */
  readonly inserted: (text: string) => string;
}

/** Arabic with the digits that prices and phones have in the Gulf and the Horn of Africa, which English and Somali use too. */
const TAGS: Readonly<Record<Locale, string>> = { en: 'en', so: 'so', ar: 'ar-u-nu-latn' };

/** About 100 bytes each. */
const MOST_AMOUNTS = 5_000;

function writingOf(locale: Locale): Writing {
  const tag = TAGS[locale];
  const inserted = locale === 'ar' ? isolated : isolatedWhereNeeded;
  const amounts = new Intl.NumberFormat(tag, {
    style: 'currency',
    currency: 'USD',
    // All prices are in US dollars: `$`, as stores write them, if the language has the symbol.
    currencyDisplay: 'narrowSymbol',
    // English amounts have no separators, for compatibility with earlier messages.
    useGrouping: locale !== 'en',
  });
  const numbers = new Intl.NumberFormat(tag, { useGrouping: false });
  const plurals = new Intl.PluralRules(tag);
  const written = (cents: number): string =>
    amounts
      .formatToParts(cents / 100)
      .map(({ type, value }) => {
        if (type === 'currency') return inserted(value);
        return type === 'minusSign' ? value.replace('-', '−') : value;
      })
      .join('');
  // Shops have few prices, and each message of an order contains about ten. Formatting an amount takes longer than everything else in its
  // line.
  const known = new Map<number, string>();
  return {
    amount(cents) {
      const before = known.get(cents);
      if (before !== undefined) return before;
      if (known.size >= MOST_AMOUNTS) known.clear();
      const text = written(cents);
      known.set(cents, text);
      return text;
    },
    number: (value) => numbers.format(value),
    formFor: (count) => plurals.select(count),
    inserted,
  };
}

const writings = new Map<Locale, Writing>();

/** Created when a language is first needed, since its tables take time to load. */
export function writingIn(locale: Locale): Writing {
  const known = writings.get(locale);
  if (known !== undefined) return known;
  const made = writingOf(locale);
  writings.set(locale, made);
  return made;
}

/** Formats whole cents for customers in the language: `$12.50`. */
export const money = (locale: Locale, cents: number): string => writingIn(locale).amount(cents);
