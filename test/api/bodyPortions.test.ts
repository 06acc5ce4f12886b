import { expect } from 'chai';
import fc from 'fast-check';
import { parsedInPortions } from '../../api/http/input/bodyPortions.js';

const LIMIT = 1_000_000;
const parsed = (text: string, portion?: number) => parsedInPortions(Buffer.from(text), LIMIT, portion);

describe('a body parsed in portions', () => {
  it('has the same value and member order as a whole, wherever it is split', async () => {
    const products = Array.from({ length: 500 }, (_, n) => ({ n, text: 'é😀,[{"'.repeat(20), more: [{ n }, []] }));
    for (const body of [{ products }, { first: 1, products, last: { text: ']}' } }]) {
      const text = JSON.stringify(body);
      expect(JSON.stringify(await parsed(text))).to.equal(text);
      for (const portion of [1, 7, 1000]) expect(JSON.stringify(await parsed(text, portion))).to.equal(text);
    }
  });

  it('does not handle non-batches, possibly unsafe members, and bodies too large to split', async () => {
    const left = [
      '[[1,2,3]]',
      '{"a":[1,2],"b":[3]}',
      '{"a":[1,2],"a":5}',
      '{"a":[1,2],"\\u0061":[]}',
      '{"a":["\\u0000",1]}',
      '{"a":[{"__proto__":1}]}',
      `{"a":["${'x'.repeat(200_000)}"]}`,
      `{"a":[${'0,'.repeat(70_000)}0]}`,
      `{"a":[${'['.repeat(70)}${']'.repeat(70)}]}`,
      '{"a":[]}',
      '"text"',
    ];
    for (const text of left) expect(await parsed(text, 2), text.slice(0, 40)).to.equal(undefined);
    expect(await parsedInPortions(Buffer.from('{"a":["\xff"]}', 'latin1'), LIMIT)).to.equal(undefined);
  });

  it('accepts no invalid JSON, and never changes a value', async () => {
    const noise = fc.constantFrom('[', ']', '{', '}', ',', '"', ' ', ':', '0', '\\', 'null', ',,', '],[', '"a":');
    const batch = fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 6 });
    let whole = 0;
    await fc.assert(
      fc.asyncProperty(
        batch,
        fc.array(fc.tuple(noise, fc.nat(), fc.boolean()), { maxLength: 2 }),
        async (a, changes) => {
          let text = JSON.stringify({ a });
          for (const [put, where, instead] of changes) {
            const at = where % text.length;
            text = text.slice(0, at) + put + text.slice(instead ? at + 1 : at);
          }
          const value = await parsed(text, 1);
          if (value === undefined) return;
          whole += 1;
          expect(JSON.stringify(value), text).to.equal(JSON.stringify(JSON.parse(text)));
        },
      ),
      { numRuns: 3000, seed: 21 },
    );
    expect(whole).to.be.greaterThan(300);
  });

  it('yields between portions', async () => {
    const text = JSON.stringify({ products: Array.from({ length: 2500 }, (_, n) => ({ n, text: 'x'.repeat(370) })) });
    let turns = 0;
    let done = false;
    const count = (): void => {
      turns += 1;
      if (!done) setImmediate(count);
    };
    setImmediate(count);
    // Simulates a machine on which each portion is slow.
    const { now } = performance;
    let ms = 0;
    performance.now = () => (ms += 3);
    await parsed(text).finally(() => {
      performance.now = now;
      done = true;
    });
    expect(turns).to.be.greaterThan(20);
  });
});
