/** Deliveries that waited for views use the endpoint's state at the time of sending. */
import { expect } from 'chai';
import { deliver, type PendingDelivery } from '../../application/webhooks/deliveryAttempts.js';
import { UNKNOWN_HEALTH } from '../../application/webhooks/deliveryLog.js';
import type { ExistingEndpoint } from '../../domain/webhooks/webhookEndpoint.js';
import type { ProcessorContext, Task } from '../../engine/processors/processor.js';
import { fakeClock } from '../support/doubles/fakeClock.js';

const OWED: PendingDelivery = { endpointId: 'e', eventId: 'ev', eventType: 'message.received', trigger: 'event' };
const ENDPOINT = {
  ...{ status: 'active', owner: { workspaceId: 'w' }, url: 'https://before.example/hook' },
  ...{ events: ['message.received'], secretSealed: 'sealed', previous: [] },
} as unknown as ExistingEndpoint;

describe('a delivery that waits for views', () => {
  /** Returns the URLs of a delivery whose endpoint changes while the delivery waits for views. */
  async function sentTo(change: (endpoint: ExistingEndpoint) => object): Promise<readonly string[]> {
    const clock = fakeClock();
    const urls: string[] = [];
    let endpoint: object = ENDPOINT;
    const health = { know: async () => UNKNOWN_HEALTH, change: () => UNKNOWN_HEALTH, forget: () => undefined };
    const attempt = deliver({
      sender: {
        async send({ url }) {
          urls.push(url);
          return { responseCode: 204, latencyMs: 1 };
        },
        check: async () => undefined,
        close: async () => undefined,
      },
      secretBox: { seal: (text) => text, open: (text) => text },
      health: () => health,
      sweep: async () => undefined,
      sources: () => ({ note: () => [] }),
      random: () => 0.5,
      async bodyOf() {
        await clock.advance(3_000);
        endpoint = change(ENDPOINT);
        return '{}';
      },
    });
    const commands = { query: async (_: unknown, __: string, read: (state: object) => unknown) => read(endpoint) };
    const task = { id: 't', payload: OWED, attempt: 1, dueAt: clock.now(), createdAt: clock.now() };
    const context = { commands, clock, signal: new AbortController().signal };
    await attempt(task as unknown as Task<PendingDelivery>, context as unknown as ProcessorContext);
    return urls;
  }

  it("goes to the endpoint's current address", async () => {
    const after = 'https://after.example/hook';
    expect(await sentTo((endpoint) => ({ ...endpoint, url: after }))).to.deep.equal([after]);
  });

  it('is dropped once the endpoint is disabled or deleted', async () => {
    expect(await sentTo((endpoint) => ({ ...endpoint, status: 'disabled' }))).to.deep.equal([]);
    expect(await sentTo(() => ({ status: 'deleted' }))).to.deep.equal([]);
  });
});
