/** Order webhooks whose customer is forgotten while the body is rendered. */
import { expect } from 'chai';
import { sealedEnvelope } from '../../application/webhooks/sealedBodies.js';
import type { RecordedEvent } from '../../engine/ports/eventStore.js';

const ASHA = '+252615550101';
const ERASED = '{"data":{"customerPhone":""}}';
const placed = { id: 'e1', type: 'OrderPlaced', stream: 'order-1', revision: 0 } as RecordedEvent;

describe('a webhook about an order', () => {
  it('contains no plain text of a customer who was erased after it was rendered', async () => {
    let forgotten = false;
    const waiting = sealedEnvelope({
      people: {
        seal: async () => undefined,
        open: async () => undefined,
        isForgotten: async () => forgotten,
        isShown: async () => true,
      },
      envelope: async () => {
        const body = forgotten ? ERASED : JSON.stringify({ data: { customerPhone: ASHA } });
        forgotten = true;
        return { body } as never;
      },
    });
    expect(await waiting(placed, 'order.created')).to.deep.equal({ body: ERASED });
  });
});
