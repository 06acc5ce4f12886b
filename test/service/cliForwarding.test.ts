/** `suuq listen` forwards deliveries unchanged and returns the target's answer. */
import { expect } from 'chai';
import { signatureOf } from '../../application/webhooks/signature.js';
import { forwardingTo } from '../../cli/webhooks/forwarding.js';
import { type Heard, type Listener, startListener } from '../../cli/webhooks/listener.js';
import { eventOf, type Receiver, receiver, verifies } from '../support/doubles/receiver.js';

const SECRET = 'whsec_of-this-run';
const BODY = '{"id":"5b0a6a0e-5d2e-5c0f-9f7e-1f6c3f1f8a11","type":"order.paid","text":"wörld"}';

describe('a listener that forwards deliveries', () => {
  let target: Receiver;
  let listener: Listener;
  let heard: Heard[];

  async function listening(to: string, answerMs?: number): Promise<void> {
    heard = [];
    listener = await startListener({
      host: '127.0.0.1',
      port: 0,
      failRate: 0,
      path: '/a-secret-path-of-its-own',
      secret: SECRET,
      forward: forwardingTo(new URL(to), answerMs),
      heard: (one) => heard.push(one),
    });
  }
  function deliver(url = listener.url, secret = SECRET): Promise<Response> {
    const headers = {
      'content-type': 'application/json',
      'service-signature': signatureOf([secret], Date.now(), BODY),
      'service-event-type': 'order.paid',
      'service-delivery-attempt': '1',
    };
    return fetch(url, { method: 'POST', headers, body: BODY });
  }

  beforeEach(async () => {
    target = await receiver();
  });
  afterEach(async () => {
    await listener.close();
    await target.close();
  });

  it('keeps bytes and header fields, so that the signature is valid', async () => {
    await listening(target.url);
    target.answer((response) => response.writeHead(202, { 'retry-after': '7' }).end('taken'));
    const answer = await deliver();
    expect([answer.status, answer.headers.get('retry-after')]).to.deep.equal([202, '7']);
    const [got] = target.received;
    expect(verifies(SECRET, got!)).to.equal(true);
    expect(eventOf(got!)).to.deep.equal(JSON.parse(BODY));
    expect(got!.headers).to.include({ 'service-event-type': 'order.paid', 'service-delivery-attempt': '1' });
    expect(got!.headers.host).to.equal(new URL(target.url).host);
    expect(heard[0]).to.deep.include({ answered: 202, event: JSON.parse(BODY) });
    expect(heard[0]!.took).to.be.a('number');
  });

  for (const status of [301, 404, 500])
    it(`answers ${status} like its target`, async () => {
      await listening(target.url);
      target.answer((response) => response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end());
      expect((await deliver()).status).to.equal(status);
      expect(target.received).to.have.lengthOf(1);
    });

  it('reports that nothing listens there, and continues', async () => {
    await listening(target.url);
    await target.close();
    expect((await deliver()).status).to.equal(502);
    expect(heard[0]).to.deep.include({ answered: 502, reason: 'connection refused: no program listens there' });
    expect((await deliver()).status).to.equal(502);
    expect(heard).to.have.lengthOf(2);
  });

  it('waits only a limited time for a slow target', async () => {
    await listening(target.url, 60);
    target.answer('hang');
    expect((await deliver()).status).to.equal(504);
    target.answer((response) => void response.writeHead(200).write('{'));
    expect((await deliver()).status).to.equal(504);
    expect(heard.map(({ reason }) => reason)).to.deep.equal(Array(2).fill('no answer within 0.06 s'));
  });

  it('accepts deliveries of its own endpoint only', async () => {
    await listening(target.url);
    expect((await deliver(`${new URL(listener.url).origin}/`)).status).to.equal(404);
    expect((await deliver(listener.url, 'whsec_of-another')).status).to.equal(401);
    expect(target.received).to.have.lengthOf(0);
    expect(heard).to.have.lengthOf(1);
  });

  it('answers a probe, and does not count it as a delivery', async () => {
    await listening(target.url);
    expect((await fetch(listener.url, { method: 'OPTIONS' })).status).to.equal(204);
    expect(heard).to.deep.equal([]);
  });

  it('forwards a limited number at once', async () => {
    const forward = forwardingTo(new URL(target.url), 300);
    target.answer('hang');
    const all = await Promise.all(Array.from({ length: 34 }, () => forward({ raw: Buffer.from(BODY), headers: {} })));
    expect(all.filter(({ answered }) => answered === 503)).to.have.lengthOf(2);
    await listening(target.url);
  });
});
