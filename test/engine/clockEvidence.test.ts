import { expect } from 'chai';
import { readiness } from '../../api/server/health.js';
import { ClockEvidence, clockConfirmed, unconfirmedMs } from '../../engine/clockEvidence.js';
import type { Documents } from '../../engine/ports/documents.js';
import { sweepExpired } from '../../engine/sweepExpired.js';
import { type FakeClock, fakeClock } from '../support/doubles/fakeClock.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('evidence for the clock', () => {
  let clock: FakeClock;
  beforeEach(() => {
    clock = fakeClock();
  });
  const evidence = (...agesMs: number[]) =>
    new ClockEvidence(
      clock,
      agesMs.map((age) => clock.now() - age),
    );

  it('is the newest stored time, within a day', () => {
    for (const known of [
      evidence(HOUR),
      evidence(800 * DAY, 23 * HOUR),
      evidence(-HOUR),
      evidence(Number.NaN),
      evidence(),
    ])
      expect([known.waitMs(), known.report()]).to.deep.equal([0, undefined]);
  });

  it('is a second check after an hour if the log is much older, for example 800 days', async () => {
    const known = evidence(800 * DAY);
    expect(known.report()).to.equal(
      "this machine's clock is 800 days ahead of the newest event: erasures, deletions and cancellations are paused for 60 min, until the clock is confirmed",
    );
    await clock.advance(59 * MINUTE);
    expect(known.waitMs()).to.equal(MINUTE);
    await clock.advance(MINUTE);
    expect([known.waitMs(), known.report()]).to.deep.equal([0, undefined]);
  });

  it('is reported in /readyz, which stays ready, until the clock is confirmed', async () => {
    const known = evidence(800 * DAY);
    const check = (): { note: string } | undefined => {
      const note = known.report();
      return note === undefined ? undefined : { note };
    };
    const ready = () => readiness('ready', [{ name: 'clock', quiet: true, check }]);
    const { status, checks } = await ready();
    expect([status, checks[0]?.ok, checks[0]?.detail]).to.deep.equal(['ready', true, known.report()]);
    await clock.advance(HOUR);
    expect(await ready()).to.deep.equal({ status: 'ready', phase: 'ready', checks: [] });
  });

  it('reports also a clock that is behind', () => {
    expect(evidence(-3 * DAY).report()).to.match(/^this machine's clock is 3 days behind the newest event:/);
  });

  it('starts over when the clock is set, and not when it drifts', async () => {
    const known = evidence(HOUR);
    await clock.set(MINUTE);
    expect(known.waitMs()).to.equal(0);
    await clock.set(3 * DAY);
    expect(known.waitMs()).to.equal(HOUR);
    await clock.advance(30 * MINUTE);
    await clock.set(-3 * DAY);
    expect(known.waitMs()).to.equal(HOUR);
    await clock.advance(HOUR);
    expect(known.waitMs()).to.equal(0);
  });

  it('is required before expired data is removed', async () => {
    const removed: unknown[] = [];
    const removeWhere = async (...[collection, where]: Parameters<Documents['removeWhere']>) => {
      removed.push([collection, where]);
      return 0;
    };
    const end = sweepExpired({ removeWhere }, { ...clock, evidence: evidence(800 * DAY) }, 'answers');
    await clock.advance(59 * MINUTE);
    expect(removed).to.deep.equal([]);
    await clock.advance(MINUTE);
    expect(removed).to.deep.equal([['answers', { expiresAt: { lte: clock.now() } }]]);
    end();
  });

  it('is awaited, unless the process ends', async () => {
    const doubted = { ...clock, evidence: evidence(800 * DAY) };
    const ending = new AbortController();
    const ended = clockConfirmed(doubted, ending.signal).then(
      () => 'confirmed',
      () => 'ended',
    );
    let isConfirmed = false;
    const waiting = clockConfirmed(doubted, new AbortController().signal).then(() => {
      isConfirmed = true;
    });
    await clock.advance(59 * MINUTE);
    ending.abort();
    expect([await ended, isConfirmed]).to.deep.equal(['ended', false]);
    await clock.advance(2 * MINUTE);
    await waiting;
    expect(unconfirmedMs(doubted)).to.equal(0);
    expect(unconfirmedMs(clock), 'without evidence').to.equal(0);
  });
});
