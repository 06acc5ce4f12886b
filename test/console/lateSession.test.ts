/** A session of the console that the read models do not show yet. */
import { expect } from 'chai';
import { endSession, makeLink, openSession, viewerOf } from '../../application/console/access.js';
import { bindCommands } from '../../engine/commandHandler/boundCommands.js';
import { createCommandHandler } from '../../engine/commandHandler/commandHandler.js';
import { forgetfulSnapshots } from '../../engine/ports/snapshots.js';
import { consoleSessions } from '../../projections/consoleSessions.js';
import { fakeClock } from '../support/doubles/fakeClock.js';
import { memoryLog } from '../support/spec/memoryLog.js';
import { readsOf } from '../support/spec/memoryReads.js';

describe('a console session missing from the read models', () => {
  it('is accessible with its token only, until it ends', async () => {
    const clock = fakeClock();
    const handler = createCommandHandler({ eventStore: memoryLog(), snapshots: forgetfulSnapshots, clock });
    let turn = 0;
    const commands = bindCommands(handler, () => {
      turn += 1;
      return { commandId: `c${turn}`, isDrawn: true, actor: { type: 'system' }, correlationId: 'r' };
    });
    const now = clock.now();
    const link = await makeLink(commands, { role: 'operator' }, { now });
    const { token, sessionId } = await openSession(commands, link.token, { now });
    const parts = { reads: readsOf([consoleSessions], () => []), commands };
    expect(await viewerOf(parts, token, now)).to.include({ sessionId, role: 'operator' });
    expect(await viewerOf(parts, link.token, now)).to.equal(undefined);
    await endSession(commands, sessionId, 'signed_out');
    expect(await viewerOf(parts, token, now)).to.equal(undefined);
  });
});
