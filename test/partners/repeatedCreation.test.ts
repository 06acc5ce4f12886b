/** A partner's store whose creation is repeated after an answer that was lost. (Specification 2, 'Partner API', rule 1.) */
import { expect } from 'chai';
import { createPartnerStore } from '../../application/access/partnerStores.js';
import { bindCommands } from '../../engine/commandHandler/boundCommands.js';
import { createCommandHandler } from '../../engine/commandHandler/commandHandler.js';
import type { EventStore } from '../../engine/ports/eventStore.js';
import { forgetfulSnapshots } from '../../engine/ports/snapshots.js';
import { fakeClock } from '../support/doubles/fakeClock.js';
import { lateStore } from '../support/doubles/lateStore.js';
import { memoryLog } from '../support/spec/memoryLog.js';

const expected = {
  ...{ partnerId: '00000000-0000-4000-8000-0000000000b1', externalRef: 'shop-1', name: 'Hodan Fashion' },
  ...{ owner: { email: 'owner@example.com', name: 'Hodan' }, country: 'SO', timezone: 'Africa/Mogadishu' },
  ...{ locale: 'en' as const, planKey: 'standard' },
};

describe("a partner's store whose creation seemed to fail", () => {
  it('is found by the retry, which creates no other and returns the existing one', async () => {
    const log = memoryLog();
    const late = lateStore<EventStore>(log);
    const handler = createCommandHandler({ eventStore: late.store, snapshots: forgetfulSnapshots, clock: fakeClock() });
    // As a request with an Idempotency-Key: the same ids each time.
    const create = () =>
      createPartnerStore(
        bindCommands(handler, (aggregate, id) => ({
          ...{ commandId: `seed ${aggregate} ${id}`, actor: { type: 'partner_key', id: 'k' }, correlationId: 'r' },
        })),
        expected,
      );
    const reference = late.hold('append');
    const first = create().catch((error) => error.name);
    const taking = await reference;
    const creating = late.hold('append');
    await taking.answer();
    const append = await creating;
    await append.takeEffect();
    late.failBefore('append');
    late.failBefore('append');
    append.fail();
    expect(await first).to.equal('StoreUnavailable');
    expect(await create()).to.include({ created: false });
    expect(log.events.map(({ type }) => type)).to.deep.equal(['StoreReferenceTaken', 'StoreCreated']);
  });
});
