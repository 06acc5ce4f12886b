/** Uploads over HTTP: an unused upload is removed a day later, and an upload used by a message stays. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { fileOperations } from '../../api/operations/files/index.js';
import { createFiles } from '../../application/files/files.js';
import { filesProcessor } from '../../application/files/filesProcessor.js';
import { useFiles } from '../../application/files/uses.js';
import { derivedId } from '../../domain/ids.js';
import { bindCommands } from '../../engine/commandHandler/boundCommands.js';
import { silentLog } from '../../engine/ports/log.js';
import { createProcessorRuntime, type ProcessorRuntime } from '../../engine/processors/runtime.js';
import { createProjectionRuntime, type ProjectionRuntime } from '../../engine/projections/runtime.js';
import { openFolderFiles } from '../../infrastructure/files/folderFiles.js';
import { files } from '../../projections/files.js';
import { ALL_STORES, storage } from '../../projections/storage.js';
import { formWith, PIXEL } from '../support/conformance/areas/files.js';
import { type FakeClock, fakeClock, until } from '../support/doubles/fakeClock.js';
import { type TestServices, testServices } from '../support/doubles/fakeServices.js';
import { JPEG } from '../support/samples/fileSamples.js';
import { type ApiServer, apiServer, asMember, secretKey, shopDirectory } from '../support/stages/apiServer.js';

const SHOP = '5f0c7a9e-1111-4000-8000-000000000001';
const HOUR = 3_600_000;
const member = (role: 'agent' | 'supervisor', seesEveryTeam: boolean) =>
  [role, { memberId: derivedId('member', role), role, teamIds: [], seesEveryTeam }] as const;
/** Members by the key that acts as their session. */
const MEMBERS = new Map([member('agent', false), member('supervisor', true)]);

describe('an unused upload', () => {
  let folder: string;
  let clock: FakeClock;
  let test: TestServices;
  let projections: ProjectionRuntime;
  let processors: ProcessorRuntime;
  let server: ApiServer;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'suuq-unused-'));
    clock = fakeClock();
    test = await testServices(clock);
    const store = await openFolderFiles({ folder, alone: true });
    const { eventStore, work, commandHandler: commands, reads } = test.services;
    projections = createProjectionRuntime({ eventStore, readModels: work, projections: [files, storage] });
    await projections.start();
    processors = createProcessorRuntime({
      eventStore,
      work,
      commands,
      reads,
      clock,
      log: silentLog,
      processors: [filesProcessor({ store })],
    });
    await processors.start();
    server = await apiServer({
      operations: fileOperations.map(asMember(MEMBERS)),
      services: {
        ...test.services,
        files: createFiles({ store, commands, trouble: () => undefined }),
        directory: shopDirectory(
          (credential) => secretKey(credential.slice('sk_test_'.length), SHOP, ['inbox:reply']),
          [SHOP],
        ),
      },
      progress: { waitFor: async (_, position, ms) => projections.waitFor(['files', 'storage'], position, ms) },
    });
  });
  afterEach(async () => {
    await server.close();
    await processors.stop();
    await projections.stop();
    await test.close();
    await rm(folder, { recursive: true });
  });

  const url = (rest = ''): string => `${server.url}/api/v1/workspaces/${SHOP}/files${rest}`;
  const headers = { authorization: 'Bearer sk_test_key' };
  async function upload(bytes: Buffer): Promise<string> {
    const answer = await fetch(url(), { method: 'POST', headers, body: formWith(bytes) });
    expect(answer.status).to.equal(201);
    return ((await answer.json()) as { id: string }).id;
  }
  const status = async (id: string): Promise<number> => {
    const answer = await fetch(url(`/${id}`), { headers });
    await answer.arrayBuffer();
    return answer.status;
  };
  const onDisk = async (): Promise<number> =>
    (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile()).length;
  const use = (fileId: string): Promise<void> => {
    const context = { commandId: derivedId('use', fileId), actor: { type: 'system' }, correlationId: 'test' } as const;
    const commands = bindCommands(test.services.commandHandler, { ...context, workspaceId: SHOP });
    return useFiles({ commands, workspaceId: SHOP }, [fileId], 'message', 'body.media.fileId');
  };
  const used = async (): Promise<unknown> => {
    await projections.waitFor(['storage'], await test.services.eventStore.head(), 5_000);
    return (await test.services.reads.get(storage, ALL_STORES))?.body;
  };

  it('is removed a day later, with its bytes; a used one stays', async () => {
    const [photo, pixel] = [await upload(JPEG), await upload(PIXEL)];
    await use(photo);
    await until('all is recorded', () => processors.status()[0]!.lanes === 0 && processors.status()[0]!.inFlight === 0);
    await clock.advance(24 * HOUR - 60_000);
    expect([await status(photo), await status(pixel), await onDisk()]).to.deep.equal([200, 200, 2]);
    await clock.advance(60_000);
    await until('it is gone', async () => (await status(pixel)) === 404);
    await until(
      'it is not counted',
      async () => JSON.stringify(await used()) === JSON.stringify({ bytes: JPEG.length, items: 1 }),
    );
    await until('its bytes are gone', async () => {
      await clock.advance(60_000);
      return (await onDisk()) === 1;
    });
    expect(await status(photo)).to.equal(200);
    await clock.advance(48 * HOUR);
    expect([await status(photo), await onDisk()]).to.deep.equal([200, 1]);
  });

  it('is deleted by members who see every team, and by no others', async () => {
    const id = await upload(PIXEL);
    const remove = async (who: string): Promise<number> =>
      (await fetch(url(`/${id}`), { method: 'DELETE', headers: { authorization: `Bearer sk_test_${who}` } })).status;
    expect([await remove('agent'), await status(id)]).to.deep.equal([403, 200]);
    expect([await remove('supervisor'), await status(id)]).to.deep.equal([204, 404]);
  });

  it('leaves the bytes to another file that shares them', async () => {
    const first = await upload(PIXEL);
    const second = await upload(PIXEL);
    await use(second);
    expect(await onDisk()).to.equal(1);
    await until('the first is gone', async () => {
      await clock.advance(HOUR);
      return (await status(first)) === 404;
    });
    await clock.advance(48 * HOUR);
    expect([await status(second), await onDisk()]).to.deep.equal([200, 1]);
  });
});
