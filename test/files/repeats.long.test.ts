/** An upload that ended without an answer, sent again with its Idempotency-Key. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { fileOperations } from '../../api/operations/files/index.js';
import { createFiles } from '../../application/files/files.js';
import type { FileStore } from '../../application/ports/fileStore.js';
import { systemClock } from '../../engine/ports/clock.js';
import { createProjectionRuntime, type ProjectionRuntime } from '../../engine/projections/runtime.js';
import { openFolderFiles } from '../../infrastructure/files/folderFiles.js';
import { files } from '../../projections/files.js';
import { formWith, PIXEL } from '../support/conformance/areas/files.js';
import { until } from '../support/doubles/fakeClock.js';
import { type TestServices, testServices } from '../support/doubles/fakeServices.js';
import { type ApiServer, apiServer, secretKey, shopDirectory } from '../support/stages/apiServer.js';

const STORE = '5f0c7a9e-1111-4000-8000-000000000001';

describe('an upload without a response', () => {
  let folder: string;
  let test: TestServices;
  let store: FileStore;
  let projections: ProjectionRuntime;
  let server: ApiServer;
  let url: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'suuq-repeats-'));
    test = await testServices(systemClock);
    store = await openFolderFiles({ folder, alone: true });
    const { eventStore, work, commandHandler: commands } = test.services;
    projections = createProjectionRuntime({ eventStore, readModels: work, projections: [files] });
    await projections.start();
    server = await apiServer({
      operations: fileOperations,
      services: {
        ...test.services,
        files: createFiles({ store, commands, trouble: () => undefined }),
        directory: shopDirectory(() => secretKey('key-1', STORE, ['inbox:reply']), [STORE]),
      },
      progress: {
        waitFor: async (_, position, ms) => !test.progress.late && projections.waitFor(['files'], position, ms),
      },
    });
    url = `${server.url}/api/v1/workspaces/${STORE}/files`;
  });
  afterEach(async () => {
    await server.close();
    await projections.stop();
    await test.close();
    await rm(folder, { recursive: true });
  });

  const headers = { authorization: `Bearer sk_test_${'a'.repeat(40)}`, 'idempotency-key': 'photo-1' };
  const upload = async () => {
    const answer = await fetch(url, { method: 'POST', headers, body: formWith(PIXEL) });
    return { status: answer.status, body: (await answer.json()) as { id: string; code: string } };
  };
  const retained = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile()).length;
  const fileStreams = async () =>
    (await test.services.eventStore.readAll(-1)).events.filter(({ type }) => type === 'FileStored');

  it('is stored once: the retry returns the first file, and its own bytes are not stored', async () => {
    test.progress.late = true;
    const first = await upload();
    expect([first.status, first.body.code]).to.deep.equal([503, 'unavailable']);
    test.progress.late = false;
    const again = await upload();
    expect(again.status).to.equal(201);
    const stored = await fileStreams();
    expect(stored.map(({ stream }) => stream)).to.deep.equal([`file-${again.body.id}`]);
    await until('one is stored', async () => (await retained()) === 1);
    const { authorization } = headers;
    const answer = await fetch(`${url}/${again.body.id}`, { headers: { authorization } });
    expect(Buffer.from(await answer.arrayBuffer()).equals(PIXEL)).to.equal(true);
  });

  it('reports missing bytes, without their location', async () => {
    const { body } = await upload();
    await rm(join(folder, STORE), { recursive: true });
    const { authorization } = headers;
    const answer = await fetch(`${url}/${body.id}`, { headers: { authorization } });
    expect(answer.status).to.equal(404);
    expect(await answer.text()).to.not.include(folder);
  });
});
