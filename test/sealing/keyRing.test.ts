import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { PersonVault } from '../../engine/ports/personVault.js';
import { KeyRing, sealedKey } from '../../engine/sealing/keyRing.js';
import { createSecretBox } from '../../infrastructure/secrets/secretBox.js';
import { openEmbeddedVault } from '../../infrastructure/sqlite/personVault.js';
import { type LateStore, lateStore } from '../support/doubles/lateStore.js';
import { MASTER_KEY } from './sealingStage.js';

const AT = '2025-03-01T10:00:00.000Z';
const KEY = Buffer.alloc(32, 1);

describe('cached keys', () => {
  const box = createSecretBox(MASTER_KEY);
  let folder: string;
  let vault: PersonVault;
  let late: LateStore<PersonVault>;
  let ring: KeyRing;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'suuq-key-ring-'));
    vault = openEmbeddedVault(join(folder, 'vault.db'));
    late = lateStore(vault);
    ring = new KeyRing(late.store, box, { hears: 0 });
    await vault.add(
      ['asha', 'geedi'].map((id) => ({ id, key: sealedKey(box, id, KEY) })),
      [],
    );
  });
  afterEach(async () => {
    await vault.close();
    rmSync(folder, { recursive: true });
  });
  const keyOf = async (person: string) => (await ring.of(new Set([person])))(person);

  it('are removed with their subject, also if the vault returns an old key late', async () => {
    const current = late.hold('keys');
    const reading = keyOf('asha');
    const keys = await current;
    await keys.takeEffect();
    await vault.forget(['asha'], AT);
    // Another reader hears of it.
    expect(await keyOf('geedi')).to.deep.equal(KEY);
    await keys.answer();
    expect(await reading).to.equal(undefined);
    expect(await keyOf('asha')).to.equal(undefined);
    expect(await keyOf('geedi')).to.deep.equal(KEY);
  });

  it('are complete once returned, also if they expire right after', async () => {
    const hearing = new KeyRing(vault, box, { hears: 60_000 });
    await hearing.of(new Set(['asha', 'geedi']));
    const { now } = performance;
    try {
      const known = hearing.known(new Set(['asha', 'geedi']))!;
      performance.now = () => now.call(performance) + 10 * 60_000;
      expect(known('asha')).to.deep.equal(KEY);
    } finally {
      performance.now = now;
    }
  });

  it('keep an erasure, also if the vault returns nothing late', async () => {
    await ring.hear();
    const hears = late.hold('forgottenAfter');
    const request = ring.anyForgotten();
    const all = late.hold('forgottenAfter');
    await (await hears).answer();
    const answer = await all;
    await answer.takeEffect();
    await vault.forget(['asha'], AT);
    await ring.hear();
    await answer.answer();
    await request;
    expect(await ring.anyForgotten()).to.equal(true);
  });
});
