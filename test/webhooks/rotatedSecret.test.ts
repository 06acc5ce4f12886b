import { expect } from 'chai';
import { rotateEndpointSecret, secretContext } from '../../application/webhooks/endpoints.js';
import { createWebhookEndpoint, webhookEndpoint } from '../../domain/webhooks/webhookEndpoint.js';
import { bindCommands } from '../../engine/commandHandler/boundCommands.js';
import { createCommandHandler } from '../../engine/commandHandler/commandHandler.js';
import type { EventStore } from '../../engine/ports/eventStore.js';
import { forgetfulSnapshots } from '../../engine/ports/snapshots.js';
import { createSecretBox } from '../../infrastructure/secrets/secretBox.js';
import { fakeClock } from '../support/doubles/fakeClock.js';
import { lateStore } from '../support/doubles/lateStore.js';
import { memoryLog } from '../support/spec/memoryLog.js';

const OWNER = { workspaceId: '00000000-0000-4000-8000-0000000000a1' };
const ENDPOINT = '00000000-0000-4000-8000-0000000000e1';

describe('a rotated webhook secret', () => {
  it('is the stored one if a request is repeated whose first append reaches the log late', async () => {
    const log = memoryLog();
    const late = lateStore<EventStore>(log);
    const clock = fakeClock();
    const secretBox = createSecretBox(Buffer.alloc(32, 7));
    const handler = createCommandHandler({ eventStore: late.store, snapshots: forgetfulSnapshots, clock });
    // As a request with an Idempotency-Key: the same ids each time.
    const commands = bindCommands(handler, (aggregate, id) => ({
      ...{ commandId: `seed ${aggregate} ${id}`, actor: { type: 'system' }, correlationId: 'r' },
    }));
    const sealed = secretBox.seal('whsec_first', secretContext(ENDPOINT));
    const settings = {
      url: 'https://partner.example/hook',
      description: '',
      events: ['order.created'],
      createdBy: 'k',
    };
    await handler.decide(
      { commandId: 'c0', actor: { type: 'system' }, correlationId: 'r' },
      webhookEndpoint,
      ENDPOINT,
      createWebhookEndpoint({ ...settings, owner: OWNER, secretSealed: sealed, secretLast4: 'irst' }),
    );
    const rotate = () =>
      rotateEndpointSecret(
        { commands, secretBox },
        { owner: OWNER, endpointId: ENDPOINT, rotationId: 'rot', keepPreviousHours: 0, now: clock.now() },
      );
    const current = late.hold('append');
    const first = rotate().catch((error) => error.name);
    const append = await current;
    late.failBefore('append');
    late.failBefore('append');
    append.fail();
    expect(await first).to.equal('StoreUnavailable');
    const again = late.hold('append');
    const second = rotate();
    const repeated = await again;
    await append.takeEffect();
    await repeated.answer();
    const answered = await second;
    const rotated = log.events.filter(({ type }) => type === 'WebhookSecretRotated');
    expect(rotated).to.have.length(1);
    const { secretSealed } = rotated[0]!.data as { secretSealed: string };
    expect(secretBox.open(secretSealed, secretContext(ENDPOINT))).to.equal(answered);
  });
});
