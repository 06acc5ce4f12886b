import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { EMBEDDED, projectFolder, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { takeDataFolder } from '../../service/folder/dataFolder.js';
import { readServiceCard } from '../../service/folder/serviceCard.js';
import { until } from '../support/doubles/fakeClock.js';

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Kills the remains of a failed start. */
const killed = (pid: number | undefined): void => {
  if (pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGKILL');
};

describe('npm start', () => {
  const folder = temporaryFolder('suuq-npm-');
  let service: number | undefined;
  afterEach(() => killed(service));
  after(() => folder.remove());

  /** Starts the service in its own process group, as a terminal does. */
  async function started(): Promise<ChildProcess> {
    const npm = spawn('npm', ['start'], {
      cwd: projectFolder,
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...EMBEDDED, PORT: '0', SUUQ_LOG: 'error', SUUQ_DATA: folder.path },
    });
    let text = '';
    npm.stdout.on('data', (chunk) => (text += chunk));
    await until('the greeting', () => text.includes('Suuq runs at'));
    service = readServiceCard(folder.path)!.pid;
    return npm;
  }

  it('passes SIGTERM on, and exits after the service', async () => {
    const npm = await started();
    const ended = once(npm, 'exit');
    npm.kill('SIGTERM');
    await ended;
    // A supervisor that restarts the service finds the folder free.
    expect(isAlive(service!)).to.equal(false);
    takeDataFolder(folder.path).release();
  });

  it('stops cleanly at Ctrl-C, which both the terminal and npm send to the service', async () => {
    const npm = await started();
    const ended = once(npm, 'exit');
    process.kill(-npm.pid!, 'SIGINT');
    await ended;
    expect(isAlive(service!)).to.equal(false);
    expect(readServiceCard(folder.path)).to.equal(undefined);
  });
});
