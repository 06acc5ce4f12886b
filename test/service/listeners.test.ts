/** Rules of the service for `suuq listen`: one secret loopback address, and only with a single instance. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { executeRunning } from '../../cli/execution.js';
import { refuse } from '../../domain/decider.js';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
import { createLocalListeners } from '../../infrastructure/webhooks/localListeners.js';
import { adminCommands, executeAdmin } from '../../service/admin/adminCommands.js';
import { startAdminServer } from '../../service/admin/adminServer.js';
import type { AdminContext } from '../../service/admin/context.js';
import { adminSocketPath } from '../../service/admin/protocol.js';
import { writePrivateFile } from '../../service/folder/privateFile.js';

const URL = 'http://127.0.0.1:4020/a-path-that-is-a-secret';
const SENDING = [{ roles: ['api', 'processors'] }];

/** Builds the parts of a service that these commands check before they decide. */
const context = (parts: object): AdminContext =>
  ({
    listeners: createLocalListeners(() => 0),
    installation: { instances: async () => SENDING },
    reads: { get: async () => undefined },
    commandHandler: {},
    ...parts,
  }) as unknown as AdminContext;

const opened = (input: object, parts = {}) =>
  executeAdmin(context(parts), 'listeners.open', { owner: 'store', id: 's', url: URL, ...input }).catch(
    (error) => error,
  );

describe('listeners of a service', () => {
  it('are allowed only at secret addresses of this machine', async () => {
    const wrong = [
      'http://127.0.0.1:4020/',
      'http://127.0.0.1:4020/short',
      'http://127.0.0.1/a-path-that-is-a-secret',
      'http://localhost:4020/a-path-that-is-a-secret',
      'http://127.0.0.1:4020@example.com/a-path-that-is-a-secret',
      'http://127.0.0.2:4020/a-path-that-is-a-secret',
      'http://[::1]:4020/a-path-that-is-a-secret',
      'https://example.com/a-path-that-is-a-secret',
      `${URL}/..`,
      `${URL}?x=1`,
      '',
    ];
    for (const url of wrong) expect(await opened({ url }), url).to.deep.include({ code: 'validation_failed' });
    expect(await opened({})).to.deep.include({ code: 'not_found' });
  });

  it('require one running instance that sends webhooks', async () => {
    const instances = (...all: object[]) => ({ installation: { instances: async () => all } });
    expect(await opened({}, { listeners: undefined })).to.deep.include({ code: 'not_running' });
    expect(await opened({}, instances(...SENDING, ...SENDING))).to.deep.include({ code: 'several_instances' });
    expect(await opened({}, instances({ roles: ['api'] }))).to.deep.include({ code: 'not_sending' });
  });

  it('are used by commands that are not typed by users', () => {
    expect(adminCommands.some(({ name }) => name.startsWith('listeners.'))).to.equal(false);
  });
});

describe('a service of another release', () => {
  const folder = temporaryFolder('suuq-release-');
  after(() => folder.remove());

  it('is reported if it does not know a command, and so is one that has ended', async () => {
    const data = join(folder.path, 'data');
    mkdirSync(data);
    const socket = adminSocketPath(data);
    const execute = (command: string) => refuse('unknown_command', `Unknown command ${command}.`);
    const server = await startAdminServer({ socketPath: socket, execute });
    const card = { pid: process.pid, startedAt: '', version: '0.0.9', socket };
    writePrivateFile(join(data, 'service.json'), JSON.stringify(card));
    const request = () => executeRunning(data)('listeners.open', {}).catch((error) => error);
    const refused = await request();
    expect(refused.code).to.equal('other_version');
    expect(refused.message).to.include('release 0.0.9').and.include('Restart the service');
    await server.close();
    expect((await request()).code).to.equal('not_running');
    rmSync(join(data, 'service.json'));
    expect((await request()).code).to.equal('not_running');
  });
});
