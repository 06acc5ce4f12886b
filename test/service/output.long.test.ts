/** Outputs that cannot be written: a log on a full disk, a stalled reader, and command output. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { expect } from 'chai';
import { EMBEDDED, suuqCommand, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { readServiceCard } from '../../service/folder/serviceCard.js';
import { until } from '../support/doubles/fakeClock.js';

const FULL = '/dev/full';

describe('an output that cannot be written', function () {
  this.timeout(60_000);
  const folder = temporaryFolder('suuq-output-');
  let full: number;
  let child: ChildProcess | undefined;
  before(function () {
    if (!existsSync(FULL)) this.skip();
    full = openSync(FULL, 'w');
  });
  afterEach(async () => {
    if (child?.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  after(() => {
    if (full !== undefined) closeSync(full);
    folder.remove();
  });

  const env = { ...process.env, ...EMBEDDED, SUUQ_DATA: folder.path, PORT: '0', SUUQ_LOG: 'debug', SUUQ_RATE_IP: '0' };

  async function started(stdout: 'pipe' | number): Promise<(path: string) => Promise<Response>> {
    child = spawn(process.execPath, [suuqCommand, 'start'], { env, stdio: ['ignore', stdout, 'ignore'] });
    const { pid } = child;
    const address = (): string | undefined => {
      const card = readServiceCard(folder.path);
      return card?.pid === pid ? card?.baseUrl : undefined;
    };
    const get = (path: string) => fetch(`${address()}${path}`, { signal: AbortSignal.timeout(5_000) });
    await until('the service is ready', async () => address() !== undefined && (await get('/readyz')).ok, 20_000);
    return get;
  }

  it('loses log lines, which are counted, and does not stop the service', async () => {
    const get = await started(full);
    expect((await get('/unknown')).status).to.equal(404);
    const metrics = await (await get('/metrics')).text();
    expect(Number(/^suuq_log_lines_dropped_total (\d+)$/m.exec(metrics)?.[1])).to.be.above(0);
    const ended = once(child!, 'exit');
    child!.kill('SIGTERM');
    expect((await ended)[0]).to.equal(0);
  });

  it('delays no request when its reader stalls', async () => {
    const get = await started('pipe');
    // Each request writes a log line, and a pipe buffers 64 KiB.
    for (let i = 0; i < 300; i += 1) expect((await get('/unknown')).status).to.equal(404);
    expect((await get('/healthz')).status).to.equal(200);
    expect(child!.stdout!.readableLength).to.be.above(0);
    const ended = once(child!, 'exit');
    child!.kill('SIGTERM');
    expect((await ended)[0]).to.equal(0);
  });

  it('gives a command exit code 1, and an error message if one can be written', () => {
    const run = (args: string[], stdio: { out?: number; err?: number }) =>
      spawnSync(process.execPath, [suuqCommand, ...args], {
        env,
        encoding: 'utf8',
        stdio: ['ignore', stdio.out ?? 'pipe', stdio.err ?? 'pipe'],
      });
    const unwritten = run(['query', '--schema'], { out: full });
    expect(unwritten.status).to.equal(1);
    expect(unwritten.stderr).to.match(/^output_failed: Standard output cannot be written: ENOSPC/);
    const asJson = run(['query', '--schema', '--json'], { out: full });
    expect(JSON.parse(asJson.stderr)).to.have.nested.property('error.code', 'output_failed');
    expect(run(['unheard'], { err: full }).status).to.equal(2);
  });
});
