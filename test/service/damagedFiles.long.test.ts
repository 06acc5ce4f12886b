/** Damaged and empty files in the data folder are reported with a fix. Files derived from the log are rebuilt. */
import { closeSync, cpSync, existsSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Readiness } from '../../api/server/health.js';
import { failureOf } from '../../cli/failures.js';
import { readDemo, startService, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { openDatabase } from '../../infrastructure/sqlite/database.js';
import { openInstance } from '../../service/composition/instance.js';
import { damagedIn } from '../../service/folder/damageCheck.js';
import { createLog } from '../../service/log.js';
import { readSettings } from '../../service/settings/settings.js';
import { verify } from '../../upkeep/verify/verify.js';
import { callStore } from '../support/stages/demoStore.js';

const PAGE = 4096;
const GARBAGE = 'this is no database, and no JSON either; '.repeat(200);

/** Overwrites the first pages of tables and indexes. The start reads only the schema, so it does not notice. */
function overwritePages(file: string, names: string): void {
  const db = openDatabase(file, { readonly: true });
  const pages = db
    .prepare<[number]>(`SELECT rootpage FROM sqlite_schema WHERE rootpage > 0 AND name LIKE '${names}'`)
    .all();
  db.close();
  const handle = openSync(file, 'r+');
  for (const [page] of pages) writeSync(handle, Buffer.alloc(PAGE, 'x'), 0, PAGE, (page - 1) * PAGE);
  closeSync(handle);
}

describe('a file of the data folder', () => {
  const folder = temporaryFolder('suuq-damaged-');
  const whole = join(folder.path, 'whole');
  const log = createLog('silent');
  before(async () => {
    const service = await startService(whole);
    const shirt = { name: 'Shirt', imageUrls: ['https://images.example.com/shirt.jpg'], priceCents: 1500 };
    await callStore(service.baseUrl, readDemo(whole), 'PUT', '/commerce/products/shirt', shirt);
    await service.stop();
  });
  after(() => folder.remove());

  /** Copies the folder and replaces the content of one file. */
  function damaged(file: string, content: string): string {
    const copy = join(folder.path, `${file}-${content.length}`);
    cpSync(whole, copy, { recursive: true });
    for (const ending of ['-wal', '-shm']) rmSync(join(copy, `${file}${ending}`), { force: true });
    writeFileSync(join(copy, file), content);
    return copy;
  }
  const open = (data: string) => openInstance(readSettings({ SUUQ_DATA: data }), log);
  async function codeOfStart(data: string): Promise<string> {
    try {
      await (await open(data)).close();
      return 'started';
    } catch (error) {
      return failureOf(error).code;
    }
  }

  const cases: [string, string, string][] = [
    ['work.db', GARBAGE, 'work_damaged'],
    ['vault.db', GARBAGE, 'vault_damaged'],
    ['lock.db', GARBAGE, 'lock_damaged'],
    ['sandbox-keys.json', GARBAGE, 'sandbox_keys_damaged'],
    ['sandbox-keys.json', '', 'sandbox_keys_damaged'],
    ['work.db', '', 'work_is_missing'],
    ['vault.db', '', 'vault_missing'],
    ['lock.db', '', 'started'],
    ['views.db', GARBAGE, 'started'],
    ['views.db', '', 'started'],
  ];
  for (const [file, content, code] of cases)
    it(`${file} that is ${content === '' ? 'empty' : 'damaged'}: ${code}`, async () => {
      const data = damaged(file, content);
      const scanned = damagedIn(data).map((one) => one.code);
      expect(await codeOfStart(data)).to.equal(code);
      // Faults that a check reports before the start repairs the file.
      const isNamed = code.endsWith('_damaged') || (file === 'views.db' && content !== '');
      expect(scanned).to.deep.equal(isNamed ? [code === 'started' ? 'views_damaged' : code] : []);
    });

  it('is reported by suuq verify, which continues if possible', async () => {
    const run = { report: () => {}, signal: new AbortController().signal };
    const checked = (file: string) =>
      verify(readSettings({ SUUQ_DATA: damaged(file, `${GARBAGE} `) }), log, run).then(({ faults, head }) => ({
        faults: faults.map(({ part, place }) => `${part}: ${place}`),
        isRead: head > 0,
      }));
    expect(await checked('demo.json')).to.deep.equal({ faults: ['files: demo.json'], isRead: true });
    expect(await checked('work.db')).to.deep.equal({ faults: ['files: work.db'], isRead: false });
  });

  it('is reported by /readyz and the log while the service runs, and read models are rebuilt by the next start', async () => {
    const data = join(folder.path, 'middle');
    cpSync(whole, data, { recursive: true });
    const products = (baseUrl: string) => callStore(baseUrl, readDemo(whole), 'GET', '/commerce/products');
    let service = await startService(data);
    try {
      overwritePages(join(data, 'views.db'), 'c_products_%');
      overwritePages(join(data, 'vault.db'), 'links%');
      writeFileSync(join(data, 'demo.json'), GARBAGE);
      expect((await products(service.baseUrl)).status).to.equal(503);
      const list = { name: 'Friends', kind: 'uploaded', phones: ['+252612345678'] };
      const made = await callStore(service.baseUrl, readDemo(whole), 'POST', '/commerce/number-lists', list);
      expect(made.status, JSON.stringify(made.body)).to.equal(503);
      const readyz = await fetch(`${service.baseUrl}/readyz`);
      const { checks } = (await readyz.json()) as Readiness;
      const { detail = '' } = checks.find(({ name }) => name === 'files')!;
      expect(readyz.status).to.equal(503);
      expect(detail).to.match(/views_damaged: .* the next start rebuilds it\./);
      expect(detail).to.match(/vault_damaged: .* Restore it from your newest backup\./);
      expect(detail).to.match(/demo_damaged: .* Restore it from a backup/);
      expect(service.output()).to.match(/"code":"views_damaged".*damaged file in the data folder/);
    } finally {
      await service.stop();
    }
    cpSync(join(whole, 'vault.db'), join(data, 'vault.db'));
    cpSync(join(whole, 'demo.json'), join(data, 'demo.json'));
    service = await startService(data);
    try {
      const list = await products(service.baseUrl);
      expect(list.body.products.map((one: { name: string }) => one.name)).to.deep.equal(['Shirt']);
      expect((await fetch(`${service.baseUrl}/readyz`)).status).to.equal(200);
    } finally {
      await service.stop();
    }
  });

  it('is reported by the start that fails at a page in the middle', async () => {
    const data = join(folder.path, 'vault');
    cpSync(whole, data, { recursive: true });
    overwritePages(join(data, 'vault.db'), 'persons');
    expect(await codeOfStart(data)).to.equal('vault_damaged');
  });

  it('demo.json is created in the end if the first start was killed', async () => {
    const data = join(folder.path, 'killed');
    cpSync(whole, data, { recursive: true });
    expect(existsSync(join(data, 'demo.unfinished'))).to.equal(false);
    rmSync(join(data, 'demo.json'));
    writeFileSync(join(data, 'demo.unfinished'), '');
    const service = await startService(data);
    try {
      const answer = await callStore(service.baseUrl, readDemo(data), 'GET', '/commerce/products');
      expect(answer.status).to.equal(200);
      expect(readDemo(data).store.workspaceId).to.equal(readDemo(whole).store.workspaceId);
    } finally {
      await service.stop();
    }
  });
});
