/** The tree of RFC 9162: the test vectors that its implementations share, and all proofs of trees of any size. */
import { expect } from 'chai';
import fc from 'fast-check';
import { EMPTY_ROOT, fromHex, type Hash, leafHash, toHex } from '../../engine/proofs/hashing.js';
import { consistencyPath, inclusionPath, RunningRoot, rootOf, type Subtree } from '../../engine/proofs/merkleTree.js';
import { provesConsistency, provesInclusion } from '../../engine/proofs/verifying.js';
import { plainRoot, treeOver } from '../support/samples/plainTree.js';

/** Leaves of the shared vectors of certificate transparency's implementations, in hexadecimal digits. */
const ENTRIES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const leaves = ENTRIES.map((hex) => leafHash(Buffer.from(hex, 'hex')));

/** Roots over the first 1, 2 … 8 entries. */
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

/** Path of a leaf, counted from 0, in a tree of the given size. */
const PATHS: readonly (readonly [leaf: number, size: number, path: readonly string[]])[] = [
  [
    0,
    8,
    [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  ],
  [
    5,
    8,
    [
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
  [2, 3, ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125']],
  [
    1,
    5,
    [
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ],
  ],
];

/** Proofs that the first tree is the beginning of the second. */
const CONSISTENCIES: readonly (readonly [from: number, size: number, path: readonly string[]])[] = [
  [1, 1, []],
  [
    1,
    8,
    [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  ],
  [
    6,
    8,
    [
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
  [
    2,
    5,
    [
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ],
  ],
];

const changed = (hash: Hash): Hash => String.fromCharCode(hash.charCodeAt(0) ^ 1) + hash.slice(1);

describe('the Merkle tree', () => {
  it('has the roots of the shared vectors', async () => {
    expect(toHex(EMPTY_ROOT)).to.equal('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    const running = new RunningRoot();
    for (const [i, expected] of ROOTS.entries()) {
      running.add(leaves[i]!);
      expect(toHex(running.root())).to.equal(expected);
      expect(toHex(await rootOf(treeOver(leaves), i + 1))).to.equal(expected);
    }
  });

  it('has the proofs of the shared vectors', async () => {
    for (const [leaf, size, path] of PATHS) {
      expect((await inclusionPath(treeOver(leaves), leaf, size)).map(toHex)).to.deep.equal(path);
      const place = { index: leaf, size, root: fromHex(ROOTS[size - 1]!) };
      expect(provesInclusion(leaves[leaf]!, place, path.map(fromHex))).to.equal(true);
    }
    for (const [from, size, path] of CONSISTENCIES) {
      expect((await consistencyPath(treeOver(leaves), from, size)).map(toHex)).to.deep.equal(path);
      const [was, is] = [from, size].map((one) => ({ size: one, root: fromHex(ROOTS[one - 1]!) }));
      expect(provesConsistency(was!, is!, path.map(fromHex))).to.equal(true);
    }
  });

  /** Checks all proofs of one tree. Each is accepted, and refused if a hash is changed, missing or added. */
  async function holds(subtree: Subtree, of: readonly Hash[]): Promise<void> {
    const size = of.length;
    const root = plainRoot(of);
    expect(await rootOf(subtree, size)).to.equal(root);
    for (const [index, leaf] of of.entries()) {
      const path = await inclusionPath(subtree, index, size);
      const proves = (more: Partial<{ leaf: Hash; index: number; path: readonly Hash[] }>): boolean =>
        provesInclusion(more.leaf ?? leaf, { index: more.index ?? index, size, root }, more.path ?? path);
      expect(proves({}), `leaf ${index} of ${size}`).to.equal(true);
      expect(proves({ leaf: changed(leaf) })).to.equal(false);
      expect(proves({ index: index + 1 })).to.equal(false);
      expect(proves({ index: size })).to.equal(false);
      expect(proves({ path: [...path, root] })).to.equal(false);
      if (path.length === 0) continue;
      expect(proves({ path: path.slice(0, -1) })).to.equal(false);
      expect(proves({ path: path.map((one, i) => (i === index % path.length ? changed(one) : one)) })).to.equal(false);
    }
    for (let from = 1; from <= size; from += 1) {
      const path = await consistencyPath(subtree, from, size);
      const earlier = { size: from, root: plainRoot(of.slice(0, from)) };
      expect(provesConsistency(earlier, { size, root }, path), `${from} of ${size}`).to.equal(true);
      expect(provesConsistency({ ...earlier, root: changed(earlier.root) }, { size, root }, path)).to.equal(false);
      expect(provesConsistency(earlier, { size, root: changed(root) }, path)).to.equal(false);
      expect(provesConsistency(earlier, { size, root }, [...path, root])).to.equal(false);
      if (path.length === 0) continue;
      const wrong = path.map((one, i) => (i === from % path.length ? changed(one) : one));
      expect(provesConsistency(earlier, { size, root }, wrong)).to.equal(false);
    }
  }

  it('proves every leaf, and every earlier tree, of any size', async () => {
    const sizes = fc.integer({ min: 1, max: 70 });
    const property = fc.asyncProperty(sizes, fc.integer(), async (size, salt) => {
      const of = Array.from({ length: size }, (_, i) => leafHash(Buffer.from(`${salt} ${i}`)));
      await holds(treeOver(of), of);
    });
    await fc.assert(property, { numRuns: 25, seed: 9162 });
  });
});
