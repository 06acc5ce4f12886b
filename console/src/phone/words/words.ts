/** The phone's languages: a file each, of which none compiles that lacks a word. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { ar } from './ar.js';
import { en, type WordKey, type Words } from './en.js';
import { so } from './so.js';

export const LANGUAGES = ['en', 'so', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];

/** As each calls itself. */
export const NAMES: Readonly<Record<Language, string>> = { en: 'English', so: 'Soomaali', ar: 'العربية' };

const WORDS: Readonly<Record<Language, Words>> = { en, so, ar };
/** Arabic with the digits of the other two, as what stores write. */
const TAGS: Readonly<Record<Language, string>> = { en: 'en', so: 'so', ar: 'ar-u-nu-latn' };

export interface Tongue {
  readonly language: Language;
  readonly dir: 'ltr' | 'rtl';
  translate(key: WordKey, values?: Readonly<Record<string, string | number>>): string;
  money(cents: number, currency: string): string;
  time(at: string): string;
}

/**
 * Isolates a value from the sentence around it, so that neither changes the other's direction (first strong isolate).
 */
const isolated = (text: string | number): string => `\u2068${text}\u2069`;
const unchanged = String;

/** Times are in the store's zone, to match its view. */
export const tongueOf = (language: Language, zone: string): Tongue => ({
  language,
  dir: language === 'ar' ? 'rtl' : 'ltr',
  translate(key, values = {}) {
    const inserted = language === 'ar' ? isolated : unchanged;
    return WORDS[language][key].replace(/\{(\w+)\}/g, (_, name: string) => inserted(values[name] ?? ''));
  },
  money: (cents, currency) =>
    new Intl.NumberFormat(TAGS[language], {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
    }).format(cents / 100),
  time: (at) =>
    new Intl.DateTimeFormat(TAGS[language], {
      ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
      timeZone: zone,
    }).format(new Date(at)),
});

export const languageOf = (text: string | null): Language => LANGUAGES.find((one) => one === text) ?? 'en';

export const Spoken = createContext<Tongue>(tongueOf('en', 'UTC'));
export const useTongue = (): Tongue => useContext(Spoken);
