import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  EMBEDDED,
  projectFolder,
  readDemo,
  type ServiceProcess,
  startService,
  suuqCommand,
  temporaryFolder,
} from '../../harness/service/serviceProcess.js';
import { banner, type DemoFile } from '../../service/composition/firstSteps.js';

describe('a failing start, explained in one sentence,', () => {
  const folder = temporaryFolder('suuq-start-');
  let taken: Server;
  let port: number;
  before(async () => {
    taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    port = (taken.address() as AddressInfo).port;
  });
  after(() => {
    taken.close();
    folder.remove();
  });

  async function start(
    env: Record<string, string>,
  ): Promise<{ status: number | null; output: string; logged: string }> {
    const child = spawn(process.execPath, [suuqCommand, 'start'], {
      env: { ...process.env, ...EMBEDDED, PORT: '0', SUUQ_LOG: 'silent', ...env },
    });
    let [output, logged] = ['', ''];
    child.stdout.on('data', (chunk) => (logged += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    const late = setTimeout(() => child.kill('SIGKILL'), 15_000);
    const [status] = (await once(child, 'close')) as [number | null];
    clearTimeout(late);
    return { status, output, logged };
  }
  const fresh = (name: string): string => join(folder.path, name);
  const sentence = (text: string): void => {
    expect(text.trim().split('\n')).to.have.length(1);
  };

  it('names a used port, also the sandbox’s, and leaves the folder to the next start', async () => {
    for (const setting of ['PORT', 'SUUQ_SANDBOX_PORT']) {
      const { status, output } = await start({ SUUQ_DATA: fresh(setting), [setting]: String(port) });
      expect(status).to.equal(1);
      expect(output)
        .to.match(/^port_taken: /)
        .and.include(`${port} of 127.0.0.1`)
        .and.include(setting);
      sentence(output);
      expect(readdirSync(fresh(setting))).not.to.include('service.json');
    }
  });

  it('lists misspelt settings first', async () => {
    const env = {
      SUUQ_DATA: fresh('misspelt'),
      PORT: String(port),
      SUUQ_LOG: 'warn',
      SUUQ_CHANEL_URL: 'https://x.test',
    };
    const { logged } = await start(env);
    const [entry] = logged
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>);
    expect([entry?.level, entry?.setting, entry?.msg]).to.deep.equal([
      'warn',
      'SUUQ_CHANEL_URL',
      'SUUQ_CHANEL_URL is set, but it is not a setting. Did you mean SUUQ_CHANNEL_URL?',
    ]);
  });

  it('names a host that is not this machine’s', async () => {
    const { status, output } = await start({
      SUUQ_DATA: fresh('host'),
      HOST: '192.0.2.1',
      SUUQ_SANDBOX: 'on',
      SUUQ_CONSOLE_PORT: '0',
    });
    expect(status).to.equal(1);
    expect(output).to.match(/^wrong_setting: HOST /);
    sentence(output);
  });

  it('creates no demo store if the service looks public, and creates nothing', async () => {
    for (const [name, value] of [
      ['HOST', '0.0.0.0'],
      ['NODE_ENV', 'production'],
    ] as const) {
      const { status, output } = await start({ SUUQ_DATA: fresh('meant'), [name]: value });
      expect(status).to.equal(1);
      expect(output)
        .to.match(/^wrong_setting: SUUQ_CHANNEL_URL .*must be set/)
        .and.include(name)
        .and.include('SUUQ_SANDBOX=on');
      sentence(output);
      expect(existsSync(fresh('meant'))).to.equal(false);
    }
  });

  it('names a data folder that is a file, or below one', async () => {
    writeFileSync(fresh('file'), '');
    for (const path of [fresh('file'), join(fresh('file'), 'data')]) {
      const { status, output } = await start({ SUUQ_DATA: path });
      expect(status).to.equal(1);
      expect(output)
        .to.match(/^data_folder_unusable: /)
        .and.include(path);
      sentence(output);
    }
  });

  it('explains why events.db cannot be opened', async () => {
    mkdirSync(fresh('broken'));
    writeFileSync(join(fresh('broken'), 'events.db'), 'this is no database');
    const { status, output } = await start({ SUUQ_DATA: fresh('broken'), SUUQ_MASTER_KEY: '0'.repeat(64) });
    expect(status).to.equal(1);
    expect(output).to.match(/^log_damaged: events.db: file is not a database/);
    sentence(output);
  });

  it('loads no driver of unused engines, and only the packages that a start needs', () => {
    const [drivers, pages, later] = [
      'mongodb|@grpc|@eventstore|@aws-sdk',
      'express|compression|helmet',
      'ajv|find-my-way|undici|libphonenumber-js',
    ];
    const modules = [
      ...['instance', 'service', 'threads/projectionsHost', 'serve'].map(
        (name) => `dist/service/composition/${name}.js`,
      ),
      'dist/infrastructure/sandbox/sandbox.js',
      'dist/cli/run.js',
    ];
    const script = `
      import { Module } from 'node:module';
      for (const path of ${JSON.stringify(modules)}) await import(${JSON.stringify(projectFolder)} + path);
      console.log(JSON.stringify(Object.keys(Module._cache).filter((path) => /node_modules.(${drivers}|${pages}|${later})[/\\\\]/.test(path))));
    `;
    const ran = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(ran.stderr).to.equal('');
    expect(JSON.parse(ran.stdout)).to.deep.equal([]);
  });
});

describe('the first steps printed by a start', () => {
  const folder = temporaryFolder('suuq-steps-');
  after(() => folder.remove());

  for (const name of ['data', "Ama's shop", 'a "quoted" $HOME `x` \\ (1)', 'دكان'])
    it(`open the demo store from a folder named ${name}`, () => {
      const data = join(folder.path, name);
      mkdirSync(data);
      const demo = { store: { workspaceId: 'w', secretKey: 'sk_test_1' } } as DemoFile;
      writeFileSync(join(data, 'demo.json'), JSON.stringify(demo));
      const text = banner({ baseUrl: 'http://127.0.0.1:1', data, isNew: true, demo });
      const [, header] = /-H ("Authorization: Bearer \$\(.*\)")/.exec(text)!;
      const ran = spawnSync('sh', ['-c', `printf %s ${header}`], { encoding: 'utf8' });
      expect([ran.stderr, ran.stdout]).to.deep.equal(['', 'Authorization: Bearer sk_test_1']);
    });
});

describe('the first requests after a start', () => {
  const folder = temporaryFolder('suuq-first-');
  let service: ServiceProcess | undefined;
  afterEach(async () => {
    await service?.stop();
    service = undefined;
  });
  after(() => folder.remove());

  it('use what is loaded after it: bodies are fully validated, and metrics include the request before', async () => {
    service = await startService(folder.path);
    const { workspaceId, secretKey } = readDemo(folder.path).store;
    const answer = await fetch(`${service.baseUrl}/api/v1/workspaces/${workspaceId}/commerce/products/shirt-1`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: '', priceCents: -1, more: 1 }),
    });
    expect(answer.status).to.equal(422);
    const { code, errors } = (await answer.json()) as { code: string; errors: object[] };
    expect(code).to.equal('validation_failed');
    expect(errors).to.deep.equal([
      { message: 'is required', location: 'body.imageUrls' },
      { message: 'is not a known property', location: 'body.more', value: 1 },
      { message: 'must not be empty', location: 'body.name', value: '' },
      { message: 'must be 0 or more', location: 'body.priceCents', value: -1 },
    ]);
    const metrics = await fetch(`${service.baseUrl}/metrics`);
    expect(metrics.headers.get('content-type')).to.match(/^text\/plain; version=0\.0\.4/);
    expect((await metrics.text()).split('\n'))
      .to.include('suuq_http_request_duration_seconds_count{operation="upsertProduct",status="422"} 1')
      .and.include('# TYPE nodejs_eventloop_lag_seconds gauge');
  });

  it('return metrics also as the first request', async () => {
    service = await startService(folder.path);
    const text = await (await fetch(`${service.baseUrl}/metrics`)).text();
    for (const name of ['suuq_build_info', 'suuq_channel_total', 'suuq_events', 'process_cpu_seconds_total'])
      expect(text).to.include(`# TYPE ${name} `);
  });
});
