/** The contract of every engine of the FileStore port. An engine's test runs it in a few lines. */
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { type FileStore, FileTooLarge } from '../../application/ports/fileStore.js';
import { StorageFull } from '../../engine/ports/eventStore.js';
import { bytesOf } from '../support/doubles/bytesOf.js';
import { refusal } from '../support/spec/refusal.js';

export interface OpenedFileStore {
  readonly store: FileStore;
  /** Names of complete files, and of remains of incomplete ones. */
  stored(): Promise<readonly string[]>;
  /** Lets the medium run full after this many more stored bytes. `false` frees it again. */
  full(after: number | false): void;
  close(): Promise<void>;
}

const STORE = '5f0c2c7e-6f3b-4c49-9e0c-0d6a4f5f8f11';
const NAME = `${STORE}/receipt`;
const MB = 1024 * 1024;

/** Content in which the bytes differ from place to place. */
export function content(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at + 4 <= size; at += 4) bytes.writeUInt32LE((at * 2654435761) >>> 0, at);
  return bytes;
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Yields the bytes in chunks of `step`, then calls `after`. */
export async function* chunks(bytes: Buffer, step = 64 * 1024, after?: () => unknown): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step);
  await after?.();
}

export function fileStoreContract(name: string, open: () => Promise<OpenedFileStore>): void {
  describe(`file store: ${name}`, () => {
    let opened: OpenedFileStore;
    let store: FileStore;
    const limits = { mostBytes: 20 * MB };
    const put = (bytes: Buffer, as = NAME) => store.put(as, chunks(bytes), limits);
    const read = async (as = NAME, range?: { start: number; end: number }) => {
      const found = await store.read(as, range);
      return found && { size: found.size, bytes: await bytesOf(found.content) };
    };

    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(() => opened.close());

    for (const size of [0, 1, 70_000, 5 * MB, 12 * MB + 7])
      it(`returns ${size} bytes unchanged`, async () => {
        const bytes = content(size);
        expect(await put(bytes)).to.deep.equal({ size, sha256: sha256(bytes) });
        const found = (await read())!;
        expect(found.size).to.equal(size);
        expect(found.bytes.equals(bytes)).to.equal(true);
        expect(await opened.stored()).to.deep.equal([NAME]);
      });

    it('returns any range of a file', async () => {
      const bytes = content(200_000);
      await put(bytes);
      for (const [start, end] of [
        [0, 0],
        [0, 199_999],
        [199_999, 199_999],
        [65_535, 131_073],
      ] as const) {
        const found = (await read(NAME, { start, end }))!;
        expect(found.size).to.equal(200_000);
        expect(found.bytes.equals(bytes.subarray(start, end + 1)), `${start}-${end}`).to.equal(true);
      }
    });

    it('has nothing under an unused name', async () => {
      expect(await store.read(NAME)).to.equal(undefined);
      await store.remove(NAME);
      expect(await opened.stored()).to.deep.equal([]);
    });

    it('removes a file', async () => {
      await put(content(10));
      await store.remove(NAME);
      expect(await store.read(NAME)).to.equal(undefined);
      expect(await opened.stored()).to.deep.equal([]);
    });

    it('changes nothing under an existing name, and returns what is stored', async () => {
      const first = content(6 * MB);
      await put(first);
      const reported = await put(content(100));
      expect(reported).to.deep.equal({ size: 6 * MB, sha256: sha256(first) });
      expect((await read())!.bytes.equals(first)).to.equal(true);
    });

    it('stores one of two concurrent files under one name, and reports it to both', async () => {
      const [first, second] = [content(6 * MB), content(6 * MB + 1)];
      const reported = await Promise.all([put(first), put(second)]);
      const { bytes } = (await read())!;
      expect([sha256(first), sha256(second)]).to.include(sha256(bytes));
      expect(reported.map(({ sha256: of }) => of)).to.deep.equal([sha256(bytes), sha256(bytes)]);
    });

    for (const size of [1_000, 12 * MB]) {
      it(`stores nothing of ${size} bytes, one more than allowed`, async () => {
        const error = await refusal(store.put(NAME, chunks(content(size)), { mostBytes: size - 1 }));
        expect(error).to.be.instanceOf(FileTooLarge);
        expect(await opened.stored()).to.deep.equal([]);
        expect(await store.put(NAME, chunks(content(size)), { mostBytes: size })).to.include({ size });
      });

      it(`stores nothing of a source that fails after ${size} bytes`, async () => {
        const broken = chunks(content(size), 64 * 1024, () => {
          throw new Error('the line went dead');
        });
        expect((await refusal(store.put(NAME, broken, limits))).message).to.equal('the line went dead');
        expect(await opened.stored()).to.deep.equal([]);
      });

      it(`stores nothing if a source that hangs after ${size} bytes is aborted`, async () => {
        const ending = new AbortController();
        const hanging = chunks(content(size), 64 * 1024, () => {
          ending.abort(new Error('the service stops'));
          return new Promise(() => undefined);
        });
        const error = await refusal(store.put(NAME, hanging, { ...limits, signal: ending.signal }));
        expect(error.message).to.equal('the service stops');
        expect(await opened.stored()).to.deep.equal([]);
      });
    }

    for (const [size, after] of [
      [1_000, 0],
      [12 * MB, 0],
      [12 * MB, 6 * MB],
    ] as const)
      it(`stores nothing of ${size} bytes if space ends after ${after}, and keeps existing files`, async () => {
        const other = `${STORE}/before`;
        await put(content(1_000), other);
        opened.full(after);
        expect(await refusal(put(content(size)))).to.be.instanceOf(StorageFull);
        expect(await opened.stored()).to.deep.equal([other]);
        expect((await read(other))!.size).to.equal(1_000);
        opened.full(false);
        expect(await put(content(size))).to.include({ size });
        opened.full(0);
        await store.remove(other);
        expect(await opened.stored()).to.deep.equal([NAME]);
      });

    it('ends a source that it rejects', async () => {
      let ended = false;
      async function* endless(): AsyncGenerator<Buffer> {
        try {
          for (;;) yield content(64 * 1024);
        } finally {
          ended = true;
        }
      }
      await refusal(store.put(NAME, endless(), { mostBytes: 1 * MB }));
      expect(ended).to.equal(true);
    });

    for (const bad of [
      '',
      '.',
      '..',
      '../other',
      'a/../b',
      '/etc/passwd',
      'a//b',
      'a/',
      '.unfinished/x',
      'a\0b',
      'a b',
    ])
      it(`rejects the name ${JSON.stringify(bad)}`, async () => {
        expect(await refusal(put(content(1), bad))).to.be.instanceOf(RangeError);
        expect(await refusal(store.read(bad))).to.be.instanceOf(RangeError);
        expect(await opened.stored()).to.deep.equal([]);
      });

    it('reports that it works', async () => {
      expect(await store.check()).to.equal(undefined);
    });

    it('supports abandoning a read in the middle of a file', async () => {
      await put(content(6 * MB));
      const found = (await store.read(NAME))!;
      await new Promise((resolve) => found.content.once('data', resolve));
      found.content.destroy();
      expect((await read())!.size).to.equal(6 * MB);
    });
  });
}
