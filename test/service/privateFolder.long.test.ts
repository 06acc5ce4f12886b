import { chmodSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type ServiceProcess, startService, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { takeDataFolder } from '../../service/folder/dataFolder.js';
import { commandLine } from '../support/stages/commandLine.js';

const modeOf = (path: string): string => (lstatSync(path).mode & 0o777).toString(8);

/** Lists the paths in a folder that other users can read, write or enter. */
function open(folder: string): string[] {
  const names = ['.', ...(readdirSync(folder, { recursive: true }) as string[])];
  return names.filter((name) => (lstatSync(join(folder, name)).mode & 0o077) !== 0);
}

/** Starts the service with umask 022, as most shells do. */
function startedOpenly(folder: string): Promise<ServiceProcess> {
  const before = process.umask(0o022);
  try {
    return startService(folder, { SUUQ_LOG: 'warn' });
  } finally {
    process.umask(before);
  }
}

describe('an existing data folder', () => {
  const folder = temporaryFolder('suuq-private-');
  let service: ServiceProcess | undefined;
  afterEach(async () => {
    await service?.stop();
    service = undefined;
  });
  after(() => folder.remove());
  const at = (name: string): string => join(folder.path, name);

  it('contains nothing readable by others, from the first start on', async () => {
    chmodSync(folder.path, 0o755);
    service = await startedOpenly(folder.path);
    expect(open(folder.path)).to.deep.equal([]);
    await service.stop();
    expect(open(folder.path)).to.deep.equal([]);
  });

  it('gets its permissions fixed at the next start, which logs it', async () => {
    chmodSync(folder.path, 0o755);
    for (const name of ['events.db', 'views.db', 'master.key']) chmodSync(at(name), 0o644);
    chmodSync(at('snapshots'), 0o755);
    service = await startedOpenly(folder.path);
    const reported = service
      .output()
      .split('\n')
      .find((line) => line.includes('readable by other users'));
    expect(open(folder.path)).to.deep.equal([]);
    expect(JSON.parse(reported!).mended).to.have.members(['events.db', 'views.db', 'master.key', 'snapshots', '.']);
  });

  it('gets its permissions fixed by a command too', () => {
    chmodSync(at('work.db'), 0o644);
    commandLine(folder.path).json('projections', 'status');
    expect(open(folder.path)).to.deep.equal([]);
  });
});

describe('a folder that also contains other files', () => {
  const home = temporaryFolder('suuq-home-');
  after(() => home.remove());

  it('keeps its own permissions, and logs it; links and foreign files are left alone', () => {
    const at = (name: string): string => join(home.path, name);
    mkdirSync(at('elsewhere'), { mode: 0o755 });
    symlinkSync(at('elsewhere'), at('files'));
    for (const name of ['letter.txt', 'demo.json']) writeFileSync(at(name), '');
    for (const name of ['letter.txt', 'demo.json']) chmodSync(at(name), 0o644);
    for (const name of ['elsewhere', '']) chmodSync(at(name), 0o755);
    const taken = takeDataFolder(home.path);
    taken.release();
    expect(taken.openness.mended).to.include('demo.json').and.not.include('.');
    expect(taken.openness.left).to.deep.equal(['.']);
    expect([modeOf(home.path), modeOf(at('demo.json'))]).to.deep.equal(['755', '600']);
    expect([modeOf(at('letter.txt')), modeOf(at('elsewhere'))]).to.deep.equal(['644', '755']);
  });
});
