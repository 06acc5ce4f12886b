import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import { openEmbeddedVault } from '../../infrastructure/sqlite/personVault.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { openDocumentVault, readDocumentVault } from '../../infrastructure/vault/documentVault.js';
import { personVaultContract } from '../contracts/personVault.js';

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'suuq-vault-'));

personVaultContract('SQLite', async () => {
  const folder = newFolder();
  const path = join(folder, 'vault.db');
  const vault = openEmbeddedVault(path);
  return {
    vault,
    reader: async () => openEmbeddedVault(path, { readonly: true }),
    async close() {
      await vault.close();
      rmSync(folder, { recursive: true });
    },
  };
});

personVaultContract('documents', async () => {
  const folder = newFolder();
  const store = openEmbeddedReadModels(join(folder, 'work.db'));
  return {
    vault: await openDocumentVault(store),
    reader: () => openDocumentVault(store),
    async close() {
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
});

describe('a vault stored as documents', () => {
  it('reads many subjects at once', async () => {
    const folder = newFolder();
    const store = openEmbeddedReadModels(join(folder, 'work.db'));
    let calls = 0;
    const counting = new Proxy(store, {
      get: (of, name) => {
        const member = Reflect.get(of, name) as unknown;
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => {
          calls += 1;
          return Reflect.apply(member, of, args) as unknown;
        };
      },
    });
    const vault = await openDocumentVault(counting);
    const callsOf = async (work: () => Promise<unknown>): Promise<number> => {
      calls = 0;
      await work();
      return calls;
    };
    const ids = Array.from({ length: 160 }, (_, at) => `person-${String(at).padStart(3, '0')}`);
    const people = ids.map((id) => ({ id, key: `key of ${id}` }));
    const links = ids.flatMap((id) => [`phone-${id}`, `user-${id}`].map((lookup) => ({ lookup, person: id })));
    expect(await callsOf(() => vault.add(people, links))).to.equal(2);
    expect(await callsOf(() => vault.links(links.map(({ lookup }) => lookup)))).to.equal(20);
    expect(await vault.links(links.map(({ lookup }) => lookup))).to.deep.equal(links);
    expect(await vault.linksOf(ids)).to.deep.equal(links);
    // Each has a number of its own, one after the other.
    expect(await callsOf(() => vault.forget(ids, '2025-03-01T10:00:00.000Z'))).to.equal(2 + ids.length + 20);
    expect((await vault.forgottenAfter(0)).persons).to.deep.equal(ids);
    expect([(await vault.keys(ids)).size, await vault.linksOf(ids)]).to.deep.equal([0, []]);
    await store.close();
    rmSync(folder, { recursive: true });
  });
});

describe('an interrupted erasure in a vault of documents', () => {
  it('returns no key of a person who is noted as forgotten', async () => {
    const folder = newFolder();
    const store = openEmbeddedReadModels(join(folder, 'work.db'));
    const failing = new Proxy(store, {
      get: (of, name) =>
        name === 'removeWhere'
          ? () => Promise.reject(new StoreUnavailable('no answer in time'))
          : (Reflect.get(of, name) as unknown),
    });
    const vault = await openDocumentVault(failing);
    await vault.add(
      ['one', 'other'].map((id) => ({ id, key: `key of ${id}` })),
      [],
    );
    const failed = await vault.forget(['one'], '2025-03-01T10:00:00.000Z').catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(StoreUnavailable);
    expect([...(await vault.keys(['one', 'other'])).keys()]).to.deep.equal(['other']);
    await store.close();
    rmSync(folder, { recursive: true });
  });
});

describe('a reader of a document vault', () => {
  it('creates none, and reads it once it exists', async () => {
    const folder = newFolder();
    const store = openEmbeddedReadModels(join(folder, 'work.db'));
    const reading = readDocumentVault(store);
    expect([(await reading.keys(['somebody'])).size, await store.list()]).to.deep.equal([0, []]);
    const vault = await openDocumentVault(store);
    await vault.add([{ id: 'somebody', key: 'a key' }], []);
    expect((await reading.keys(['somebody'])).get('somebody')).to.equal('a key');
    await store.close();
    rmSync(folder, { recursive: true });
  });
});

describe('subject vault in SQLite', () => {
  it('leaves no byte of an erased key in its files', async () => {
    const folder = newFolder();
    const vault = openEmbeddedVault(join(folder, 'vault.db'));
    const inFiles = (text: string): boolean =>
      ['vault.db', 'vault.db-wal'].some((file) => readFileSync(join(folder, file)).includes(text));
    await vault.add([{ id: 'somebody', key: 'the-key-to-be-gone' }], [{ lookup: 'found-by-this', person: 'somebody' }]);
    expect(inFiles('the-key-to-be-gone') && inFiles('found-by-this')).to.equal(true);
    await vault.forget(['somebody'], '2025-03-01T10:00:00.000Z');
    expect(inFiles('the-key-to-be-gone') || inFiles('found-by-this')).to.equal(false);
    await vault.close();
    rmSync(folder, { recursive: true });
  });

  it('answers many concurrent requests', async () => {
    const folder = newFolder();
    const vault = openEmbeddedVault(join(folder, 'vault.db'));
    const ids = Array.from({ length: 500 }, (_, at) => `person-${at}`);
    await Promise.all(ids.map((id) => vault.add([{ id, key: `key of ${id}` }], [{ lookup: `l-${id}`, person: id }])));
    expect((await vault.keys(ids)).size).to.equal(500);
    await vault.close();
    const again = openEmbeddedVault(join(folder, 'vault.db'));
    expect(await again.links(ids.map((id) => `l-${id}`))).to.have.length(500);
    await again.close();
    rmSync(folder, { recursive: true });
  });
});
