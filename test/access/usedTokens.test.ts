/** User tokens open one session each: what is stored of them, and for how long. */
import { expect } from 'chai';
import { UsedTokens, usedTokens } from '../../application/access/usedTokens.js';
import { openSession, session } from '../../domain/access/session.js';
import { type FakeClock, fakeClock, until } from '../support/doubles/fakeClock.js';
import { lateStore } from '../support/doubles/lateStore.js';
import { openStage, type Stage } from '../support/stages/stage.js';

const MINUTE = 60_000;
const KEY = { keyId: 'key', hash: 'hash' };

describe('used user tokens', () => {
  let clock: FakeClock;
  let stage: Stage;
  let used: UsedTokens;
  beforeEach(async () => {
    clock = fakeClock();
    stage = await openStage('used-tokens', { clock });
    used = new UsedTokens(stage.work, clock, stage.commands);
    await used.start();
  });
  afterEach(async () => {
    used.stop();
    await stage.close();
  });

  /** Opens the session that the token may open. */
  async function open(sessionId: string): Promise<void> {
    const token = { tokenHash: 'hash', expiresAt: '2026-03-01T09:00:00Z', refreshUntil: '2026-03-31T08:00:00Z' };
    const by = { commandId: sessionId, actor: { type: 'system' }, correlationId: 'spec', isDrawn: true } as const;
    const keys = { publishableKey: KEY, signingKey: KEY };
    const terms = { mode: 'live', userId: 'asha', stores: [], ...keys, ...token } as const;
    await stage.commands.decide(by, session, sessionId, openSession(terms));
  }
  const exp = (minutes = 5): number => clock.now() / 1000 + minutes * 60;
  const refusal = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      async (sessionId) => {
        if (typeof sessionId === 'string') await open(sessionId);
        return 'taken';
      },
      ({ code }) => code,
    );

  it('are accepted once in each store, and again only by the same request', async () => {
    expect(await refusal(used.take('store-1', 'jti', exp(), 'request-1'))).to.equal('taken');
    expect(await refusal(used.take('store-1', 'jti', exp(), 'request-2'))).to.equal('user_token_replayed');
    expect(await refusal(used.take('store-1', 'jti', exp(), 'request-1')), 'repeated').to.equal('taken');
    expect(await refusal(used.take('store-2', 'jti', exp(), 'request-3'))).to.equal('taken');
    expect(await refusal(used.take('store-1', 'other', exp(), 'request-4'))).to.equal('taken');
  });

  it('may be used by the next request after a release', async () => {
    await open(await used.take('s', 'j', exp(1), 'refused'));
    await used.release('s', 'j', 'stranger');
    expect(await refusal(used.check('s', 'j', 'r')), 'by another').to.equal('user_token_replayed');
    await used.release('s', 'j', 'refused');
    expect(await refusal(used.check('s', 'j', 'r'))).to.equal('taken');
    expect(await refusal(used.take('s', 'j', exp(10), 'next'))).to.equal('taken');
    // The second token with this jti is good for longer than the first.
    await clock.advance(9 * MINUTE);
    expect(await refusal(used.take('s', 'j', exp(1), 'later'))).to.equal('user_token_replayed');
  });

  it('lead to one session for many requests at once, also through another handle on the same store', async () => {
    const other = new UsedTokens(stage.work, clock, stage.commands);
    const tries = Array.from({ length: 20 }, (_, n) =>
      (n % 2 ? used : other).take('s', 'j', exp(), `r-${n}`).catch(({ code }) => code as string),
    );
    const outcomes = new Set(await Promise.all(tries));
    outcomes.delete('user_token_replayed');
    expect(outcomes.size, 'sessions').to.equal(1);
  });

  it('may be used by the next request if a store error left no session', async () => {
    const late = lateStore(stage.work);
    late.failAfter('insert');
    const failing = new UsedTokens(late.store, clock, stage.commands);
    expect(await failing.take('s', 'j', exp(), 'first').catch(({ name }) => name)).to.equal('StoreUnavailable');
    await used.check('s', 'j', 'second');
    const second = await used.take('s', 'j', exp(), 'second');
    const third = await used.take('s', 'j', exp(), 'third');
    expect(third, 'one of both can open it').to.equal(second);
    await open(third);
    expect(await refusal(used.check('s', 'j', 'fourth'))).to.equal('user_token_replayed');
    expect(await refusal(used.take('s', 'j', exp(), 'second'))).to.equal('user_token_replayed');
    expect(await used.take('s', 'j', exp(), 'third'), 'another session of the same request').not.to.equal(third);
  });

  it('are forgotten only when their token would be rejected anyway', async () => {
    await open(await used.take('s', 'short', exp(1) + 0.5, 'r'));
    await open(await used.take('s', 'long', exp(10), 'r'));
    const stored = async () => (await stage.work.find(usedTokens.name, { limit: 10 })).length;
    await clock.advance(2 * MINUTE + 29_000);
    expect(await stored()).to.equal(2);
    await clock.advance(2 * MINUTE);
    await until('the short one is gone', async () => (await stored()) === 1);
    expect(await refusal(used.take('s', 'long', exp(), 'again'))).to.equal('user_token_replayed');
    await clock.advance(10 * MINUTE);
    await until('both are gone', async () => (await stored()) === 0);
  });
});
