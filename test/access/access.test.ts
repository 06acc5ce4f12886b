import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { hashOf, keyContext, makeKey } from '../../application/access/keys.js';
import { isTimezone } from '../../application/access/timezones.js';
import type { Key } from '../../domain/access/keyEvents.js';
import { createPartnerKey, partner, revokePartnerKey } from '../../domain/partners/partner.js';
import type { PartnerEvent } from '../../domain/partners/partnerEvents.js';
import { createStoreKey, revokeStoreKey, store } from '../../domain/stores/store.js';
import type { StoreEvent } from '../../domain/stores/storeEvents.js';
import { loadMasterKeys } from '../../infrastructure/secrets/masterKey.js';
import { createSecretBox } from '../../infrastructure/secrets/secretBox.js';
import { given } from '../support/spec/given.js';

const opened: StoreEvent = {
  type: 'StoreCreated',
  data: {
    name: 'Hodan',
    owner: { email: 'hodan@example.com', name: 'Hodan Ali' },
    country: 'SO',
    timezone: 'Africa/Mogadishu',
    locale: 'so',
    planKey: 'standard',
  },
};
const partnered: PartnerEvent = { type: 'PartnerCreated', data: { name: 'Acme', slug: 'acme', planKey: 'standard' } };
const key = (scopes: readonly string[], kind: Key['kind'] = 'secret'): Key => ({
  keyId: 'k1',
  kind,
  mode: 'live',
  scopes,
  hash: 'h1',
  sealed: 's1',
  last4: 'abcd',
});

describe('keys of a store and of a partner', () => {
  it('keep their scopes sorted and without duplicates', () => {
    const scopes = ['orders:view', 'commerce:manage', 'orders:view'];
    given(store, opened)
      .when(createStoreKey(key(scopes)))
      .then([{ type: 'KeyCreated', data: key(['commerce:manage', 'orders:view']) }]);
  });

  it('reject an unknown scope, and list the valid ones', () => {
    const refused = given(store, opened)
      .when(createStoreKey(key(['commerce:mange'])))
      .thenRefused('unknown_scope');
    expect(refused.message).to.include('commerce:mange').and.to.include('orders:manage');
    expect(refused.problems).to.have.length(1);
  });

  it("allow a partner's scopes for a partner's key only, a store's for both", () => {
    const both = key(['commerce:manage', 'partner.stores:view']);
    given(store, opened).when(createStoreKey(both)).thenRefused('unknown_scope');
    given(partner, partnered)
      .when(createPartnerKey(both))
      .then([{ type: 'KeyCreated', data: both }]);
  });

  it('require a scope when secret, and have none when publishable', () => {
    given(store, opened)
      .when(createStoreKey(key([])))
      .thenRefused('scope_missing');
    given(store, opened)
      .when(createStoreKey(key(['orders:view'], 'publishable')))
      .thenRefused('scope_not_allowed');
  });

  it('are revoked once', () => {
    const created: StoreEvent = { type: 'KeyCreated', data: key(['orders:view']) };
    const revoked: StoreEvent = { type: 'KeyRevoked', data: { keyId: 'k1', hash: 'h1' } };
    given(store, opened, created).when(revokeStoreKey('k1')).then([revoked]);
    given(store, opened, created, revoked).when(revokeStoreKey('k1')).then([]);
    given(store, opened).when(revokeStoreKey('k1')).thenRefused('not_found');
    given(partner, partnered).when(revokePartnerKey('k1')).thenRefused('not_found');
  });

  it('are limited to 100 active ones', () => {
    const hundred = Array.from({ length: 100 }, (_, i): StoreEvent => {
      const data = { ...key(['orders:view']), keyId: `k${i + 2}` };
      return { type: 'KeyCreated', data };
    });
    const revoked: StoreEvent = { type: 'KeyRevoked', data: { keyId: 'k2', hash: 'h1' } };
    given(store, opened, ...hundred)
      .when(createStoreKey(key(['orders:view'])))
      .thenRefused('too_many_keys');
    const made = given(store, opened, ...hundred, revoked).when(createStoreKey(key(['orders:view'])));
    expect(made.events()).to.have.length(1);
  });
});

const masterKey = new Uint8Array(32).fill(7);

describe('secret box', () => {
  const box = createSecretBox(masterKey);

  it('opens what it sealed, also after a restart, and seals the same text differently each time', () => {
    const sealed = box.seal('sk_live_ሰላም', 'key:1');
    expect(createSecretBox(masterKey).open(sealed, 'key:1')).to.equal('sk_live_ሰላም');
    expect(box.seal('sk_live_ሰላም', 'key:1')).not.to.equal(sealed);
    expect(sealed).not.to.include('sk_live');
  });

  it('rejects another context and another master key', () => {
    const sealed = box.seal('secret', 'key:1');
    expect(() => box.open(sealed, 'key:2')).to.throw(/cannot be opened/);
    expect(() => createSecretBox(new Uint8Array(32).fill(8)).open(sealed, 'key:1')).to.throw(/cannot be opened/);
  });

  it('opens what any of its keys sealed, and names the sealing key and a missing key', () => {
    const [old, other] = [new Uint8Array(32).fill(8), new Uint8Array(32).fill(9)];
    const before = createSecretBox(old);
    const both = createSecretBox(masterKey, old);
    const sealed = before.seal('secret', 'key:1');
    expect(both.open(sealed, 'key:1')).to.equal('secret');
    expect([both.current, both.others]).to.deep.equal([box.current, [before.current]]);
    expect([both.isCurrent(sealed), both.isCurrent(both.seal('secret', 'key:1'))]).to.deep.equal([false, true]);
    expect(both.current).to.match(/^[0-9a-f]{16}$/);
    expect(() => createSecretBox(other, masterKey).open(sealed, 'key:1')).to.throw(before.current);
  });

  it('opens what was sealed before keys had ids, with any of its keys', () => {
    // Version 1: nonce, tag and ciphertext of 'secret' for 'key:1' under 32 bytes of 7.
    const sealed = 'Ab7VgAqfk6rlfetb4QcSNUhFYyUzjdCbZrCqtDS0hnrE7Lo';
    expect(box.open(sealed, 'key:1')).to.equal('secret');
    expect(createSecretBox(new Uint8Array(32).fill(8), masterKey).open(sealed, 'key:1')).to.equal('secret');
    expect(box.isCurrent(sealed), 'it does not say under which').to.equal(false);
    expect(() => box.open(sealed, 'key:2')).to.throw(/cannot be opened/);
    expect(() => createSecretBox(new Uint8Array(32).fill(8)).open(sealed, 'key:1')).to.throw(/cannot be opened/);
  });

  it('rejects a changed byte, and input that is too short', () => {
    const sealed = Buffer.from(box.seal('secret', 'key:1'), 'base64url');
    for (let i = 0; i < sealed.length; i++) {
      const changed = Buffer.from(sealed);
      changed[i] = changed[i]! ^ 1;
      expect(() => box.open(changed.toString('base64url'), 'key:1'), `byte ${i}`).to.throw(/cannot be opened/);
    }
    expect(() => box.open(sealed.subarray(0, 20).toString('base64url'), 'key:1')).to.throw(/cannot be opened/);
    expect(() => createSecretBox(new Uint8Array(16))).to.throw(/32 bytes/);
  });
});

describe('master key', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'suuq-master-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is created once, readable by its owner only, and stored', () => {
    const [first, ...others] = loadMasterKeys(folder);
    expect([first.length, others]).to.deep.equal([32, []]);
    expect(loadMasterKeys(folder)).to.deep.equal([first]);
    expect(statSync(join(folder, 'master.key')).mode & 0o777).to.equal(0o600);
  });

  it('is read from the setting if present, and then no file is created', () => {
    expect(loadMasterKeys(folder, [masterKey])).to.deep.equal([masterKey]);
    expect(() => readFileSync(join(folder, 'master.key'))).to.throw(/ENOENT/);
  });

  it('is not created next to events that another key has sealed', () => {
    writeFileSync(join(folder, 'events.db'), '');
    expect(() => loadMasterKeys(folder)).to.throw(/Restore it from your backup/);
    expect(() => readFileSync(join(folder, 'master.key'))).to.throw(/ENOENT/);
  });

  it('may be followed in the file by older keys that only open', () => {
    const [first] = loadMasterKeys(folder);
    const file = join(folder, 'master.key');
    writeFileSync(file, `${'0a'.repeat(32)}\n${readFileSync(file, 'utf8')}`);
    expect(loadMasterKeys(folder)).to.deep.equal([Buffer.alloc(32, 10), first]);
  });

  it('is not created over a damaged file', () => {
    writeFileSync(join(folder, 'master.key'), 'half');
    expect(() => loadMasterKeys(folder)).to.throw(/does not contain a master key/);
    expect(readFileSync(join(folder, 'master.key'), 'utf8')).to.equal('half');
  });
});

describe('a new key', () => {
  const box = createSecretBox(masterKey);
  const made = (owner: 'workspace' | 'partner', kind: Key['kind'], mode: Key['mode']) =>
    makeKey(box, { owner, kind, mode, scopes: [] });

  it('is named after its owner, kind and mode', () => {
    expect(made('workspace', 'secret', 'live').plain).to.match(/^sk_live_[0-9A-Za-z]{43}$/);
    expect(made('workspace', 'publishable', 'test').plain).to.match(/^pk_test_[0-9A-Za-z]{43}$/);
    expect(made('partner', 'secret', 'test').plain).to.match(/^psk_test_[0-9A-Za-z]{43}$/);
    expect(made('partner', 'publishable', 'live').plain).to.match(/^ppk_live_[0-9A-Za-z]{43}$/);
  });

  it('is stored as its hash and sealed, never in plain text', () => {
    const { plain, key } = made('workspace', 'secret', 'live');
    expect(JSON.stringify(key)).not.to.include(plain);
    expect(key.hash).to.equal(hashOf(plain));
    expect(key.last4).to.equal(plain.slice(-4));
    expect(box.open(key.sealed, keyContext(key.keyId))).to.equal(plain);
    expect(() => box.open(key.sealed, keyContext('another'))).to.throw(/cannot be opened/);
  });
});

describe('time zone names', () => {
  it('are those of the IANA database, not offsets', () => {
    for (const name of ['Africa/Mogadishu', 'UTC', 'Asia/Calcutta']) expect(isTimezone(name), name).to.equal(true);
    for (const name of ['+03:00', 'Mars/Olympus', 'Africa/Mogadishu ', ''])
      expect(isTimezone(name), name).to.equal(false);
  });
});
