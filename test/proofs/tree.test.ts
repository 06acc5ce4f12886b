/** The stored tree: its tiles follow from the log, whatever happens during a write. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { leafHash, toHex } from '../../engine/proofs/hashing.js';
import { entryOf, leafOf, timeOf } from '../../engine/proofs/leaf.js';
import { inclusionPath, rootOf } from '../../engine/proofs/merkleTree.js';
import { Tree } from '../../engine/proofs/tree.js';
import { provesInclusion } from '../../engine/proofs/verifying.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { plainRoot } from '../support/samples/plainTree.js';

/** Sizes around the borders of the lowest tiles. A second tile of level 1 begins only with leaf 65,537. */
const SIZES = [1, 255, 256, 257, 511, 512, 513, 1000];

describe('the stored tree', () => {
  const folder = mkdtempSync(join(tmpdir(), 'suuq-tree-'));
  let store: DocumentStore;
  let turn = 0;
  beforeEach(() => {
    turn += 1;
    store = openEmbeddedReadModels(join(folder, `${turn}.db`));
  });
  afterEach(() => store.close());
  after(() => rmSync(folder, { recursive: true }));

  /** Every seventh position is empty, as where the engine stores an entry of its own. */
  const leaves = Array.from({ length: 1000 }, (_, i) => ({
    hash: leafHash(Buffer.from(`leaf ${i}`)),
    position: i + Math.floor(i / 6),
  }));
  const mark = { stream: 's', revision: 0, id: 'i', position: 0 };
  const hashes = leaves.map(({ hash }) => hash);

  it('has the root and the paths of the reference tree at any size, after any reopening', async () => {
    let size = 0;
    for (const next of SIZES) {
      const tree = await Tree.open(store);
      expect(tree.state.size).to.equal(size);
      await tree.add(leaves.slice(size, next), leaves[next - 1]!.position, mark);
      size = next;
      const root = plainRoot(hashes.slice(0, size));
      expect(await rootOf(tree.subtree, size)).to.equal(root);
      for (const index of [0, Math.floor(size / 2), size - 1]) {
        expect(await tree.indexOf(leaves[index]!.position)).to.equal(index);
        const path = await inclusionPath(tree.subtree, index, size);
        expect(provesInclusion(hashes[index]!, { index, size, root }, path)).to.equal(true);
      }
      expect(await tree.indexOf(leaves[size - 1]!.position + 1)).to.equal(undefined);
      expect(await tree.indexOf(6)).to.equal(undefined);
    }
  });

  it('is consistent after a write interrupted between tiles and state, and continues', async () => {
    const tree = await Tree.open(store);
    await tree.add(leaves.slice(0, 300), leaves[299]!.position, mark);
    let left = 1;
    const failing: DocumentStore = {
      ...store,
      write: (...given) => (left-- > 0 ? store.write(...given) : Promise.reject(new Error('cut off'))),
    };
    const cut = await Tree.open(failing);
    const error = await cut.add(leaves.slice(300, 700), leaves[699]!.position, mark).catch((reason) => reason);
    expect(error.message).to.equal('cut off');
    const again = await Tree.open(store);
    expect(again.state.size).to.equal(300);
    expect(await rootOf(again.subtree, 300)).to.equal(plainRoot(hashes.slice(0, 300)));
    expect(await again.indexOf(leaves[300]!.position)).to.equal(undefined);
    await again.add(leaves.slice(300, 600), leaves[599]!.position, mark);
    expect(await rootOf(again.subtree, 600)).to.equal(plainRoot(hashes.slice(0, 600)));
  });

  it('reads what another instance has added', async () => {
    const [one, other] = [await Tree.open(store), await Tree.open(store)];
    await one.add(leaves.slice(0, 400), leaves[399]!.position, mark);
    // Both add the same leaves, because they read the same log.
    await other.add(leaves.slice(0, 500), leaves[499]!.position, mark);
    await one.add(leaves.slice(400, 450), leaves[449]!.position, mark);
    await one.refresh();
    expect(one.state.size).to.equal(500);
    await one.add(leaves.slice(500, 800), leaves[799]!.position, mark);
    expect(await rootOf(one.subtree, 800)).to.equal(plainRoot(hashes.slice(0, 800)));
  });
});

describe('a leaf', () => {
  const event = {
    position: 7,
    stream: 'order-№1',
    revision: 2 ** 33 + 1,
    type: 'OrderPlaced',
    id: '00112233445566778899aabbccddeeff',
    json: true,
    data: Buffer.from('{"a":1}'),
    meta: Buffer.from('{"at":"2026-03-01T08:00:00.001Z","actor":{"type":"system"}}'),
    recorded: 5,
  };

  it('is always the hash of these bytes', () => {
    const bytes = [
      '01',
      '0000000a6f726465722de2849631',
      '0000000200000001',
      '0000000b4f72646572506c61636564',
      '00112233445566778899aabbccddeeff',
      '00064bf1db6083e8',
      '01',
      '000000077b2261223a317d',
      `0000003b${event.meta.toString('hex')}`,
    ];
    expect(timeOf(event)).to.equal(Date.parse('2026-03-01T08:00:00.001Z') * 1000);
    expect(entryOf(event).toString('hex')).to.equal(bytes.join(''));
    expect(toHex(leafOf(event))).to.equal(toHex(leafHash(entryOf(event))));
  });

  it('has the time of its metadata, or else the time recorded by the engine', () => {
    const timed = (meta: string, recorded = 5): number => timeOf({ meta: Buffer.from(meta), recorded });
    expect(timed('')).to.equal(5);
    expect(timed('{"a":1}')).to.equal(5);
    expect(timed('{"at":7}')).to.equal(5);
    expect(timed('{"at":"soon"}')).to.equal(5);
    expect(timed('null')).to.equal(5);
    expect(timed('{"x":1,"at":"1970-01-01T00:00:01+00:00"}')).to.equal(1_000_000);
    expect(timed('{"at":"2026-03-01T08:00:00.001Z","at":"1970-01-01T00:00:00.002Z"}')).to.equal(2_000);
    expect(timed('{"at":"1969-12-31T23:59:59.999Z"}')).to.equal(-1_000);
    expect(entryOf({ ...event, meta: Buffer.from('{"at":"1969-12-31T23:59:59.999Z"}') }).toString('hex')).to.include(
      'fffffffffffffc18',
    );
  });

  it('parses a time of any form like the platform', () => {
    for (const at of [
      '2026-03-01T08:00:59.999Z',
      '2026-03-01T08:00:60.000Z',
      '2026-03-01T08:60:00.000Z',
      '2026-03-01T24:00:00.000Z',
      '2026-03-01T24:00:01.000Z',
      '2026-02-30T08:00:07.100Z',
      '2026-13-01T08:00:00.000Z',
      '2026-03-01 08:00:07.100Z',
      '1 Mar 2026 08:00:07.100Z',
      '2026-03-01T08:00: 7.100Z',
      '2026-03-01T08:00:07.1 0Z',
    ]) {
      const ms = Date.parse(at);
      const is = timeOf({ meta: Buffer.from(JSON.stringify({ at })), recorded: 5 });
      expect(is, at).to.equal(Number.isNaN(ms) ? 5 : ms * 1000);
    }
  });

  it('holds events of any size', () => {
    const large = { ...event, data: Buffer.alloc(3_000_000, 0x20) };
    expect(entryOf(large).length).to.equal(3_000_000 + entryOf({ ...event, data: Buffer.alloc(0) }).length);
    expect(leafOf(large)).to.not.equal(leafOf({ ...large, data: Buffer.alloc(3_000_001, 0x20) }));
  });
});
