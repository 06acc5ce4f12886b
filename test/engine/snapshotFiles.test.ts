import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openSnapshotFiles } from '../../infrastructure/snapshots/snapshotFiles.js';

describe('snapshots in files', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'suuq-snapshots-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const at = { revision: 7, event: 'e7', version: 1 };

  it('are all cleared, also one that is being saved', async () => {
    const snapshots = await openSnapshotFiles(folder);
    let clearing: Promise<void> | undefined;
    await snapshots.save(
      'order-1',
      at,
      (function* () {
        yield { name: 'Ayan' };
        clearing = snapshots.clear!();
        yield { name: 'Hodan' };
      })(),
    );
    await clearing;
    expect(await snapshots.load('order-1')).to.equal(undefined);
    expect(readdirSync(join(folder, 'snapshots'))).to.deep.equal([]);
    expect(await (await openSnapshotFiles(folder)).load('order-1')).to.equal(undefined);
  });

  it('are cleared once before a marker, also after a restart', async () => {
    let snapshots = await openSnapshotFiles(folder);
    await snapshots.save('order-1', at, [{ name: 'Ayan' }]);
    await snapshots.clearBefore!(3);
    expect(await snapshots.load('order-1')).to.equal(undefined);
    await snapshots.save('order-1', at, [{ number: 12 }]);
    snapshots = await openSnapshotFiles(folder);
    await snapshots.clearBefore!(3);
    expect((await snapshots.load('order-1'))?.revision).to.equal(7);
    await snapshots.clearBefore!(4);
    expect(await snapshots.load('order-1')).to.equal(undefined);
  });
});
