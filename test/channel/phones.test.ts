import { createRequire } from 'node:module';
import { expect } from 'chai';
import fc from 'fast-check';
import { type PhoneReader, phoneReader } from '../../application/phones.js';

/** A mobile number of each country, without its country code. */
const EXAMPLES: Readonly<Record<string, string>> = createRequire(import.meta.url)(
  'libphonenumber-js/examples.mobile.json',
);
const COUNTRIES = Object.keys(EXAMPLES);
/** Plans so wide that most numbers of other countries fit into them, and some that are narrow. */
const STORES = ['DE', 'AE', 'IT', 'SE', 'AT', 'FI', 'ID', 'SO', 'KE', 'US', 'MX', 'AQ', 'ZZ', ''];

describe('phone numbers', () => {
  let reader: PhoneReader;
  let codeOf: (country: string) => string;
  before(async () => {
    reader = await phoneReader();
    const { getCountryCallingCode } = await import('libphonenumber-js/min');
    codeOf = (country) => getCountryCallingCode(country as never);
  });

  describe('with their country code', () => {
    it('are stored unchanged, for any country, with or without + or 00', () => {
      fc.assert(
        fc.property(
          fc.constantFrom(...COUNTRIES),
          fc.constantFrom('', '+', '00', '\u202a+', ' + ', '(', '＋'),
          fc.constantFrom('', ' ', '-', '.', ' (', '/'),
          (country, before, between) => {
            const [code, number] = [codeOf(country), EXAMPLES[country]!];
            expect(reader.international(before + code + between + number)).to.equal(`+${code}${number}`);
          },
        ),
        { numRuns: 2_000 },
      );
    });

    for (const [text, phone] of [
      ['252615000001', '+252615000001'],
      ['00252615000001', '+252615000001'],
      ['٠٠٢٥٢٦١٥٠٠٠٠٠١', '+252615000001'],
      ['+49 (0)151 12345678', '+4915112345678'],
      ['+39 06 1234 5678', '+390612345678'],
      ['5215512345678', '+5215512345678'],
      ['+525512345678', '+525512345678'],
      ['551187654321', '+551187654321'],
    ] as const)
      it(`are read from ${text}`, () => expect(reader.international(text)).to.equal(phone));

    for (const [text, why] of [
      ['0615000001', 'a national number'],
      ['+0615000001', 'no country code'],
      ['000252615000001', 'no country code'],
      ['999615000001', 'an impossible country code'],
      ['+25261', 'an impossible length'],
      ['+2526150000012345', 'an impossible length'],
      ['+252615000001 ext. 5', 'an extension'],
      ['+252615000001, +252615000002', 'two numbers'],
      ['+252 CALL 5000001', 'letters'],
      ['', 'nothing'],
      ['+', 'no digit'],
      [`+252615000001${' '.repeat(60)}`, 'too long'],
    ] as const)
      it(`are not read from ${text.trim() || 'an empty text'}: ${why}`, () =>
        expect(reader.international(text)).to.equal(undefined));
  });

  describe('entered in a form', () => {
    it('with + or 00 are used as they are in every store', () => {
      fc.assert(
        fc.property(
          fc.constantFrom(...COUNTRIES),
          fc.constantFrom(...STORES),
          fc.constantFrom('+', '00'),
          (of, store, before) => {
            const number = codeOf(of) + EXAMPLES[of]!;
            expect(reader.typedIn(store, '')(before + number)).to.equal(`+${number}`);
          },
        ),
        { numRuns: 2_000 },
      );
    });

    it('equal to the customer’s own digits are the customer’s own, in every store', () => {
      fc.assert(
        fc.property(
          fc.constantFrom(...COUNTRIES),
          fc.constantFrom(...STORES),
          fc.constantFrom(...(['international', 'national'] as const)),
          (of, store, way) => {
            const number = EXAMPLES[of]!;
            const own = `+${codeOf(of)}${number}`;
            expect(reader.typedIn(store, own)(way === 'national' ? number : own.slice(1))).to.equal(own);
          },
        ),
        { numRuns: 2_000 },
      );
    });

    for (const [country, text, phone] of [
      ['SO', '0615000001', '+252615000001'],
      ['SO', '61 500 0001', '+252615000001'],
      ['SO', '252615000001', '+252615000001'],
      ['SO', '254712345678', '+254712345678'],
      ['SO', '٠٦١٥٠٠٠٠٠١', '+252615000001'],
      ['so', '0615000001', '+252615000001'],
      ['DE', '0151 12345678', '+4915112345678'],
      // Both are possible; a number without + is taken for one of the country.
      ['DE', '252615000001', '+49252615000001'],
      // Only abroad does it fit a plan.
      ['AE', '252615000001', '+252615000001'],
      ['IT', '252615000001', '+252615000001'],
      ['US', '(202) 555-0123', '+12025550123'],
      ['US', '011 252 61 5000001', '+252615000001'],
      // Antarctica has no plan of its own.
      ['AQ', '252615000001', '+252615000001'],
      ['AQ', '0615000001', undefined],
      ['SO', '12', undefined],
      ['SO', 'the shop next door', undefined],
    ] as const)
      it(`${text} in ${country} are ${phone ?? 'no number'}`, () =>
        expect(reader.typedIn(country, '')(text)).to.equal(phone));
  });
});
