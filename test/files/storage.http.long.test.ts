/** Storage of a store over HTTP on the running service: the plan's limit, deduplication, and deletion. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { deleteFile } from '../../api/operations/files/deleteFile.js';
import { getFile } from '../../api/operations/files/getFile.js';
import { uploadFile } from '../../api/operations/files/uploadFile.js';
import { type Body, type Checked, isProblem } from '../support/conformance/answers.js';
import { formWith, PIXEL } from '../support/conformance/areas/files.js';
import { type ConformanceStage, conformanceStage, type Store } from '../support/conformance/stage.js';
import { until } from '../support/doubles/fakeClock.js';
import { wav } from '../support/samples/soundFiles.js';

const FEATURES = ['channel.number', 'workspace.core', 'commerce.catalog', 'commerce.orders'];

describe('the bytes of a store over HTTP', () => {
  let stage: ConformanceStage;
  let count = 0;
  before(async () => {
    stage = await conformanceStage();
  });
  after(() => stage.close());

  /** Returns a file of this size that differs from all previous ones. */
  const photo = (size: number): Buffer => {
    count += 1;
    return Buffer.concat([PIXEL, Buffer.from(String(count).padStart(6, '0')), Buffer.alloc(size - PIXEL.length - 6)]);
  };
  const upload = (store: Store, bytes: Buffer, name = 'photo.png'): Promise<Checked> =>
    stage.call(uploadFile, { body: formWith(bytes, name) }, store);
  const read = (store: Store, fileId: string): Promise<Checked> => stage.call(getFile, { params: { fileId } }, store);
  const remove = (store: Store, fileId: string): Promise<Checked> =>
    stage.call(deleteFile, { params: { fileId } }, store);
  async function stored(store: Store): Promise<number> {
    const found = await readdir(join(stage.folder, 'files', store.workspaceId)).catch(() => []);
    return found.length;
  }
  const storesFiles = (store: Store, files: number): Promise<void> =>
    until(`${files} are stored`, async () => (await stored(store)) === files);
  async function allows(plan: string, most: number | undefined): Promise<void> {
    const limit = { key: 'storage.bytes.max', enabled: true, ...(most === undefined ? {} : { limit: most }) };
    const features = [...FEATURES.map((key) => ({ key, enabled: true })), limit];
    await stage.operator('plans.put', { key: plan, name: 'Small', features });
  }
  async function storeWith(most: number): Promise<{ plan: string; store: Store }> {
    const plan = `small-${++count}`;
    const { store } = await stage.addPartner(plan, FEATURES);
    await allows(plan, most);
    return { plan, store };
  }

  it('are limited by the plan, to the byte and under concurrent uploads', async () => {
    const { plan, store } = await storeWith(10_000);
    const answers = await Promise.all(Array.from({ length: 12 }, () => upload(store, photo(2_000))));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).to.have.lengthOf(7);
    for (const answer of refused) isProblem(answer, 403, 'plan_limit_reached');
    expect(refused[0]!.body.detail).to.include('10000 bytes');
    await storesFiles(store, 5);
    isProblem(await upload(store, photo(100)), 403, 'plan_limit_reached');
    await allows(plan, 10_100);
    await until('the plan is known', async () => (await upload(store, photo(100))).status === 201);
    await allows(plan, undefined);
    await until('it has no limit', async () => (await upload(store, photo(100))).status === 201);
  });

  it('are not even read if there is no space', async () => {
    const { store } = await storeWith(0);
    const url = `${stage.baseUrl}/api/v1/workspaces/${store.workspaceId}/files`;
    const headers = { authorization: `Bearer ${store.key}`, 'content-type': 'multipart/form-data; boundary=b' };
    // The body stalls after the beginning of the part.
    const body = new ReadableStream({
      start: (form) =>
        form.enqueue(
          Buffer.concat([
            Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'),
            PIXEL,
          ]),
        ),
    });
    const ending = new AbortController();
    const answer = await fetch(url, {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
      signal: ending.signal,
    } as RequestInit);
    expect([answer.status, ((await answer.json()) as Body).code]).to.deep.equal([403, 'plan_limit_reached']);
    ending.abort();
  });

  it('are stored once if they are equal, and while one file needs them', async () => {
    const { store } = await storeWith(3_000);
    const bytes = photo(2_000);
    const [first, second, third] = await Promise.all(
      ['a.png', 'b.png', 'c.png'].map((name) => upload(store, bytes, name)),
    );
    expect([first!.status, second!.status, third!.status]).to.deep.equal([201, 201, 201]);
    expect(new Set([first!.body.id, second!.body.id, third!.body.id]).size).to.equal(3);
    expect([first!.body.name, second!.body.name]).to.deep.equal(['a.png', 'b.png']);
    await storesFiles(store, 1);
    expect((await remove(store, first!.body.id)).status).to.equal(204);
    expect((await remove(store, second!.body.id)).status).to.equal(204);
    isProblem(await read(store, first!.body.id), 404, 'not_found');
    expect((await read(store, third!.body.id)).status).to.equal(200);
  });

  it('are not shared with another store', async () => {
    const [one, other] = [await storeWith(3_000), await storeWith(3_000)];
    const bytes = photo(2_000);
    const mine = await upload(one.store, bytes);
    const theirs = await upload(other.store, bytes);
    await storesFiles(other.store, 1);
    isProblem(await read(other.store, mine.body.id), 404, 'not_found');
    isProblem(await remove(other.store, mine.body.id), 404, 'not_found');
    await remove(one.store, mine.body.id);
    expect((await read(other.store, theirs.body.id)).status).to.equal(200);
  });

  it('are free space at once when a file is deleted', async () => {
    const { store } = await storeWith(3_000);
    const first = await upload(store, photo(2_000));
    isProblem(await upload(store, photo(2_000)), 403, 'plan_limit_reached');
    expect((await remove(store, first.body.id)).status).to.equal(204);
    isProblem(await remove(store, first.body.id), 404, 'not_found');
    isProblem(await read(store, first.body.id), 404, 'not_found');
    expect((await upload(store, photo(2_000))).status).to.equal(201);
  });

  it('include those of recordings', async () => {
    const { store } = await storeWith(50_000);
    const folder = join(stage.folder, 'sounds');
    mkdirSync(folder, { recursive: true });
    const sound = wav(2);
    const put = (name: string): Promise<Body> => {
      const file = join(folder, `${name}.wav`);
      writeFileSync(file, sound);
      return stage.operator('recordings.put', { workspace: store.workspaceId, file, name, kind: 'custom' });
    };
    const room = 50_000 - sound.length;
    expect(room, 'one sound fits, two do not').to.be.within(1_000, sound.length - 1);
    expect((await put('one')).status).to.equal('ready');
    expect(
      await put('two').then(
        () => 'taken',
        (error) => error.code,
      ),
    ).to.equal('plan_limit_reached');
    expect((await upload(store, photo(room))).status).to.equal(201);
    isProblem(await upload(store, photo(100)), 403, 'plan_limit_reached');
  });

  it('are shown to the operator', async () => {
    const notify = async (): Promise<number> => {
      const text = await (await fetch(`${stage.baseUrl}/metrics`)).text();
      return Number(/^suuq_stored_bytes (\d+)$/m.exec(text)?.[1]);
    };
    const before = await notify();
    const { store } = await storeWith(10_000);
    const { body } = await upload(store, photo(4_321));
    await until('the bytes are counted', async () => (await notify()) === before + 4_321);
    const { stores } = await stage.operator('files.usage', {});
    const { workspaceId } = store;
    expect(stores.find((one: Body) => one.workspaceId === workspaceId)).to.deep.equal({
      workspaceId,
      bytes: 4_321,
      items: 1,
    });
    const sizes: number[] = stores.map(({ bytes }: Body) => bytes);
    expect(sizes).to.deep.equal([...sizes].sort((a, b) => b - a));
    await remove(store, body.id);
    await until('they are no longer counted', async () => (await notify()) === before);
  });
});
