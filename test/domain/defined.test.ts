import { expect } from 'chai';
import fc from 'fast-check';
import { type Defined, defined } from '../../domain/defined.js';

describe('defined', () => {
  it('omits undefined members, and only those', () => {
    const members = { a: undefined, b: null, c: 0, d: '', e: false, f: Number.NaN, g: [undefined] };
    expect(Object.keys(defined(members))).to.deep.equal(['b', 'c', 'd', 'e', 'f', 'g']);
    expect(Object.keys(members), 'what it was given stays as it was').to.have.length(7);
  });

  it('returns an object without undefined members unchanged, and types possibly undefined members as optional', () => {
    const whole = { a: 1 };
    expect(defined(whole)).to.equal(whole);
    const typed: Defined<{ a: string; b: number | undefined; c?: boolean }> = defined({ a: 'a', b: undefined });
    const exact: { a: string; b?: number; c?: boolean } = typed;
    expect(exact).to.deep.equal({ a: 'a' });
  });

  it('returns the same as filtering the entries, in the same order', () => {
    const value = fc.oneof(fc.constant(undefined), fc.constant(null), fc.integer(), fc.string(), fc.boolean());
    const name = fc.string().filter((text) => text !== '__proto__');
    fc.assert(
      fc.property(fc.dictionary(name, value, { noNullPrototype: true }), (members) => {
        const entries = Object.entries(members).filter(([, one]) => one !== undefined);
        expect(Object.entries(defined(members))).to.deep.equal(entries);
      }),
    );
  });
});
