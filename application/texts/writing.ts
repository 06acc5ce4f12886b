/** How each language writes amounts and numbers, which form a number asks for, and how what is put in keeps its direction. */
import type { Locale } from '../../domain/stores/storeEvents.js';
import { isolated, isolatedWhereNeeded } from './isolating.js';

interface Writing {
  /** Cents of US dollars, negative ones with their sign. */
  readonly amount: (cents: number) => string;
  readonly number: (value: number) => string;
  readonly formFor: (count: number) => Intl.LDMLPluralRule;
  /** A name, a code, a phone number or an amount, ready to stand in a sentence. */
  readonly inserted: (text: string) => string;
}

/** Arabic with the digits of prices and phones in the Gulf and the Horn of Africa, which are those of the other two too. */
const TAGS: Readonly<Record<Locale, string>> = { en: 'en', so: 'so', ar: 'ar-u-nu-latn' };

/** Some 100 bytes each. */
const MOST_AMOUNTS = 5_000;

function writingOf(locale: Locale): Writing {
  const tag = TAGS[locale];
  const inserted = locale === 'ar' ? isolated : isolatedWhereNeeded;
  const amounts = new Intl.NumberFormat(tag, {
    style: 'currency',
    currency: 'USD',
    // All prices are in US dollars: `$`, as the stores write them, where the language has it.
    currencyDisplay: 'narrowSymbol',
    // English amounts stand without separators, as customers have always read them.
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
  // Shops have few prices, and each message of an order names some ten: to write one takes longer than all else in its line.
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

/** Made when a language is first needed: the tables behind it take their time to load. */
export function writingIn(locale: Locale): Writing {
  const known = writings.get(locale);
  if (known !== undefined) return known;
  const made = writingOf(locale);
  writings.set(locale, made);
  return made;
}

/** Whole cents as customers read them: `$12.50`; in the way of the language. */
export const money = (locale: Locale, cents: number): string => writingIn(locale).amount(cents);
