import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { systemClock } from '../../engine/ports/clock.js';
import { copyForgotten, copyVault } from '../../engine/sealing/copyVault.js';
import { openedKey, sealedKey } from '../../engine/sealing/keyRing.js';
import { createSecretBox } from '../../infrastructure/secrets/secretBox.js';
import { openSnapshotFiles } from '../../infrastructure/snapshots/snapshotFiles.js';
import { openEmbeddedVault } from '../../infrastructure/sqlite/personVault.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { openDocumentVault } from '../../infrastructure/vault/documentVault.js';
import { storedEvents } from '../../service/composition/events.js';
import { personKeys } from '../../service/composition/privacy/personKeys.js';
import { sealingOf } from '../../service/composition/privacy/vaults.js';
import { memoryLog } from '../support/spec/memoryLog.js';
import { until } from '../support/tools/until.js';

const AT = '2025-03-01T10:00:00.000Z';
const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const key = (at: number): Uint8Array => Buffer.alloc(32, 100 + at);

describe('subject keys', () => {
  let folder: string;
  const file = (name: string): string => join(folder, name);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'suuq-keys-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('are re-encrypted under another master key, which alone opens them afterwards', async () => {
    const vault = openEmbeddedVault(file('vault.db'));
    const ids = Array.from({ length: 1_200 }, (_, at) => `person-${String(at).padStart(4, '0')}`);
    const old = createSecretBox(OLD);
    await vault.add(
      ids.map((id, at) => ({ id, key: sealedKey(old, id, key(at % 100)) })),
      [],
    );
    const box = createSecretBox(NEW, OLD);
    const place = { file: file('vault.db') };
    const work = openEmbeddedReadModels(file('work.db'));
    const sealing = sealingOf(vault, box, place, storedEvents);
    const rest = { work, snapshots: {}, commands: { forget() {} }, clock: systemClock, othersWithinMs: 0 };
    const keys = personKeys({ log: memoryLog(), vault, box, sealing, ...rest });
    expect(await keys.reseal()).to.deep.equal({ resealed: 1_200, unreadable: 0 });
    expect(await keys.reseal()).to.deep.equal({ resealed: 0, unreadable: 0 });
    const sealed = await vault.keys(ids);
    const alone = createSecretBox(NEW);
    for (const [at, id] of ids.entries()) expect(openedKey(alone, id, sealed.get(id)!)).to.deep.equal(key(at % 100));
    expect(keys.categories).to.include.members(['conversation', 'order', 'customer', 'promotion', 'paymentPrompts']);
    await work.close();
    await vault.close();
  });

  it('move to another vault with their lookups, and with erasures', async () => {
    const from = openEmbeddedVault(file('vault.db'));
    const work = openEmbeddedReadModels(file('work.db'));
    const to = await openDocumentVault(work);
    const ids = Array.from({ length: 700 }, (_, at) => `person-${at}`);
    await from.add(
      ids.map((id) => ({ id, key: `key of ${id}` })),
      ids.map((id) => ({ lookup: `phone of ${id}`, person: id })),
    );
    await from.forget(['person-3'], AT);
    await copyVault(from, to, AT);
    await copyVault(from, to, AT);
    expect((await to.keys(ids)).size).to.equal(699);
    expect(await to.links(['phone of person-5', 'phone of person-3'])).to.deep.equal([
      { lookup: 'phone of person-5', person: 'person-5' },
    ]);
    expect(await to.forgotten(ids)).to.deep.equal(new Set(['person-3']));
    // Between two runs of a move.
    await from.forget(['person-5'], AT);
    await copyVault(from, to, AT);
    expect((await to.keys(ids)).has('person-5')).to.equal(false);
    expect(await to.links(['phone of person-5'])).to.deep.equal([]);
    await from.close();
    await work.close();
  });

  it('from an older vault are erased again', async () => {
    const [newest, before] = [openEmbeddedVault(file('newest.db')), openEmbeddedVault(file('before.db'))];
    for (const vault of [newest, before])
      await vault.add(
        [
          { id: 'her', key: 'k' },
          { id: 'his', key: 'k' },
        ],
        [],
      );
    await newest.forget(['her'], AT);
    expect(await copyForgotten(newest, before, AT)).to.equal(1);
    expect([...(await before.keys(['her', 'his'])).keys()]).to.deep.equal(['his']);
    await newest.close();
    await before.close();
  });

  it('leave nothing in another instance that caches an erased subject: states, snapshots, names', async () => {
    const vault = openEmbeddedVault(file('vault.db'));
    const work = openEmbeddedReadModels(file('work.db'));
    const box = createSecretBox(NEW);
    const sealing = sealingOf(vault, box, { url: 'elsewhere' }, storedEvents);
    const snapshots = await openSnapshotFiles(folder);
    await snapshots.save('conversation-1', { revision: 7, event: 'e7', version: 1 }, [{ name: 'Ayan' }]);
    const emptied: string[] = [];
    const commands = { forget: () => void emptied.push('states') };
    const rest = { log: memoryLog(), clock: systemClock, othersWithinMs: 0 };
    const keys = personKeys({ vault, box, sealing, work, snapshots, commands, ...rest });
    keys.onForgotten(() => void emptied.push('contacts'));
    const her = await sealing.people.of('shop', { phone: '+252615550001' });
    // By another instance, which has the same vault.
    await vault.forget([her], AT);
    await until('it is received', async () => {
      await keys.hear();
      return emptied.length > 0;
    });
    expect(emptied).to.deep.equal(['states', 'contacts']);
    await until('snapshots are removed', async () => (await snapshots.load('conversation-1')) === undefined);
    expect(await sealing.people.of('shop', { phone: '+252615550001' })).not.to.equal(her);
    await work.close();
    await vault.close();
  });

  it('are created again if a lookup leads to an erased subject', async () => {
    const vault = openEmbeddedVault(file('vault.db'));
    const box = createSecretBox(NEW);
    const first = sealingOf(vault, box, { file: file('vault.db') }, storedEvents);
    const phone = '+252615550001';
    const her = await first.people.of('shop', { phone });
    const links = await vault.linksOf([her]);
    await vault.forget([her], AT);
    // One that was made while she was forgotten.
    await vault.add([], links);
    const { people } = sealingOf(vault, box, { file: file('vault.db') }, storedEvents);
    const fresh = await people.of('shop', { phone });
    expect(fresh).not.to.equal(her);
    expect((await people.ofEach('shop', [phone])).get(phone)).to.equal(fresh);
    expect((await vault.keys([fresh])).size).to.equal(1);
    await vault.close();
  });
});
