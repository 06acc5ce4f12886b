/** The demo's webhook receiver, which partners copy: accepted requests and the size limit. */
import { expect } from 'chai';
import { signatureOf } from '../../application/webhooks/signature.js';
import { WebhookReceiver } from '../../cli/demo/stage.js';

const SECRET = 'whsec_demo';
const BODY = '{ "id": "e1",  "type": "order.created", "data": {"note": "Dirac “blå”\\n"} }';

describe('the receiver of the demo', () => {
  const receiver = new WebhookReceiver();
  let url: string;
  before(async () => {
    receiver.secret = SECRET;
    url = await receiver.listen();
  });
  after(() => receiver.close());
  const post = async (body: string | Uint8Array, signature = signatureOf([SECRET], Date.now(), BODY)) =>
    (
      await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'service-signature': signature },
        body: body as string,
      }).catch(() => ({ status: 413 }))
    ).status;

  it('verifies the bytes as received, and rejects unsigned ones', async () => {
    expect(await post(BODY)).to.equal(204);
    expect(receiver.events.map(({ id }) => id)).to.deep.equal(['e1']);
    expect(await post(BODY.replace('  ', ' '))).to.equal(401);
    expect(await post(BODY, signatureOf(['whsec_other'], Date.now(), BODY))).to.equal(401);
    expect(receiver.wronglySigned).to.have.length(2);
  });

  it('reads no more than the maximum size of a delivery', async () => {
    const before = receiver.wronglySigned.length;
    expect(await post(Buffer.alloc(11_000_000))).to.equal(413);
    expect([receiver.events.length, receiver.wronglySigned.length]).to.deep.equal([1, before]);
  });
});
