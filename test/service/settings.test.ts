import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
import { createLog } from '../../service/log.js';
import { hostsOf } from '../../service/settings/engineSettings.js';
import { readSandboxSettings } from '../../service/settings/sandboxSettings.js';
import { readSettings, SettingsError } from '../../service/settings/settings.js';

const KEY = Buffer.alloc(32, 7);
const production = {
  SUUQ_SANDBOX: 'off',
  SUUQ_CHANNEL_URL: 'https://graph.example.com/v1/',
  SUUQ_CHANNEL_TOKEN: 'channel-token',
  SUUQ_CHANNEL_APP_SECRET: 'app-secret',
  SUUQ_CHANNEL_VERIFY_TOKEN: 'verify-token',
};

const shared = {
  EVENTSTORE_URL: 'esdb://admin:secretpart@127.0.0.1:2113?tls=false',
  MONGODB_URL: 'mongodb://127.0.0.1:27017/suuq?replicaSet=rs0',
  SUUQ_MASTER_KEY: KEY.toString('hex'),
};

function refusal(env: Record<string, string>): string {
  try {
    readSettings(env);
  } catch (error) {
    expect(error).to.be.instanceOf(SettingsError);
    return (error as Error).message;
  }
  throw new Error(`accepted ${JSON.stringify(env)}`);
}

describe('settings', () => {
  it('have a default each', () => {
    const { inForce: _, ...settings } = readSettings({});
    expect(settings).to.deep.equal({
      port: 3000,
      host: '127.0.0.1',
      allowedHosts: [],
      data: './data',
      trustProxy: 0,
      rates: { ip: 6000, user: 600, key: 6000 },
      connections: { all: 4096, byAddress: 512 },
      bodyMemory: 67_108_864,
      allowLoopbackWebhooks: false,
      log: 'info',
      sandbox: { host: '127.0.0.1', port: 0 },
      demo: 'shop',
      roles: ['api', 'projections', 'processors'],
      files: { folder: 'data/files' },
      mediaHosts: ['lookaside.fbsbx.com'],
      statusTemplates: {},
      treeHeads: 'public',
      seal: true,
    });
    expect(readSettings({ PORT: '', SUUQ_LOG: ' ' }).port).to.equal(3000);
  });

  it('are read as given', () => {
    const settings = readSettings({
      PORT: '0',
      HOST: '::1',
      SUUQ_DATA: '/var/suuq',
      SUUQ_TRUST_PROXY: '2',
      SUUQ_RATE_IP: '0',
      SUUQ_RATE_KEY: '120',
      SUUQ_CONNECTIONS: '100',
      SUUQ_CONNECTIONS_IP: '0',
      SUUQ_BODY_MEMORY: '32',
      SUUQ_ALLOW_LOOPBACK_WEBHOOKS: '1',
      SUUQ_LOG: 'debug',
      SUUQ_SANDBOX_PORT: '4000',
      SUUQ_PUBLIC_URL: 'https://api.example.com/',
      SUUQ_ALLOWED_HOSTS: 'suuq, pages.example.com,[fd00::1]',
      SUUQ_PAYMENT_URL: 'https://pay.example.com/',
      SUUQ_STATUS_TEMPLATES: 'en=order_update/en_US, ar=order_update/ar',
    });
    expect(settings.paymentUrl).to.equal('https://pay.example.com');
    expect(settings.statusTemplates).to.deep.equal({
      en: { name: 'order_update', language: 'en_US' },
      ar: { name: 'order_update', language: 'ar' },
    });
    expect(settings).to.deep.include({ port: 0, host: '::1', data: '/var/suuq', trustProxy: 2, log: 'debug' });
    expect(settings.allowedHosts).to.deep.equal(['suuq', 'pages.example.com', '[fd00::1]']);
    expect(settings.rates).to.deep.equal({ ip: 0, user: 600, key: 120 });
    expect([settings.connections, settings.bodyMemory]).to.deep.equal([{ all: 100, byAddress: 0 }, 33_554_432]);
    expect(refusal({ SUUQ_BODY_MEMORY: '31' })).to.match(/^SUUQ_BODY_MEMORY .*32/);
    expect(settings.sandbox).to.deep.equal({ host: '127.0.0.1', port: 4000 });
    expect([settings.allowLoopbackWebhooks, settings.publicUrl]).to.deep.equal([true, 'https://api.example.com']);
  });

  for (const [text, floor] of Object.entries({
    '2GiB': { bytes: 2 * 1024 ** 3 },
    '1.5 MiB': { bytes: 1_572_864 },
    '10%': { percent: 10 },
    '0': { bytes: 0 },
  }))
    it(`leave ${text} of the disk free of files`, () => {
      expect(readSettings({ SUUQ_FREE_SPACE: text }).freeSpace).to.deep.equal(floor);
    });

  it('accept the master key as hex or base64', () => {
    for (const text of [KEY.toString('hex'), KEY.toString('base64'), KEY.toString('base64url')])
      expect(Buffer.from(readSettings({ SUUQ_MASTER_KEY: text }).masterKeys![0]).equals(KEY), text).to.equal(true);
  });

  it('accept several master keys: the first encrypts', () => {
    const other = Buffer.alloc(32, 9);
    for (const between of [',', ', ', '\n']) {
      const keys = readSettings({ SUUQ_MASTER_KEY: `${KEY.toString('hex')}${between}${other.toString('base64')}` });
      expect(keys.masterKeys!.map((one) => Buffer.from(one).toString('hex'))).to.deep.equal([
        KEY.toString('hex'),
        other.toString('hex'),
      ]);
    }
    const six = Array(6).fill(KEY.toString('hex')).join();
    expect(refusal({ SUUQ_MASTER_KEY: six })).to.match(/^SUUQ_MASTER_KEY holds 6 keys/);
    expect(refusal({ SUUQ_MASTER_KEY: `${KEY.toString('hex')},secretpart` })).to.match(
      /^SUUQ_MASTER_KEY .*is not a key/,
    );
  });

  it('read the master key from a file', () => {
    const folder = temporaryFolder('suuq-settings-');
    const SUUQ_MASTER_KEY_FILE = join(folder.path, 'master.key');
    writeFileSync(SUUQ_MASTER_KEY_FILE, `${KEY.toString('hex')}\n`);
    const { SUUQ_MASTER_KEY, ...urls } = shared;
    expect(Buffer.from(readSettings({ ...urls, SUUQ_MASTER_KEY_FILE }).masterKeys![0]).equals(KEY)).to.equal(true);
    expect(refusal({ SUUQ_MASTER_KEY, SUUQ_MASTER_KEY_FILE })).to.match(/^SUUQ_MASTER_KEY_FILE must not be set/);
    writeFileSync(SUUQ_MASTER_KEY_FILE, 'secretpart');
    expect(refusal({ SUUQ_MASTER_KEY_FILE })).to.match(/^SUUQ_MASTER_KEY_FILE .*is not a key/);
    folder.remove();
    expect(refusal({ SUUQ_MASTER_KEY_FILE })).to.match(/^SUUQ_MASTER_KEY_FILE .*ENOENT/);
  });

  it('require the channel when the sandbox is off', () => {
    expect(readSettings(production).channel).to.deep.equal({
      url: 'https://graph.example.com/v1',
      token: 'channel-token',
      appSecret: 'app-secret',
      verifyToken: 'verify-token',
    });
    for (const name of Object.keys(production).filter((one) => one !== 'SUUQ_SANDBOX'))
      expect(refusal({ ...production, [name]: '' }))
        .to.include(name)
        .and.include('SUUQ_SANDBOX=off');
  });

  it('enable the sandbox by default on this machine only', () => {
    expect(readSettings({}).sandbox).to.be.an('object');
    for (const HOST of ['localhost', '127.0.0.1', '::1']) expect(readSettings({ HOST }).sandbox).to.be.an('object');
    const hosts: Record<string, string>[] = ['0.0.0.0', '::', '192.0.2.1', 'shop.internal'].map((HOST) => ({
      HOST,
      SUUQ_CONSOLE_PORT: '3009',
    }));
    for (const env of [{ NODE_ENV: 'production' }, ...hosts]) {
      expect(refusal(env))
        .to.match(/^SUUQ_CHANNEL_URL .*must be set, since (NODE_ENV|HOST) is .*\.$/)
        .and.include('SUUQ_SANDBOX=on');
      expect(readSettings({ ...env, SUUQ_SANDBOX: 'on' }).sandbox).to.be.an('object');
      const { SUUQ_SANDBOX: _, ...channel } = production;
      expect(readSettings({ ...env, ...channel })).to.deep.include({ sandbox: false });
    }
  });

  it('put the console on its own port if others can reach the service', () => {
    expect(readSettings({ HOST: '::1' })).not.to.have.property('consolePort');
    expect(readSettings({ SUUQ_CONSOLE_PORT: '0' }).consolePort).to.equal(0);
    const open = { HOST: '0.0.0.0', SUUQ_SANDBOX: 'on' };
    expect(refusal(open)).to.match(/^SUUQ_CONSOLE_PORT is not set, but is required since HOST is 0\.0\.0\.0/);
    expect(readSettings({ ...open, SUUQ_CONSOLE_PORT: '3009' }).consolePort).to.equal(3009);
    expect(refusal({ SUUQ_CONSOLE_PORT: 'x' })).to.include('SUUQ_CONSOLE_PORT');
  });

  it('reject loopback webhooks without the sandbox, with the reason', () => {
    expect(refusal({ ...production, SUUQ_ALLOW_LOOPBACK_WEBHOOKS: '1' }))
      .to.include('SUUQ_ALLOW_LOOPBACK_WEBHOOKS')
      .and.include('sandbox is off');
  });

  it('allow loopback webhooks if the channel is on this machine', () => {
    const env = { ...production, SUUQ_CHANNEL_URL: 'http://127.0.0.1:4010', SUUQ_ALLOW_LOOPBACK_WEBHOOKS: '1' };
    expect(readSettings(env).allowLoopbackWebhooks).to.equal(true);
  });

  it('send secrets over https only to other machines, by default', () => {
    for (const url of ['http://127.0.0.1:4010', 'http://localhost:4010', 'http://[::1]:4010']) {
      const settings = readSettings({ ...production, SUUQ_CHANNEL_URL: url, SUUQ_PAYMENT_URL: url });
      expect([settings.channel?.url, settings.paymentUrl]).to.deep.equal([url, url]);
    }
    const url = 'http://sandbox:4010';
    const env = { ...production, SUUQ_CHANNEL_URL: url, SUUQ_PAYMENT_URL: url };
    expect(refusal(env)).to.match(/^SUUQ_CHANNEL_URL must be an https URL/);
    expect(refusal({ ...env, SUUQ_CHANNEL_URL: 'https://graph.example.com' })).to.match(
      /^SUUQ_PAYMENT_URL must be an https/,
    );
    expect(readSettings({ ...env, SUUQ_ALLOW_PLAIN_HTTP: '1' }).paymentUrl).to.equal(url);
  });

  it('name the shared engines, the roles and this instance', () => {
    const settings = readSettings({
      ...shared,
      SUUQ_ROLES: 'projections, api',
      SUUQ_INSTANCE: 'shop-2',
    });
    expect(settings).to.deep.include({
      eventStoreUrl: shared.EVENTSTORE_URL,
      mongoUrl: shared.MONGODB_URL,
      roles: ['api', 'projections'],
      instance: 'shop-2',
    });
    for (const scheme of ['kurrentdb', 'kurrentdb+discover', 'kdb', 'kdb+discover'])
      expect(readSettings({ ...shared, EVENTSTORE_URL: `${scheme}://a:2113` }).eventStoreUrl).to.equal(
        `${scheme}://a:2113`,
      );
    const names = { EVENTSTORE_URL: 'esdb+discover://a:2113,b:2113', MONGODB_URL: 'mongodb+srv://db.example.com' };
    expect(readSettings({ ...shared, ...names })).to.deep.include({ eventStoreUrl: names.EVENTSTORE_URL });
  });

  it('set how many threads build read models, by default from the cores', () => {
    expect(readSettings({ SUUQ_THREADS: '1' }).threads).to.equal(1);
    expect(readSettings({ SUUQ_THREADS: '0' })).not.to.have.property('threads');
    expect(readSettings({})).not.to.have.property('threads');
  });

  it('require a master key as soon as one engine is shared', () => {
    for (const name of ['EVENTSTORE_URL', 'MONGODB_URL'] as const) {
      const message = refusal({ [name]: shared[name] });
      expect(message).to.match(/^SUUQ_MASTER_KEY .*must be set/);
      expect(readSettings({ [name]: shared[name], SUUQ_MASTER_KEY: shared.SUUQ_MASTER_KEY }).roles).to.have.length(3);
    }
  });

  it('require every role if no other instance can have it', () => {
    for (const missing of ['EVENTSTORE_URL', 'MONGODB_URL'])
      expect(refusal({ ...shared, [missing]: '', SUUQ_ROLES: 'api' }))
        .to.match(/^SUUQ_ROLES omits projections and processors/)
        .and.include('EVENTSTORE_URL and MONGODB_URL');
  });

  it('serve the embedded event store at its own address', () => {
    const EVENTSTORE_ENDPOINT_USER = 'reader';
    const EVENTSTORE_ENDPOINT_PASSWORD = 'secretpart';
    const reading = { open: false, writes: false };
    expect(readSettings({ EVENTSTORE_ENDPOINT: '127.0.0.1:0' }).endpoint).to.deep.equal({
      ...{ host: '127.0.0.1', port: 0 },
      ...reading,
    });
    expect(readSettings({ EVENTSTORE_ENDPOINT: '[::1]:2113' }).endpoint).to.deep.equal({
      ...{ host: '::1', port: 2113 },
      ...reading,
    });
    const known = { EVENTSTORE_ENDPOINT: '0.0.0.0:2113', EVENTSTORE_ENDPOINT_USER, EVENTSTORE_ENDPOINT_PASSWORD };
    expect(readSettings(known).endpoint?.credentials).to.deep.equal({ user: 'reader', password: 'secretpart' });
    const all = { EVENTSTORE_ENDPOINT_OPEN: '1', EVENTSTORE_ENDPOINT_WRITE: '1' };
    expect(readSettings({ EVENTSTORE_ENDPOINT: 'localhost:0', ...all }).endpoint).to.include({
      open: true,
      writes: true,
    });
    expect(refusal({ ...known, EVENTSTORE_ENDPOINT_OPEN: '1' })).to.match(/^EVENTSTORE_ENDPOINT_OPEN must not be set/);
    expect(refusal({ EVENTSTORE_ENDPOINT: '0.0.0.0:2113', EVENTSTORE_ENDPOINT_OPEN: '1' })).to.match(
      /which other machines can reach, so EVENTSTORE_ENDPOINT_OPEN must not be set/,
    );
    expect(refusal({ EVENTSTORE_ENDPOINT: '127.0.0.1:2113', EVENTSTORE_ENDPOINT_PASSWORD }))
      .to.match(/^EVENTSTORE_ENDPOINT_USER/)
      .and.not.include('secretpart');
    expect(refusal({ ...shared, EVENTSTORE_ENDPOINT: '127.0.0.1:2113' })).to.include('EVENTSTORE_URL');
  });

  it('show only the hosts of an engine', () => {
    expect(hostsOf('esdb://admin:secret@part@a.example.com:2113,b:2113?tls=false')).to.equal(
      'a.example.com:2113,b:2113',
    );
    expect(hostsOf('esdb://admin:a/b?c@d#@host:2113?x=1')).to.equal('host:2113');
    expect(hostsOf('mongodb+srv://u:p@db.example.com/suuq?x=@y')).to.equal('db.example.com');
  });

  for (const [name, values] of Object.entries({
    PORT: ['-1', '65536', '3000x', '1e3', '0x10'],
    HOST: ['a b', 'http://x'],
    SUUQ_ALLOWED_HOSTS: ['https://x', 'a:80', 'a,', '*'],
    SUUQ_TRUST_PROXY: ['true', '11'],
    SUUQ_RATE_IP: ['-5', 'many'],
    SUUQ_RATE_USER: ['1.5'],
    SUUQ_RATE_KEY: ['∞'],
    SUUQ_LOG: ['verbose', 'INFO'],
    SUUQ_DEMO: ['on'],
    SUUQ_SANDBOX: ['no'],
    SUUQ_SANDBOX_PORT: ['99999'],
    SUUQ_ALLOW_LOOPBACK_WEBHOOKS: ['yes'],
    SUUQ_ALLOW_PLAIN_HTTP: ['yes'],
    SUUQ_PUBLIC_URL: ['api.example.com', 'ftp://x', 'https://x/?a=1', 'https://user:secretpart@x'],
    SUUQ_CHANNEL_URL: ['nonsense', 'http://graph.example.com', 'http://192.0.2.1:4010'],
    SUUQ_PAYMENT_URL: [
      'pay.example.com',
      'http://pay.example.com',
      'https://user:secretpart@x',
      'https://x/?key=secretpart',
    ],
    SUUQ_STATUS_TEMPLATES: ['order_update', 'fr=a/fr', 'en=A/en', 'en=a/en,en=b/en', 'en=a'],
    SUUQ_FREE_SPACE: ['lots', '100', '5 GB', '-1GiB', '91%', '1e3MiB'],
    SUUQ_ROLES: ['all', 'api,', 'API'],
    SUUQ_INSTANCE: ['a b', 'x'.repeat(65)],
    SUUQ_THREADS: ['-1', '2.5', 'all', '65'],
    EVENTSTORE_URL: ['127.0.0.1:2113', 'http://user:secretpart@x', 'esdb://', 'esdb://user:secretpart@/', 'esdb://a b'],
    MONGODB_URL: ['mongo://x', 'mongodb://user:secretpart@', 'mongodb:///suuq'],
    EVENTSTORE_MAX_APPEND_SIZE: ['1 MiB', '16777217'],
    EVENTSTORE_ENDPOINT: ['2113', 'on', '127.0.0.1', '127.0.0.1:65536', 'http://127.0.0.1:2113'],
    SUUQ_MASTER_KEY: ['secretpart', KEY.toString('hex').slice(2), `${KEY.toString('base64')}A`],
  }))
    it(`reject an invalid ${name} in one sentence that names it`, () => {
      const rest = name === 'SUUQ_CHANNEL_URL' ? production : {};
      for (const value of values) {
        const message = refusal({ ...rest, [name]: value });
        expect(message)
          .to.match(new RegExp(`^${name}\\b.*\\.$`))
          .and.match(/must be/);
        expect(message).not.to.include('secretpart');
        expect(message.split('. ')).to.have.length(1);
      }
    });
});

describe('settings of a separate sandbox', () => {
  const env = {
    SUUQ_SANDBOX_WEBHOOK_URL: 'http://127.0.0.1:3000/channel/webhook',
    SUUQ_CHANNEL_TOKEN: 'channel-token',
    SUUQ_CHANNEL_APP_SECRET: 'app-secret',
    SUUQ_CHANNEL_VERIFY_TOKEN: 'verify-token',
  };

  it("are its address, the webhook, and the instances' keys", () => {
    expect(readSandboxSettings(env)).to.deep.equal({
      host: '127.0.0.1',
      allowedHosts: [],
      port: 4010,
      data: './data',
      webhookUrl: env.SUUQ_SANDBOX_WEBHOOK_URL,
      token: 'channel-token',
      appSecret: 'app-secret',
      verifyToken: 'verify-token',
      log: 'info',
    });
    expect(readSandboxSettings({ ...env, MONGODB_URL: shared.MONGODB_URL }).mongoUrl).to.equal(shared.MONGODB_URL);
  });

  for (const name of Object.keys(env))
    it(`are rejected without ${name}`, () => {
      expect(() => readSandboxSettings({ ...env, [name]: '' }))
        .to.throw(SettingsError)
        .with.property('message')
        .that.matches(new RegExp(`^${name} must be set`));
    });
});

describe('logs', () => {
  it('never contain keys, tokens and credentials, in any place', () => {
    const lines: string[] = [];
    const log = createLog('debug', { to: { write: (line: string) => void lines.push(line) } });
    const secrets = ['sk_live_abcdefgh', 'psk_test_abcdefgh', 'whsec_abcdefgh', 'sdk_abcdefgh', 'open-sesame'];
    log.info(
      { authorization: 'open-sesame', headers: { authorization: 'open-sesame', cookie: 'open-sesame' } },
      'in fields',
    );
    log.error(
      { err: new Error(`key ${secrets[0]} and ${secrets[1]}`), url: `/x?y=${secrets[2]}` },
      `text ${secrets[3]}`,
    );
    log.warn({ secret: 'open-sesame', channel: { token: 'open-sesame' } }, 'Authorization: Bearer open-sesame');
    log.error({ url: 'esdb://admin:open-sesame@10.0.0.1:2113' }, 'no answer of mongodb+srv://suuq:open-sesame@db/suuq');
    expect(lines).to.have.length(4);
    expect(lines[3]).to.include('10.0.0.1:2113').and.include('db/suuq');
    for (const secret of secrets) expect(lines.join('')).not.to.include(secret);
    expect(JSON.parse(lines[1]!)).to.include({ level: 'error', service: 'suuq' });
  });

  it('leave out lines below their level', () => {
    const lines: string[] = [];
    const log = createLog('warn', { to: { write: (line: string) => void lines.push(line) } });
    log.info('no');
    log.warn('yes');
    expect(lines).to.have.length(1);
  });
});
