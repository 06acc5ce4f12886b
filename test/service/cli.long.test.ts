import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import type { CliHost, Execute } from '../../cli/command.js';
import { withExecute } from '../../cli/execution.js';
import { runCli } from '../../cli/run.js';
import { refuse } from '../../domain/decider.js';
import { EMBEDDED, suuqCommand, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { callService, NoService } from '../../service/admin/adminClient.js';
import { type AdminServer, startAdminServer } from '../../service/admin/adminServer.js';
import { adminSocketPath } from '../../service/admin/protocol.js';
import { takeDataFolder } from '../../service/folder/dataFolder.js';
import { writePrivateFile } from '../../service/folder/privateFile.js';
import { foundInstallation } from '../support/stages/installation.js';

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const suuq = (folder: string, ...args: string[]): Ran =>
  spawnSync(process.execPath, [suuqCommand, ...args], {
    env: { ...process.env, ...EMBEDDED, SUUQ_DATA: folder },
    encoding: 'utf8',
    timeout: 30_000,
  });

/** Starts a command asynchronously, so that two can run at the same time. */
function suuqConcurrent(folder: string, ...args: string[]): Promise<Ran> {
  const child: ChildProcess = spawn(process.execPath, [suuqCommand, ...args], {
    env: { ...process.env, ...EMBEDDED, SUUQ_DATA: folder },
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => (stdout += chunk));
  child.stderr?.on('data', (chunk) => (stderr += chunk));
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, stdout, stderr })));
}

describe('command line, without a service', () => {
  const folder = temporaryFolder('suuq-cli-');
  const data = join(folder.path, 'data');
  before(() => foundInstallation(data));
  after(() => folder.remove());
  const json = (...args: string[]) => {
    const ran = suuq(data, ...args, '--json');
    expect(ran.status, ran.stderr).to.equal(0);
    expect(ran.stderr).to.equal('');
    return JSON.parse(ran.stdout);
  };

  it('creates a plan, a partner, a store, keys and a number, with one JSON document each', () => {
    const limit = 'commerce.products.max=10';
    const put = json(
      'admin',
      'plans',
      'put',
      '--key',
      'p',
      '--name',
      'P',
      '--feature',
      'commerce.catalog',
      '--feature',
      limit,
    );
    expect(put.features).to.deep.equal([
      { key: 'commerce.catalog', enabled: true },
      { key: 'commerce.products.max', enabled: true, limit: 10 },
    ]);
    const partner = json('admin', 'partners', 'create', '--name', 'Acme', '--slug', 'acme', '--plan', 'p');
    const scopes = ['--scope', 'partner.stores:view', '--scope', 'commerce:manage'];
    const key = json('admin', 'keys', 'create', '--partner', partner.id, '--mode', 'live', ...scopes);
    expect(key.key).to.match(/^psk_live_/);
    const owner = ['--owner-email', 'a@example.com', '--owner-name', 'A', '--country', 'SO', '--timezone', 'UTC'];
    const of = ['--partner', partner.id, '--external-ref', 'shop'];
    const store = json('admin', 'stores', 'create', '--name', 'Shop', ...owner, ...of);
    expect(json('admin', 'stores', 'create', '--name', 'Shop', ...owner, ...of)).to.deep.equal({
      ...store,
      created: false,
    });
    const number = json('admin', 'numbers', 'connect', '--workspace', store.workspaceId);
    expect(number).to.include.keys('webhookUrl', 'verifyToken', 'appSecret', 'phoneNumberId', 'catalogId', 'numberId');
    expect(json('admin', 'keys', 'revoke', '--id', key.id)).to.deep.equal({ id: key.id, revoked: true });
    expect(suuq(data, 'admin', 'keys', 'list').stdout)
      .to.include('revoked')
      .and.not.include(key.key);
    expect(suuq(data, 'admin', 'partners', 'list').stdout).to.include('acme');
  });

  it('distinguishes an unusable folder given by the user from the data folder', () => {
    const file = join(folder.path, 'file');
    writePrivateFile(file, 'no folder');
    const { status, stdout, stderr } = suuq(data, 'backup', file, '--json');
    expect([status, stdout]).to.deep.equal([1, '']);
    const { error } = JSON.parse(stderr);
    expect(error.code).to.equal('file_unusable');
    expect(error.message).to.match(/^ENOTDIR: .*\. Name another file or folder, or let this user read and write it\.$/);
  });

  it('creates nothing without an installation, and explains how to create one', () => {
    const wrong = join(folder.path, 'dta');
    const words = [
      'projections status',
      'projections rebuild orders',
      'history order none',
      'admin plans list',
      'admin plans put --key k --name K',
    ];
    for (const line of words) {
      const { status, stdout, stderr } = suuq(wrong, ...line.split(' '));
      expect([status, stdout], line).to.deep.equal([1, '']);
      expect(stderr)
        .to.match(/^no_installation: .*suuq start.*\n$/)
        .and.include(wrong);
    }
    const moved = suuq(wrong, 'move', '--to', 'esdb://127.0.0.1:1?tls=false');
    expect(moved.stderr).to.match(/^nothing_to_move: /);
    expect(existsSync(wrong)).to.equal(false);
    mkdirSync(wrong);
    expect(suuq(wrong, 'projections', 'status').stderr).to.match(/^no_installation: /);
    expect(readdirSync(wrong)).to.deep.equal([]);
  });

  it('exits with 2 and the usage for wrong arguments', () => {
    const { status, stdout, stderr } = suuq(data, 'admin', 'plans', 'put', '--key', 'k');
    expect([status, stdout]).to.deep.equal([2, '']);
    expect(stderr).to.match(/--name is missing[\s\S]*Usage: suuq admin plans put/);
  });

  it('exits with 1 and the code when a command fails', () => {
    const { status, stdout, stderr } = suuq(
      data,
      'admin',
      'partners',
      'create',
      '--name',
      'B',
      '--slug',
      'b',
      '--plan',
      'no',
      '--json',
    );
    expect([status, stdout]).to.deep.equal([1, '']);
    expect(JSON.parse(stderr).error.code).to.equal('plan_not_found');
    const scope = suuq(data, 'admin', 'keys', 'create', '--partner', 'x', '--mode', 'live', '--scope', 'wrong');
    expect([scope.status, scope.stderr.split(':')[0]]).to.deep.equal([1, 'not_found']);
    expect(suuq(data, 'history', 'order', 'none').stderr).to.match(/^not_found: /);
  });

  it('reports an invalid setting', () => {
    const ran = spawnSync(process.execPath, [suuqCommand, 'admin', 'plans', 'list'], {
      env: { ...process.env, ...EMBEDDED, SUUQ_DATA: data, PORT: 'many' },
      encoding: 'utf8',
    });
    expect([ran.status, ran.stdout]).to.deep.equal([1, '']);
    expect(ran.stderr).to.match(/^wrong_setting: .*PORT/);
  });

  it('prints help and version', () => {
    expect(suuq(data, 'help').stdout).to.include('suuq admin numbers connect').and.include('suuq start');
    expect(suuq(data, 'version').stdout).to.match(/^\d+\.\d+\.\d+\n$/);
    expect(suuq(data, 'admin', 'keys', 'create', '--help').stdout).to.include('--scope S');
  });

  it('rebuilds projections and shows the progress', () => {
    const plain = suuq(data, 'projections', 'rebuild', 'partners');
    expect([plain.status, plain.stderr]).to.deep.equal([0, 'partners: built\n']);
    const all = json('projections', 'rebuild');
    const status = json('projections', 'status');
    const names = (list: { projections: { name: string }[] }) => list.projections.map(({ name }) => name);
    expect(names(all)).to.deep.equal(names(status)).and.include('stores');
    expect(status.projections.every((one: { state: string }) => one.state === 'live')).to.equal(true);
    expect(json('admin', 'partners', 'list').partners).to.have.length(1);
  });

  it('lets two concurrent commands wait for each other', async () => {
    const put = (key: string) => suuqConcurrent(data, 'admin', 'plans', 'put', '--key', key, '--name', key, '--json');
    for (const ran of await Promise.all([put('one'), put('two'), put('three')]))
      expect(ran.status, ran.stderr).to.equal(0);
    expect(json('admin', 'plans', 'list').plans).to.have.length(4);
  });
});

describe("the service's socket for administration", () => {
  const folder = temporaryFolder('suuq-sock-');
  let server: AdminServer;
  const socketPath = adminSocketPath(folder.path);
  const requested: unknown[] = [];
  const unexpected: unknown[] = [];
  before(async () => {
    server = await startAdminServer({
      socketPath,
      async execute(command, input) {
        requested.push([command, input]);
        if (command === 'refused') refuse('name_taken', 'There is one.', [{ message: 'taken', location: 'slug' }]);
        if (command === 'full') throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
        if (command === 'broken') throw new Error('psk_live_inside');
        return { command };
      },
      onError: (error) => unexpected.push(error),
    });
  });
  after(async () => {
    await server.close();
    folder.remove();
  });

  const failure = (command: string, input: unknown = {}) =>
    callService(socketPath, command, input).then(
      () => expect.fail('not refused'),
      (error) => error,
    );

  it('transports commands, results and rejections', async () => {
    expect(await callService(socketPath, 'plans.list', { a: 1 })).to.deep.equal({ command: 'plans.list' });
    expect(requested).to.deep.equal([['plans.list', { a: 1 }]]);
    const refused = await failure('refused');
    expect([refused.code, refused.message]).to.deep.equal(['name_taken', 'There is one.']);
    expect(refused.problems).to.deep.equal([{ message: 'taken', location: 'slug' }]);
  });

  it('hides unexpected errors from the caller and logs them', async () => {
    const error = await failure('broken');
    expect(error.code).to.equal('internal_error');
    expect(error.message).to.not.include('psk_');
    expect(unexpected).to.have.length(1);
  });

  it('reports a full disk, whichever thread has detected it', async () => {
    expect((await failure('full')).code).to.equal('storage_full');
  });

  it('reports a service that stops during a command', async () => {
    const path = join(folder.path, 'ending.sock');
    const ending = createServer((connection) => connection.once('data', () => connection.destroy())).listen(path);
    await once(ending, 'listening');
    const error = await callService(path, 'any', {}).catch((error) => error);
    ending.close();
    expect([error.code, error.message]).to.deep.equal([
      'service_ended',
      'The service ended before it answered. The command may or may not have run: check before you repeat it.',
    ]);
  });

  it('is accessible to its owner only', () => {
    expect(statSync(socketPath).mode & 0o777).to.equal(0o600);
  });

  it('rejects what is too large', async () => {
    const error = await failure('plans.put', 'x'.repeat(1_100_000));
    expect(error.code).to.equal('payload_too_large');
  });

  it('is in a private temporary folder if the path would be too long', async () => {
    const long = join(folder.path, 'x'.repeat(90));
    const path = adminSocketPath(long);
    expect(Buffer.byteLength(path)).to.be.at.most(100);
    const other = await startAdminServer({ socketPath: path, execute: async () => ({}) });
    expect(await callService(path, 'any', {})).to.deep.equal({});
    await other.close();
    expect(() => statSync(join(path, '..'))).to.throw(/ENOENT/);
    expect(await callService(path, 'any', {}).catch((error) => error)).to.be.instanceOf(NoService);
  });
});

describe('command line, with a running service', () => {
  const folder = temporaryFolder('suuq-beside-');
  after(() => folder.remove());

  it('sends its commands to the service, and opens the folder itself when the service has ended', async () => {
    const data = join(folder.path, 'a');
    mkdirSync(data);
    const socket = adminSocketPath(data);
    const server = await startAdminServer({
      socketPath: socket,
      execute: async (command) => ({ by: 'service', command }),
    });
    writePrivateFile(join(data, 'service.json'), JSON.stringify({ pid: process.pid, startedAt: '', socket }));
    let opened = 0;
    const open = () => {
      opened += 1;
      return Promise.reject(new Error('opened'));
    };
    const run = () => withExecute(data, open, (execute) => execute('plans.list', {}));
    expect(await run()).to.deep.equal({ by: 'service', command: 'plans.list' });
    expect(opened).to.equal(0);
    await server.close();
    expect(await run().catch((error: Error) => error.message)).to.equal('opened');
  });

  it('reports which process uses the folder if it accepts no commands', async () => {
    const data = join(folder.path, 'b');
    const current = takeDataFolder(data);
    const ran = await suuqConcurrent(data, 'admin', 'plans', 'list');
    current.release();
    expect([ran.status, ran.stdout]).to.deep.equal([1, '']);
    expect(ran.stderr)
      .to.match(/^data_folder_in_use: /)
      .and.include(String(process.pid));
  });
});

/** Runs a command with captured output and a stub for administration. */
async function typed(args: readonly string[], execute: Execute, watched = false) {
  const shown = { out: '', err: '' };
  const host: CliHost = {
    out(text) {
      shown.out += text;
    },
    err(text) {
      shown.err += text;
    },
    watched,
    version: '0',
    withExecute: (work) => work(execute),
    start: () => Promise.resolve(0),
    sandbox: () => Promise.resolve(0),
    move: () => Promise.reject(new Error('nothing may be moved')),
    settle: () => Promise.reject(new Error('nothing may be settled')),
    upkeep: () => Promise.reject(new Error('nothing may be copied')),
  };
  const status = await runCli(args, host);
  return { status, ...shown };
}

describe('invalid usage', () => {
  const cases: [string, RegExp][] = [
    ['admin keys create --mode live', /--partner or --workspace is missing/],
    ['admin keys create --mode live --partner a --workspace b', /must not be given together/],
    ['admin partners list --nope', /--nope/],
    ['admin plans put --key k --name n --feature a=b', /must be on, off or a whole number/],
    ['admin nothing', /unknown command 'suuq admin nothing'/],
    ['history order', /<id> is missing/],
    ['history order x --at noon', /--at noon is not a time/],
    ['history order x --at 2026-11-01T12:00:00', /is not a time/],
    ['admin partners list extra', /unexpected argument/],
    ['start now', /unexpected argument/],
    ['sandbox 4010', /unexpected argument/],
    ['', /a command is missing/],
  ];
  for (const [line, message] of cases)
    it(`is reported in a sentence: suuq ${line}`, async () => {
      const never: Execute = () => Promise.reject(new Error('nothing may be executed'));
      const { status, out, err } = await typed(line.split(' ').filter(Boolean), never);
      expect([status, out]).to.deep.equal([2, '']);
      expect(err).to.match(message).and.to.include('Usage: suuq');
    });
});

describe('help of a group', () => {
  const never: Execute = () => Promise.reject(new Error('nothing may be executed'));

  it('shows the commands of the group and no others', async () => {
    const { status, out, err } = await typed(['admin', 'members', '--help'], never);
    expect([status, err]).to.deep.equal([0, '']);
    expect(out).to.include('suuq admin members list').and.to.not.include('suuq admin keys');
  });

  it('is also shown without a command', async () => {
    const { status, out, err } = await typed(['admin', 'members', 'nothing'], never);
    expect([status, out]).to.deep.equal([2, '']);
    expect(err).to.include('suuq admin members list').and.to.not.include('suuq admin keys');
  });
});

describe('text output', () => {
  it('does not let names control the terminal', async () => {
    const partners = [{ id: 'p1', slug: 'evil', status: 'active', planKey: 'p', name: 'A\u001b[2J\u202eB' }];
    const { out } = await typed(['admin', 'partners', 'list'], async () => ({ partners, more: false }));
    expect(out).to.include('A [2J B').and.not.include('\u001b');
  });
});

describe('progress of a rebuild', () => {
  const states = [
    { name: 'orders', state: 'rebuilding', position: 49, head: 99, eventsPerSecond: 12_345 },
    { name: 'orders', state: 'live', position: 99, head: 99, eventsPerSecond: 0 },
  ];

  async function rebuild(answers: readonly object[], watched: boolean, ...args: string[]) {
    let polls = 0;
    const execute: Execute = async (command) =>
      command === 'projections.rebuild' ? { names: ['orders'] } : { projections: [answers[polls++] ?? answers.at(-1)] };
    return typed(['projections', 'rebuild', 'orders', ...args], execute, watched);
  }

  it('is an updating bar in a terminal', async () => {
    const { status, err } = await rebuild(states, true);
    expect(status).to.equal(0);
    expect(err.split('\r').slice(1)).to.deep.equal([
      '[############------------]  50 %  0 of 1 built, 12.3k events/s\u001b[K',
      '[########################] 100 %  1 of 1 built, 0 events/s\u001b[K\n',
    ]);
  });

  it('is silent with --json', async () => {
    const { out, err } = await rebuild(states, true, '--json');
    expect(err).to.equal('');
    expect(JSON.parse(out).projections[0].state).to.equal('live');
  });

  it('fails if an event has stopped the projection', async () => {
    const poison = { position: 7, type: 'OrderPlaced', error: 'no lines' };
    const { status, out, err } = await rebuild([{ ...states[0], state: 'stopped', poison }], false);
    expect([status, out]).to.deep.equal([1, '']);
    expect(err).to.include('projection_stopped').and.include('OrderPlaced');
  });
});

describe('bin/suuq.mjs', () => {
  it('is the command that the package declares', () => {
    const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
    expect(suuqCommand.endsWith(manifest.bin.suuq)).to.equal(true);
    expect(readFileSync(suuqCommand, 'utf8').split('\n')[0]).to.equal('#!/usr/bin/env node');
    expect(statSync(suuqCommand).mode & 0o111).to.not.equal(0);
  });
});
