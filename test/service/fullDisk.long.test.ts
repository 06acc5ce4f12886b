/**
 * A full disk under the data folder: acknowledged data survives, commands report it, and service resumes when there is
 * room.
 */
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect } from 'chai';
import { StorageFull } from '../../engine/ports/eventStore.js';
import { readDemo, type ServiceProcess, startService, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { startCheckpointer } from '../../infrastructure/sqlite/checkpointer.js';
import { openDatabase } from '../../infrastructure/sqlite/database.js';
import { openEmbeddedVault } from '../../infrastructure/sqlite/personVault.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { formWith, PIXEL } from '../support/conformance/areas/files.js';
import { until } from '../support/doubles/fakeClock.js';
import { NO_SMALL_DISK, type SmallDisk, smallDisk } from '../support/doubles/smallDisk.js';
import { commandLine } from '../support/stages/commandLine.js';
import { foundInstallation } from '../support/stages/installation.js';

const MB = 1024 * 1024;

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: { readonly code?: string; readonly detail?: string };
}

/** Counts the texts in the file itself, without its write-ahead log. */
function movedTexts(file: string): number {
  const copy = temporaryFolder('suuq-moved-');
  const alone = join(copy.path, 'alone.db');
  copyFileSync(file, alone);
  const db = openDatabase(alone);
  try {
    return db.prepare<[number]>('SELECT count(*) FROM texts').get()![0];
  } catch {
    // The table itself is still in the write-ahead log.
    return 0;
  } finally {
    db.close();
    copy.remove();
  }
}

describe('a full disk', function () {
  this.timeout(120_000);
  let disk: SmallDisk;
  before(function () {
    const made = smallDisk(96);
    if (made === undefined) {
      process.stderr.write(`${NO_SMALL_DISK}\n`);
      this.skip();
    }
    disk = made;
  });
  after(() => disk?.close());

  it('is reported by commands that write to it', async () => {
    const data = temporaryFolder('suuq-source-');
    await foundInstallation(data.path);
    const { suuq } = commandLine(data.path);
    const made = suuq('backup', join(data.path, '..', `${basename(data.path)}-backup`), '--json');
    const { place } = JSON.parse(made.stdout) as { place: string };
    disk.fill(16 * 1024);
    const full = [
      suuq('backup', join(disk.path, 'backup')),
      suuq('move', '--to-folder', join(disk.path, 'moved')),
      commandLine(join(disk.path, 'restored')).suuq('restore', place),
    ];
    disk.makeRoom();
    for (const { status, stderr } of full) {
      expect(status).to.equal(1);
      expect(stderr).to.match(new RegExp(`^storage_full: The disk of ${disk.path}/\\w+ is full`, 'm'));
    }
    for (const name of ['backup', 'moved', 'restored']) rmSync(join(disk.path, name), { recursive: true, force: true });
    rmSync(dirname(place), { recursive: true });
    data.remove();
  });

  describe('for a service', () => {
    let service: ServiceProcess;
    const folder = (): string => join(disk.path, 'data');
    before(async () => {
      mkdirSync(folder(), { mode: 0o700 });
      service = await startService(folder());
    });
    after(() => service?.stop());

    async function requested(path: string, init: RequestInit = {}): Promise<Answer> {
      const { store } = readDemo(folder());
      const url = `${service.baseUrl}/api/v1/workspaces/${store.workspaceId}${path}`;
      const headers = { authorization: `Bearer ${store.secretKey}`, ...(init.headers as Record<string, string>) };
      const answer = await fetch(url, { ...init, headers });
      return {
        status: answer.status,
        retryAfter: answer.headers.get('retry-after'),
        body: (await answer.json()) as Answer['body'],
      };
    }
    const product = (externalId: string): Promise<Answer> =>
      requested(`/commerce/products/${externalId}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          name: `Product ${externalId}`,
          description: externalId.repeat(2000).slice(0, 4000),
          imageUrls: ['https://cdn.example.com/1.jpg'],
          priceCents: 12_00,
        }),
      });
    async function products(): Promise<Set<string>> {
      const found = new Set<string>();
      let cursor = '';
      do {
        const { body } = await requested(`/commerce/products?limit=200${cursor}`);
        const { products, next } = body as { products: { externalId: string }[]; next?: string };
        for (const { externalId } of products) found.add(externalId);
        cursor = next === undefined ? '' : `&cursor=${encodeURIComponent(next)}`;
      } while (cursor !== '');
      return found;
    }
    const isMended = async (): Promise<boolean> => {
      const metrics = await (await fetch(`${service.baseUrl}/metrics`)).text();
      const of = (name: string): number[] =>
        [...metrics.matchAll(new RegExp(`^${name}\\{[^}]*\\} (\\d+)$`, 'gm'))].map(([, value]) => Number(value));
      const late = [...of('suuq_projection_lag_events'), ...of('suuq_processor_lag_events')];
      const wrong = [...of('suuq_projection_stopped'), ...of('suuq_processor_failed')];
      return late.length > 0 && [...late, ...wrong].every((value) => value === 0);
    };

    it('is reported to clients that request a change, and reads continue where nothing is missing', async () => {
      const taken = new Set<string>();
      const fits = async (externalId: string): Promise<boolean> => {
        const { status } = await product(externalId);
        if (status === 201) taken.add(externalId);
        return status === 201;
      };
      expect(await fits('before')).to.equal(true);
      disk.fill();
      // Writes that still fit in the write-ahead log succeed.
      await until('the disk is full', async () => !(await fits(`still-${taken.size}`)));
      // A checkpoint of the write-ahead log may free space at any moment.
      let refused = await product('too-much');
      for (let tries = 0; refused.status === 201 && tries < 50; tries += 1) {
        taken.add('too-much');
        disk.fill();
        refused = await product(`too-much-${tries}`);
        if (refused.status === 201) taken.add(`too-much-${tries}`);
      }
      const { status, retryAfter, body } = refused;
      expect([status, body.code, Number(retryAfter)]).to.deep.equal([503, 'storage_full', 30]);
      expect(body.detail).to.match(/disk of the service is full/);
      // Acknowledged products that the view has no room for must not be omitted silently.
      const list = await requested('/commerce/products?limit=200');
      if (list.status === 200) expect(await products()).to.deep.equal(taken);
      else expect([list.status, list.body.code]).to.deep.equal([503, 'unavailable']);
      expect((await requested('/commerce/orders')).status).to.equal(200);
      // A checkpoint of the write-ahead log may free space at any moment.
      let uploaded: Answer | undefined;
      await until('no more files fit', async () => {
        disk.fill();
        uploaded = await requested('/files', { method: 'POST', body: formWith(PIXEL) });
        return uploaded.status !== 201;
      });
      expect([uploaded?.status, uploaded?.body.code]).to.deep.equal([503, 'storage_full']);
      disk.makeRoom();
      expect(await fits('after')).to.equal(true);
      expect((await requested('/files', { method: 'POST', body: formWith(PIXEL) })).status).to.equal(201);
      await until('the views have space', async () => (await requested('/commerce/products')).status === 200, 20_000);
      expect(await products()).to.deep.equal(taken);
    });

    it('is partly reserved: below the limit, commands continue, and files are rejected and readable', async () => {
      const upload = (): Promise<Answer> => requested('/files', { method: 'POST', body: formWith(PIXEL) });
      const { status, body } = await upload();
      expect(status).to.equal(201);
      // The free space limit is 5 %, which is 4.8 MB of 96 MB.
      disk.fill(4 * MB);
      const refused = await upload();
      expect([refused.status, refused.body.code, refused.retryAfter]).to.deep.equal([503, 'storage_full', '30']);
      expect((await product('below-the-floor')).status).to.equal(201);
      const { store } = readDemo(folder());
      const url = `${service.baseUrl}/api/v1/workspaces/${store.workspaceId}/files/${(body as { id: string }).id}`;
      const read = await fetch(url, { headers: { authorization: `Bearer ${store.secretKey}` } });
      expect(Buffer.from(await read.arrayBuffer()).equals(PIXEL)).to.equal(true);
      const metrics = await (await fetch(`${service.baseUrl}/metrics`)).text();
      for (const place of ['data', 'files'])
        expect(
          Number(new RegExp(`^suuq_free_bytes\\{place="${place}"\\} (\\d+)$`, 'm').exec(metrics)?.[1]),
        ).to.be.below(4.1 * MB);
      disk.makeRoom();
      expect((await upload()).status).to.equal(201);
    });

    it('appears and disappears under load: everything acknowledged exists, views and processors continue, also after kill -9', async () => {
      const acknowledged = new Set<string>();
      const refused = new Map<string, number>();
      let going = true;
      const clients = [1, 2, 3, 4, 5, 6, 7, 8].map(async (client) => {
        for (let turn = 0; going; turn += 1) {
          const externalId = `p-${client}-${turn}`;
          const { status, body } = await product(externalId);
          if (status === 201) acknowledged.add(externalId);
          else refused.set(`${status} ${body.code}`, (refused.get(`${status} ${body.code}`) ?? 0) + 1);
        }
      });
      for (const room of [0, 64 * 1024, 256 * 1024, 0, 1 * MB, 16 * 1024]) {
        const before = { fine: acknowledged.size, full: refused.get('503 storage_full') ?? 0 };
        disk.fill(room);
        await until('some are rejected', () => (refused.get('503 storage_full') ?? 0) >= before.full + 20, 20_000);
        disk.makeRoom();
        await until('some are accepted again', () => acknowledged.size >= before.fine + 20, 20_000);
      }
      going = false;
      await Promise.all(clients);
      // `unavailable`: the command was stored, but its view is late or its idempotent answer could not be stored.
      for (const what of refused.keys()) expect(what).to.be.oneOf(['503 storage_full', '503 unavailable']);
      await until('views and processors have caught up', isMended, 70_000);
      const shown = await products();
      expect([...acknowledged].filter((one) => !shown.has(one))).to.deep.equal([]);
      await service.kill();
      service = await startService(folder());
      const after = await products();
      expect([...acknowledged].filter((one) => !after.has(one))).to.deep.equal([]);
    });

    it('prevents the start of the service, without damage', async () => {
      const before = await products();
      await service.stop();
      disk.fill();
      const failed = await startService(folder()).then(
        (started) => {
          service = started;
          return undefined;
        },
        (error: Error) => error.message,
      );
      disk.makeRoom();
      if (failed !== undefined) {
        expect(failed).to.match(/^storage_full: .*Free some space and start again/m);
        service = await startService(folder());
      }
      expect(await products()).to.deep.equal(before);
      expect((await product('at-last')).status).to.equal(201);
    });
  });

  it('is not treated as a defect of a read model: every write succeeds when there is space', async () => {
    const store = openEmbeddedReadModels(join(disk.path, 'views.db'));
    const notes = { name: 'notes', keys: { at: 'number' }, indexes: [{ keys: ['at'] }] } as const;
    const put = Array.from({ length: 2_000 }, (_, n) => {
      const id = `n-${n}`;
      return { id, revision: 1, keys: { at: n }, body: { id, text: 'x'.repeat(200) } };
    });
    await store.open(notes, { indexes: 'later' });
    await store.write({ notes: { put } }, { name: 'notes', position: 1 });
    const changes: Readonly<Record<string, () => Promise<unknown>>> = {
      buildIndexes: () => store.buildIndexes('notes'),
      write: () => store.write({ notes: { put: put.map((one) => ({ ...one, revision: 2 })) } }),
      insert: () => store.insert('notes', { ...put[0]!, id: 'one-more', body: 'x'.repeat(100_000) }),
      setAlias: () => store.setAlias('shown', 'notes'),
      claim: () => store.claim({ name: 'notes', fence: 1 }),
      dropCheckpoint: () => store.dropCheckpoint('notes'),
      drop: () => store.drop('notes'),
    };
    try {
      disk.fill();
      for (const [name, change] of Object.entries(changes))
        expect(
          await change().then(
            () => undefined,
            (error) => error,
          ),
          name,
        ).to.be.instanceOf(StorageFull);
      disk.makeRoom();
      await store.buildIndexes('notes');
      expect(await store.find('notes', { sort: ['at'], limit: 1 })).to.have.length(1);
    } finally {
      await store.close();
    }
  });

  it('is reported by the subject vault, which continues when there is space', async () => {
    const vault = openEmbeddedVault(join(disk.path, 'vault.db'));
    const retained = { id: 'asha', key: 'her key' };
    const large = { id: 'bile', key: 'x'.repeat(MB) };
    const refused = (work: Promise<void>): Promise<unknown> => work.catch((error: unknown) => error);
    try {
      await vault.add([retained], []);
      disk.fill();
      expect(await refused(vault.add([large], []))).to.be.instanceOf(StorageFull);
      expect(await refused(vault.reseal([{ ...large, id: 'asha' }]))).to.be.instanceOf(StorageFull);
      expect(await vault.keys(['asha', 'bile'])).to.deep.equal(new Map([['asha', 'her key']]));
      disk.makeRoom();
      await vault.add([large], []);
      expect(await vault.keys(['bile'])).to.have.keys('bile');
    } finally {
      await vault.close();
    }
  });

  it('does not stop the move of write-ahead logs into their files', async () => {
    const file = join(disk.path, 'moved.db');
    const db = openDatabase(file);
    db.exec('CREATE TABLE texts (text TEXT)');
    const troubles: Error[] = [];
    const checkpointer = startCheckpointer([file], (error) => troubles.push(error));
    try {
      disk.fill(6 * MB);
      db.transaction(() => {
        for (let n = 0; n < 5; n += 1) db.prepare('INSERT INTO texts VALUES (?)').run(['x'.repeat(MB)]);
      });
      await until('it is logged', () => troubles.length > 0);
      disk.makeRoom();
      await until('it is moved', () => movedTexts(file) === 5);
    } finally {
      await checkpointer.stop();
      db.close();
    }
  });
});
