import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
import { commandLine } from '../support/stages/commandLine.js';
import { foundInstallation } from '../support/stages/installation.js';

describe('command line, keys and appearance for sessions', () => {
  const folder = temporaryFolder('suuq-session-keys-');
  after(() => folder.remove());
  const { suuq, json } = commandLine(join(folder.path, 'data'));
  let partner: string;
  before(async () => {
    await foundInstallation(join(folder.path, 'data'));
    json('admin', 'plans', 'put', '--key', 'p', '--name', 'P');
    partner = json('admin', 'partners', 'create', '--name', 'Acme', '--slug', 'acme', '--plan', 'p').id;
  });

  it('creates publishable keys for pages that may embed, and lists them', () => {
    const make = (...more: string[]) =>
      suuq('admin', 'keys', 'create', '--partner', partner, '--mode', 'live', ...more);
    const origins = 'https://Shop.example,https://app.example:8443';
    const made = make('--kind', 'publishable', '--origins', origins, '--origins', 'http://localhost:5173');
    expect(made.status, made.stderr).to.equal(0);
    expect(made.stdout).to.match(/^ppk_live_/);
    const [key] = json('admin', 'keys', 'list', '--partner', partner).keys;
    expect(key.origins).to.deep.equal(['http://localhost:5173', 'https://app.example:8443', 'https://shop.example']);
    expect(suuq('admin', 'keys', 'list').stdout).to.include('https://shop.example');
    for (const wrong of [
      'shop.example',
      'http://shop.example',
      'https://shop.example/page',
      '*',
      'https://a b',
      'null',
    ]) {
      const refused = make('--kind', 'publishable', '--origins', wrong);
      expect([refused.status, refused.stderr.split(':')[0]], wrong).to.deep.equal([1, 'validation_failed']);
    }
    const secret = make('--scope', 'orders:view', '--origins', 'https://shop.example');
    expect([secret.status, secret.stderr.split(':')[0]]).to.deep.equal([1, 'origins_not_allowed']);
  });

  it('sets the appearance of a partner’s screens, field by field', () => {
    const read = (...more: string[]) => json('admin', 'partners', 'appearance', '--id', partner, ...more);
    const first = { id: partner, primaryColor: '#0F766E', radius: 8, font: 'system', colorMode: 'auto' };
    expect(read()).to.deep.equal(first);
    expect(read('--color', '#1d4ed8', '--radius', '0')).to.deep.equal({ ...first, primaryColor: '#1D4ED8', radius: 0 });
    expect(read('--font', 'inter', '--mode', 'dark')).to.include({ radius: 0, font: 'inter', colorMode: 'dark' });
    const refused = suuq('admin', 'partners', 'appearance', '--id', partner, '--radius', '25');
    expect([refused.status, refused.stderr.split(':')[0]]).to.deep.equal([1, 'validation_failed']);
  });
});
