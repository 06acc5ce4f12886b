/** The time in a processor's status since when it has waited for its stores. */
import { expect } from 'chai';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import { silentLog } from '../../engine/ports/log.js';
import { createTroubles } from '../../engine/processors/troubles.js';
import { fakeClock } from '../support/doubles/fakeClock.js';

const SECOND = 1000;

describe('a processor that waits for a store', () => {
  const away = new StoreUnavailable('no answer in time');

  it('stops waiting once its retries succeed, though nothing else happens', async () => {
    const clock = fakeClock();
    const troubles = createTroubles('telling', silentLog, clock);
    const startedAt = clock.now();
    for (let second = 0; second < 60; second += 1) {
      troubles.trouble(away, SECOND);
      await clock.advance(SECOND);
    }
    expect(troubles.status().waitingSince).to.equal(startedAt);
    await clock.advance(16 * SECOND);
    expect(troubles.status()).not.to.have.property('waitingSince');
    troubles.trouble(away, SECOND);
    expect(troubles.status().waitingSince, 'another time').to.equal(clock.now());
  });

  it('waits through the longest pause between two retries', async () => {
    const clock = fakeClock();
    const troubles = createTroubles('telling', silentLog, clock);
    troubles.trouble(away);
    await clock.advance(72 * SECOND);
    expect(troubles.status()).to.have.property('waitingSince');
    troubles.answered();
    expect(troubles.status()).not.to.have.property('waitingSince');
  });
});
