/** The files that translators edit: complete, in sync with the English, and within the channel's limits. */
import { expect } from 'chai';
import { money } from '../../application/texts/localeFormats.js';
import { type TextKey, text } from '../../application/texts/texts.js';
import type { Locale } from '../../domain/stores/storeEvents.js';
import { entriesOf, type Forms, textFile } from '../support/samples/textFiles.js';

const english = textFile('en');
const formsOf = (forms: Forms): Readonly<Record<string, string>> =>
  typeof forms === 'string' ? { other: forms } : forms;
const namesIn = (form: string): string[] => [...form.matchAll(/\{(.*?)\}/g)].map(([, name]) => name!).sort();
/** Plural forms for a single number, which may spell the number out. */
const SAYS_ITSELF = ['zero', 'one', 'two'];

/** Returns the longest value of each placeholder. Amounts are the highest possible total of an order. */
const longest = (locale: Locale): Readonly<Record<string, string | number>> => {
  const amount = money(locale, 9e14);
  const two = text(locale, 'lists.two', { first: 'W'.repeat(12), second: 'W'.repeat(12) });
  const sales = text(locale, 'lists.more', { first: 'W'.repeat(40), second: 'W'.repeat(40) });
  const reasons = entriesOf(english)
    .filter(([key]) => key.startsWith('orders.whyLeftOut.'))
    .map(([key]) => text(locale, key as 'orders.whyLeftOut.over_stock', { count: 999_999 }));
  return {
    ...{
      number: 999_999_999,
      quantity: 99,
      count: 999_999,
      name: 'W'.repeat(34),
      item: 'W'.repeat(30),
      kind: two,
      sales,
    },
    ...{ total: amount, price: amount, fee: amount, from: amount, subtotal: amount, discount: money(locale, -9e14) },
    ...{ area: 'W'.repeat(30), address: 'W'.repeat(500), code: 'W'.repeat(32), wallet: 'EVC Plus' },
    ...{ phone: '+252611234567890', first: 'W'.repeat(40), second: 'W'.repeat(40) },
    reason: reasons.sort((a, b) => b.length - a.length)[0]!,
  };
};

for (const locale of ['en', 'so', 'ar'] as const) {
  const file = textFile(locale);
  const own = (key: TextKey): Forms => file.texts[key][locale]!;

  describe(`the texts in ${file.about.language}`, () => {
    it('exist for every key, each next to its English original', () => {
      expect(Object.keys(file.texts)).to.deep.equal(Object.keys(english.texts));
      for (const [key, { [locale]: translation, ...original }] of entriesOf(file)) {
        for (const form of Object.values(formsOf(translation ?? ''))) expect(form.trim(), key).to.not.equal('');
        if (locale !== 'en') expect(original, key).to.deep.equal(english.texts[key]);
      }
    });

    it('have the plural forms of the language if the text depends on a number', () => {
      const requested = [...new Intl.PluralRules(locale).resolvedOptions().pluralCategories].sort();
      for (const [key, { placeholders = {} }] of entriesOf(file)) {
        const forms = own(key);
        if ('count' in placeholders) expect(Object.keys(forms).sort(), key).to.deep.equal(requested);
        else expect(forms, key).to.be.a('string');
      }
    });

    it('use exactly their placeholders', () => {
      for (const [key, { placeholders = {} }] of entriesOf(file))
        for (const [name, form] of Object.entries(formsOf(own(key)))) {
          const used = namesIn(form);
          const expected = Object.keys(placeholders).filter(
            (each) => each !== 'count' || used.includes('count') || !SAYS_ITSELF.includes(name),
          );
          expect(used, `${key} ${name}`).to.deep.equal(expected.sort());
        }
    });

    it('are plain text: no markup of pages or chats', () => {
      for (const [key] of entriesOf(file))
        for (const form of Object.values(formsOf(own(key))))
          expect(form.replace(/\{\w+\}/g, ''), key).to.not.match(/[<>&*_~`{}\n]/);
    });

    it("fit into the channel's limits, with the longest names and the highest amounts", () => {
      const values = longest(locale);
      const limited = entriesOf(file).filter(([, { max }]) => max !== undefined);
      expect(limited.map(([, { max }]) => max)).to.include.members([20, 30, 300, 1024]);
      for (const [key, { max = 1024 }] of entriesOf(file))
        for (const count of [0, 1, 2, 3, 11, 100, 999_999]) {
          const message = text(locale, key as 'orders.moreLines', { ...values, count });
          expect(message, key).to.not.match(/[{}]|undefined/);
          expect([...message].length, `${key}: ${message}`).to.be.within(1, max);
        }
    });

    if (locale !== 'en')
      it('state that no native speaker has reviewed them, until one has', () => {
        const { review, reviewedBy, language } = file.about;
        const unreviewed = `No speaker of ${language} has reviewed these texts.`;
        expect(reviewedBy).to.be.a('string');
        expect(review).to.equal(reviewedBy === '' ? unreviewed : undefined);
      });
  });
}
