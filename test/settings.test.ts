import { expect } from 'chai';
import { createLog } from '../api/log.js';
import { readSettings, SettingsError } from '../api/settings.js';

const KEY = Buffer.alloc(32, 7);
const production = {
  SUUQ_SANDBOX: 'off',
  SUUQ_CHANNEL_URL: 'https://graph.example.com/v1/',
  SUUQ_CHANNEL_TOKEN: 'channel-token',
  SUUQ_CHANNEL_APP_SECRET: 'app-secret',
  SUUQ_CHANNEL_VERIFY_TOKEN: 'verify-token',
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
    expect(readSettings({})).to.deep.equal({
      port: 3000,
      host: '127.0.0.1',
      data: './data',
      trustProxy: 0,
      rates: { ip: 6000, user: 600, key: 6000 },
      allowLoopbackWebhooks: false,
      log: 'info',
      sandbox: { port: 0 },
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
      SUUQ_ALLOW_LOOPBACK_WEBHOOKS: '1',
      SUUQ_LOG: 'debug',
      SUUQ_SANDBOX_PORT: '4000',
      SUUQ_PUBLIC_URL: 'https://api.example.com/',
    });
    expect(settings).to.deep.include({ port: 0, host: '::1', data: '/var/suuq', trustProxy: 2, log: 'debug' });
    expect(settings.rates).to.deep.equal({ ip: 0, user: 600, key: 120 });
    expect(settings.sandbox).to.deep.equal({ port: 4000 });
    expect([settings.allowLoopbackWebhooks, settings.publicUrl]).to.deep.equal([true, 'https://api.example.com']);
  });

  it('take the master key as hex or base64', () => {
    for (const text of [KEY.toString('hex'), KEY.toString('base64'), KEY.toString('base64url')])
      expect(Buffer.from(readSettings({ SUUQ_MASTER_KEY: text }).masterKey!).equals(KEY), text).to.equal(true);
  });

  it('need the channel when the sandbox is off', () => {
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

  it('refuse loopback webhooks without the sandbox, with the reason', () => {
    expect(refusal({ ...production, SUUQ_ALLOW_LOOPBACK_WEBHOOKS: '1' }))
      .to.include('SUUQ_ALLOW_LOOPBACK_WEBHOOKS')
      .and.include('sandbox is off');
  });

  for (const [name, values] of Object.entries({
    PORT: ['-1', '65536', '3000x', '1e3', '0x10'],
    HOST: ['a b', 'http://x'],
    SUUQ_TRUST_PROXY: ['true', '11'],
    SUUQ_RATE_IP: ['-5', 'many'],
    SUUQ_RATE_USER: ['1.5'],
    SUUQ_RATE_KEY: ['∞'],
    SUUQ_LOG: ['verbose', 'INFO'],
    SUUQ_SANDBOX: ['no'],
    SUUQ_SANDBOX_PORT: ['99999'],
    SUUQ_ALLOW_LOOPBACK_WEBHOOKS: ['yes'],
    SUUQ_PUBLIC_URL: ['api.example.com', 'ftp://x', 'https://x/?a=1', 'https://user:secretpart@x'],
    SUUQ_CHANNEL_URL: ['nonsense'],
    SUUQ_MASTER_KEY: ['secretpart', KEY.toString('hex').slice(2), `${KEY.toString('base64')}A`],
  }))
    it(`refuse a wrong ${name} in one sentence that names it`, () => {
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

describe('logs', () => {
  it('never hold keys, tokens and credentials, wherever they stand', () => {
    const lines: string[] = [];
    const log = createLog('debug', { write: (line: string) => void lines.push(line) });
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
    expect(lines).to.have.length(3);
    for (const secret of secrets) expect(lines.join('')).not.to.include(secret);
    expect(JSON.parse(lines[1]!)).to.include({ level: 'error', service: 'suuq' });
  });

  it('leave out what is below their level', () => {
    const lines: string[] = [];
    const log = createLog('warn', { write: (line: string) => void lines.push(line) });
    log.info('no');
    log.warn('yes');
    expect(lines).to.have.length(1);
  });
});
