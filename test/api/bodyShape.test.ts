import { expect } from 'chai';
import fc from 'fast-check';
import type { Refusal } from '../../api/contract/problems.js';
import { cut, joined } from '../../api/http/input/bodyPieces.js';
import { checkBodyShape } from '../../api/http/input/bodyShape.js';

const read = (text: string, values = 10_000): string => {
  try {
    checkBodyShape(Buffer.from(text), values);
    return 'fine';
  } catch (error) {
    expect((error as Refusal).code).to.equal('validation_failed');
    return (error as Refusal).message;
  }
};
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const object = (members: number): string => `{${Array.from({ length: members }, (_, n) => `"${n}":[]`).join()}}`;

describe("the check of a body's shape", () => {
  it('rejects nesting deeper than 64 levels, with the path', () => {
    expect(read(nested(64))).to.equal('fine');
    expect(read(nested(65))).to.equal('The body is nested deeper than 64 levels, at byte 64.');
    expect(read('[{"a":'.repeat(40))).to.include('64 levels');
    expect(read(`[${nested(63)},${nested(63)}]`), 'levels that are left again').to.equal('fine');
  });

  it('rejects an object of more than 1,000 members, but no list for its length', () => {
    expect(read(object(1000))).to.equal('fine');
    expect(read(object(1001))).to.include('1000 properties');
    expect(read(`[${object(700)},${object(700)}]`)).to.equal('fine');
    expect(read(`{"a":[${'0,'.repeat(5000)}0],"b":0}`)).to.equal('fine');
  });

  it('rejects more values than the given limit', () => {
    expect(read(`[${'0,'.repeat(98)}0]`, 99)).to.equal('fine');
    expect(read(`[${'0,'.repeat(99)}0]`, 99)).to.include('99 values');
  });

  it('ignores brackets and commas in text', () => {
    for (const text of ['[[[,,,{{{', '\\"[[[', '\\\\', '\\\\\\"[,', 'é😀[['])
      expect(read(`["${text.repeat(2000)}",1]`, 5), text).to.equal('fine');
    expect(read(`["\\\\",${nested(64)}]`), 'an escaped backslash ends no text').to.include('64 levels');
  });

  it('counts like the parser for any value, and leaves invalid input to the parser', () => {
    const count = (value: unknown): number =>
      typeof value !== 'object' || value === null
        ? 0
        : Object.values(value).reduce(
            (sum: number, one) => sum + count(one),
            1 + Math.max(0, Object.keys(value).length - 1),
          );
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value, undefined, 1);
        expect(read(text, count(value))).to.equal('fine');
        if (count(value) > 0) expect(read(text, count(value) - 1)).to.include('values');
      }),
      { numRuns: 300, seed: 11 },
    );
    fc.assert(
      fc.property(fc.string(), (text) => void read(text)),
      { numRuns: 300, seed: 12 },
    );
  });
});

describe('a value split into pieces', () => {
  const again = async (value: unknown): Promise<unknown> => joined(cut(value));

  it('is the same when joined, with the same member order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        expect(JSON.stringify(await again(value))).to.equal(JSON.stringify(value));
      }),
      { numRuns: 200, seed: 13 },
    );
    const many = Array.from({ length: 5000 }, (_, n) => ({ n, text: 'é😀'.repeat(10) }));
    const value = { first: 1, many, none: [], last: { many }, other: [many, 'x'] };
    expect(JSON.stringify(await again(value))).to.equal(JSON.stringify(value));
  });

  it('yields while it is joined', async () => {
    const pieces = cut({ products: Array.from({ length: 20_000 }, (_, n) => ({ n, text: 'x'.repeat(300) })) });
    expect(pieces.parts.length).to.be.greaterThan(100);
    let turns = 0;
    let done = false;
    const count = (): void => {
      turns += 1;
      if (!done) setImmediate(count);
    };
    setImmediate(count);
    await joined(pieces, 0);
    done = true;
    expect(turns).to.be.greaterThan(pieces.parts.length / 2);
  });
});
