import { expect } from 'chai';
import { isCountry } from '../../domain/stores/countries.js';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const PAIRS = LETTERS.flatMap((one) => LETTERS.map((other) => one + other));

/** Named by Unicode but not assigned by ISO 3166-1: reserved exceptionally, or for private use. */
const RESERVED = ['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'XK', 'ZZ'];

describe('countries', () => {
  it('are the 249 of ISO 3166-1', () => {
    const countries = PAIRS.filter(isCountry);
    expect(countries).to.have.length(249);
    const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
    // Unicode maps a withdrawn code, such as AN or UK, to another one.
    const isCurrent = (code: string): boolean => new Intl.Locale(`und-${code}`).region === code;
    const named = PAIRS.filter((code) => names.of(code) !== undefined && isCurrent(code));
    expect(named.filter((code) => !RESERVED.includes(code))).to.deep.equal(countries);
  });

  it('exclude reserved, withdrawn and made-up codes', () => {
    for (const code of [...RESERVED, 'AA', 'UK', 'AN', 'SU', 'YU', 'so', 'S', 'SOM', ''])
      expect(isCountry(code), code).to.equal(false);
  });
});
