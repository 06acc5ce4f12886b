/** Webhooks to this machine, as an operator admits single addresses for a while: to those, and to nothing else here. */
import { expect } from 'chai';
import { createGuardedSender } from '../../infrastructure/webhooks/guardedSender.js';
import { createLocalListeners } from '../../infrastructure/webhooks/localListeners.js';
import { type Receiver, receiver } from '../support/doubles/receiver.js';

const never = new AbortController().signal;

describe('listeners on this machine', () => {
  let target: Receiver;
  let now: number;
  const listeners = () => createLocalListeners(() => now);
  let closing: (() => Promise<void>)[];

  beforeEach(async () => {
    now = 0;
    closing = [];
    target = await receiver();
  });
  afterEach(async () => {
    for (const close of closing) await close();
    await target.close();
  });

  function sender(admitted = listeners()) {
    const made = createGuardedSender({ listeners: admitted });
    closing.push(() => made.close());
    return (url: string) => made.send({ url, headers: {}, body: '{}', signal: never });
  }

  it('receive deliveries only while they are allowed', async () => {
    const admitted = listeners();
    const send = sender(admitted);
    expect((await send(target.url)).error).to.match(/^refused: /);
    expect(admitted.admit(target.url)).to.equal(true);
    expect(await send(target.url)).to.deep.include({ responseCode: 204 });
    admitted.withdraw(target.url);
    expect((await send(target.url)).error).to.match(/^refused: /);
    expect(target.received).to.have.lengthOf(1);
  });

  it('expire 30 s after they were last allowed', () => {
    const admitted = listeners();
    admitted.admit(target.url);
    now = 29_999;
    expect(admitted.admits(target.url)).to.equal(true);
    admitted.admit(target.url);
    now += 29_999;
    expect(admitted.admits(target.url)).to.equal(true);
    now += 1;
    expect(admitted.admits(target.url)).to.equal(false);
  });

  it('open no other address, port or path of this machine', async () => {
    const other = await receiver();
    closing.push(() => other.close());
    const admitted = listeners();
    const send = sender(admitted);
    admitted.admit(target.url);
    const there = new URL(target.url);
    const wrong = [
      other.url,
      `${there.origin}/another`,
      `${target.url}?more`,
      target.url.replace('127.0.0.1', 'localhost'),
      target.url.replace('127.0.0.1', '127.0.0.2'),
      target.url.replace('127.0.0.1', '[::1]'),
      'http://169.254.169.254/latest',
    ];
    for (const url of wrong) expect((await send(url)).error, url).to.match(/^refused: /);
    expect([target.received.length, other.received.length]).to.deep.equal([0, 0]);
  });

  it('are limited in number', () => {
    const admitted = listeners();
    const urls = Array.from({ length: 40 }, (_, n) => `http://127.0.0.1:${4000 + n}/x`);
    expect(urls.filter((url) => admitted.admit(url))).to.have.lengthOf(32);
    now = 30_000;
    expect(admitted.admit(urls[39]!)).to.equal(true);
  });
});
