import { mock } from 'node:test';
import { expect } from 'chai';
import { createSystemClock, systemClock } from '../../engine/ports/clock.js';

const START = Date.parse('2026-03-01T08:00:00Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const STEP = 10_000;

describe('a wall-clock timer', () => {
  let ran: number[];
  /** Time that has passed since the start, independent of the wall clock. */
  let passed: number;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: START });
    ran = [];
    passed = 0;
  });
  afterEach(() => mock.timers.reset());

  const pass = (ms: number): void => {
    for (let left = ms; left > 0; left -= STEP) {
      passed += STEP;
      mock.timers.tick(STEP);
    }
  };
  /** Sets the clock, as an operator or a suspended machine does. Timers do not notice. */
  const step = (ms: number): void => mock.timers.setTime(Date.now() + ms);
  const at = (ms: number): (() => void) => systemClock.at(START + ms, () => ran.push(passed));

  it('runs within a minute of its time after the machine was suspended or the clock set forward', () => {
    at(8 * HOUR);
    pass(MINUTE);
    step(8 * HOUR);
    pass(MINUTE);
    expect(ran).to.have.lengthOf(1);
    expect(ran[0]).to.be.within(MINUTE, 2 * MINUTE);
  });

  it('waits for its time when the clock is set back', () => {
    at(HOUR);
    pass(MINUTE);
    step(-2 * HOUR);
    pass(2 * HOUR);
    expect(ran).to.deep.equal([]);
    pass(2 * HOUR);
    expect(ran).to.have.lengthOf(1);
    expect(ran[0]).to.be.within(3 * HOUR, 3 * HOUR + MINUTE);
  });

  it('runs once at its time if the clock is not changed, and never after cancellation', () => {
    at(3 * HOUR);
    const cancel = at(2 * HOUR);
    pass(HOUR);
    cancel();
    pass(3 * HOUR);
    expect(ran).to.deep.equal([3 * HOUR]);
  });
});

describe('a clock that is set back', () => {
  const clock = createSystemClock();
  /** Time passed on the steady clock, in ms. */
  let passed: number;
  /** Lead of the wall clock over the steady clock, in ms. */
  let ahead: number;
  let ran: number;
  let end: () => void;

  beforeEach(() => {
    [passed, ahead, ran] = [0, 0, 0];
    mock.timers.enable({ apis: ['setInterval'] });
    mock.method(performance, 'now', () => passed);
    mock.method(Date, 'now', () => START + passed + ahead);
    end = clock.onSetBack(() => ran++);
  });
  afterEach(() => {
    end();
    mock.restoreAll();
    mock.timers.reset();
  });

  const pass = (ms: number): void => {
    for (const end = passed + ms; passed < end; ) {
      passed += SECOND;
      mock.timers.tick(SECOND);
    }
  };
  const step = (ms: number): void => {
    ahead += ms;
  };

  it('is detected within a second, also if it was ahead only for seconds', () => {
    pass(10_000);
    step(3 * HOUR);
    pass(2_000);
    expect(ran).to.equal(0);
    step(-3 * HOUR);
    pass(1_000);
    expect(ran).to.equal(1);
    pass(HOUR);
    expect(ran).to.equal(1);
  });

  it('is not reported for corrections of less than a minute', () => {
    step(-50_000);
    pass(HOUR);
    expect(ran).to.equal(0);
  });

  it('is not checked after the last listener is removed', () => {
    end();
    step(-HOUR);
    pass(MINUTE);
    expect(ran).to.equal(0);
  });
});
