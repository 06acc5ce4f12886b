/** User tokens open one session each: what is kept of them, and for how long. */
import { join } from 'node:path';
import { expect } from 'chai';
import { UsedTokens, usedTokens } from '../../application/access/usedTokens.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { type FakeClock, fakeClock, until } from '../support/fakeClock.js';
import { temporaryFolder } from '../support/serviceProcess.js';

const MINUTE = 60_000;

describe('used user tokens', () => {
  const folder = temporaryFolder('suuq-used-tokens-');
  let clock: FakeClock;
  let work: DocumentStore;
  let used: UsedTokens;
  let count = 0;
  beforeEach(async () => {
    clock = fakeClock();
    work = openEmbeddedReadModels(join(folder.path, `${++count}.db`));
    used = new UsedTokens(work, clock);
    await used.start();
  });
  afterEach(async () => {
    used.stop();
    await work.close();
  });
  after(() => folder.remove());

  const exp = (minutes = 5): number => clock.now() / 1000 + minutes * 60;
  const refusal = (promise: Promise<void>): Promise<string> =>
    promise.then(
      () => 'taken',
      ({ code }) => code,
    );

  it('are taken once in each store, and again by the same request only', async () => {
    expect(await refusal(used.take('store-1', 'jti', exp(), 'request-1'))).to.equal('taken');
    expect(await refusal(used.take('store-1', 'jti', exp(), 'request-2'))).to.equal('user_token_replayed');
    expect(await refusal(used.take('store-1', 'jti', exp(), 'request-1')), 'repeated').to.equal('taken');
    expect(await refusal(used.take('store-2', 'jti', exp(), 'request-3'))).to.equal('taken');
    expect(await refusal(used.take('store-1', 'other', exp(), 'request-4'))).to.equal('taken');
  });

  it('that were given back may be taken by the next, one of many at once', async () => {
    await used.take('s', 'j', exp(1), 'refused');
    await used.giveBack('s', 'j', 'stranger');
    expect(await refusal(used.check('s', 'j', 'r')), 'by another').to.equal('user_token_replayed');
    await used.giveBack('s', 'j', 'refused');
    expect(await refusal(used.check('s', 'j', 'r'))).to.equal('taken');
    const tries = Array.from({ length: 20 }, (_, n) => refusal(used.take('s', 'j', exp(10), `r-${n}`)));
    expect((await Promise.all(tries)).filter((outcome) => outcome === 'taken')).to.have.length(1);
    // The second token with this jti is good for longer than the first.
    await clock.advance(9 * MINUTE);
    expect(await refusal(used.take('s', 'j', exp(1), 'later'))).to.equal('user_token_replayed');
  });

  it('are taken by one of many at once, also through another handle on the same store', async () => {
    const other = new UsedTokens(work, clock);
    const tries = Array.from({ length: 20 }, (_, n) => refusal((n % 2 ? used : other).take('s', 'j', exp(), `r-${n}`)));
    expect((await Promise.all(tries)).filter((outcome) => outcome === 'taken')).to.have.length(1);
  });

  it('are forgotten only when their token would be refused anyway', async () => {
    await used.take('s', 'short', exp(1) + 0.5, 'r');
    await used.take('s', 'long', exp(10), 'r');
    const kept = async () => (await work.find(usedTokens.name, { limit: 10 })).length;
    await clock.advance(2 * MINUTE + 29_000);
    expect(await kept()).to.equal(2);
    await clock.advance(2 * MINUTE);
    await until('the short one is gone', async () => (await kept()) === 1);
    expect(await refusal(used.take('s', 'long', exp(), 'again'))).to.equal('user_token_replayed');
    await clock.advance(10 * MINUTE);
    await until('both are gone', async () => (await kept()) === 0);
  });
});
