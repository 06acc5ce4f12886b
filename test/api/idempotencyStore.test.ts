/** Idempotency keys in a store that answers late, or fails after writing. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Idempotency, type Run } from '../../api/http/idempotency/idempotency.js';
import { IdempotencyUse, idempotencyUse } from '../../api/http/idempotency/idempotencyUse.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { fakeClock, settle, unset } from '../support/doubles/fakeClock.js';
import { type LateStore, lateStore } from '../support/doubles/lateStore.js';

const RENEW_MS = 20_000;
const SAVE_MS = 5_000;
const ANSWER = { status: 201, body: '{"sessionId":"s1"}' };

describe('an Idempotency-Key with a slow store', () => {
  const clock = fakeClock();
  let folder: string;
  let work: DocumentStore;
  let late: LateStore<DocumentStore>;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'suuq-idempotency-'));
    work = openEmbeddedReadModels(join(folder, 'work.db'));
    late = lateStore(work);
  });
  afterEach(async () => {
    await work.close();
    rmSync(folder, { recursive: true });
  });

  async function began(idempotency: Idempotency): Promise<Run> {
    const started = await idempotency.begin('entry', 'same', 'asha');
    if ('replay' in started) throw new Error('was replayed');
    return started.run;
  }
  async function started(): Promise<Idempotency> {
    const idempotency = new Idempotency(late.store, clock);
    await idempotency.start();
    return idempotency;
  }

  it('stores the response after a renewal that was stored but seemed to fail', async () => {
    const idempotency = await started();
    const run = await began(idempotency);
    late.failAfter('replace');
    await clock.advance(RENEW_MS);
    await run.store(ANSWER);
    expect(await idempotency.begin('entry', 'same', 'asha')).to.deep.equal({ replay: ANSWER });
    await idempotency.stop();
  });

  it('is left to another run that has taken it over', async () => {
    const idempotency = await started();
    const lost = new Idempotency(work, unset({ now: () => clock.now(), at: () => () => undefined }));
    const slow = await began(lost);
    await clock.advance(61_000);
    const run = await began(idempotency);
    await slow.store({ status: 500 });
    await run.store(ANSWER);
    expect(await idempotency.begin('entry', 'same', 'asha')).to.deep.equal({ replay: ANSWER });
    await idempotency.stop();
  });

  it('counts once, however long a batch of writes takes', async () => {
    const use = new IdempotencyUse(late.store, clock);
    await use.start();
    for (let key = 0; key < 40; key += 1) use.started('asha');
    const first = late.hold('get');
    await clock.advance(SAVE_MS);
    const reading = await first;
    use.started('geedi');
    await clock.advance(2 * SAVE_MS);
    await reading.answer();
    await settle(50);
    await clock.advance(2 * SAVE_MS);
    await use.stop();
    const stored = await work.find<{ readonly keys: number }>(idempotencyUse.name, { limit: 10 });
    expect(stored.map(({ body }) => body.keys).sort()).to.deep.equal([1, 40]);
  });

  it('is counted without a second request after a failed write', async () => {
    const use = new IdempotencyUse(late.store, clock);
    await use.start();
    use.started('asha');
    late.failBefore('insert');
    await clock.advance(2 * SAVE_MS);
    expect(await work.count(idempotencyUse.name, {}, 10)).to.equal(1);
    await use.stop();
  });
});
