/** The settings that an operator sees: effective values without secrets. */
import { expect } from 'chai';
import { SETTINGS } from '../../service/settings/settingNames.js';
import { readSettings } from '../../service/settings/settings.js';

const SECRET = 'not for anybody';
const shown = (env: Record<string, string>) =>
  Object.fromEntries(readSettings(env).inForce.map(({ name, value, isSet }) => [name, [value, isSet]]));

describe('the effective settings', () => {
  it('are the configured values, or else the defaults', () => {
    expect(shown({ PORT: '8080', SUUQ_LOG: 'warn', SUUQ_RATE_KEY: '7' })).to.deep.include({
      PORT: ['8080', true],
      HOST: ['127.0.0.1', false],
      SUUQ_LOG: ['warn', true],
      SUUQ_RATE_KEY: ['7', true],
      SUUQ_RATE_IP: ['6000', false],
      SUUQ_SANDBOX: ['on', false],
      EVENTSTORE_URL: ['embedded', false],
    });
  });

  it('contain no secret, and only the hosts of engines', () => {
    const env = {
      EVENTSTORE_URL: `esdb://admin:${SECRET}@log-1:2113,log-2:2113?tls=true`,
      MONGODB_URL: `mongodb://suuq:${encodeURIComponent(SECRET)}@views:27017/suuq?authSource=admin`,
      SUUQ_MASTER_KEY: Buffer.from(SECRET.padEnd(32)).toString('base64'),
      SUUQ_CHANNEL_URL: 'https://channel.example.com',
      SUUQ_CHANNEL_TOKEN: SECRET,
      SUUQ_CHANNEL_APP_SECRET: SECRET,
      SUUQ_CHANNEL_VERIFY_TOKEN: SECRET,
      // The traces endpoint takes precedence, so this value is never validated.
      OTEL_EXPORTER_OTLP_ENDPOINT: `https://suuq:${encodeURIComponent(SECRET)}@traces:4318/base`,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces:4318',
      OTEL_RESOURCE_ATTRIBUTES: `proxy=socks5://suuq:${encodeURIComponent(SECRET)}@proxy:1080`,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${encodeURIComponent(SECRET)}`,
    };
    const all = shown(env);
    expect(all).to.deep.include({
      EVENTSTORE_URL: ['esdb://log-1:2113,log-2:2113', true],
      MONGODB_URL: ['mongodb://views:27017', true],
      SUUQ_CHANNEL_URL: ['https://channel.example.com', true],
      OTEL_EXPORTER_OTLP_ENDPOINT: ['https://traces:4318/base', true],
      OTEL_RESOURCE_ATTRIBUTES: ['proxy=socks5://proxy:1080', true],
      SUUQ_CHANNEL_TOKEN: ['set, not shown', true],
      SUUQ_MASTER_KEY: ['set, not shown', true],
    });
    expect(JSON.stringify(all))
      .not.to.include(SECRET)
      .and.not.include(encodeURIComponent(SECRET))
      .and.not.include(env.SUUQ_MASTER_KEY);
  });

  it('are all that the service reads, each with a description', () => {
    const names = Object.keys(shown({}));
    expect(SETTINGS.filter((name) => !names.includes(name))).to.deep.equal([
      'SUUQ_SANDBOX_WEBHOOK_URL',
      'SUUQ_BACKUP_REGION',
      'SUUQ_BACKUP_ENDPOINT',
      'SUUQ_BACKUP_PATH_STYLE',
      'SUUQ_PROFILE',
    ]);
  });
});
