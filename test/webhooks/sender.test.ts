import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import * as undici from 'undici';
import type { WebhookResult } from '../../application/ports/webhookSender.js';
import { guardedConnector } from '../../infrastructure/webhooks/guardedConnector.js';
import { createGuardedSender, type GuardedSenderOptions } from '../../infrastructure/webhooks/guardedSender.js';
import { UrlRefused } from '../../infrastructure/webhooks/urlGuard.js';
import { until } from '../support/doubles/fakeClock.js';
import { type Receiver, receiver } from '../support/doubles/receiver.js';
import { hooksTest } from '../support/samples/hooksTestCertificate.js';

const BODY = '{"hello":"wörld"}';
const never = new AbortController().signal;
const PUBLIC = '93.184.215.14';

describe('webhook sender', () => {
  let target: Receiver;
  const closing: (() => Promise<void>)[] = [];

  const sender = (options: GuardedSenderOptions = { allowLoopback: true }) => {
    const made = createGuardedSender(options);
    closing.push(() => made.close());
    return made;
  };
  const post = (url: string, options?: GuardedSenderOptions): Promise<WebhookResult> =>
    sender(options).send({ url, headers: { 'Content-Type': 'application/json' }, body: BODY, signal: never });

  beforeEach(async () => {
    target = await receiver();
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    await target.close();
  });

  it('posts the bytes and reports the status code and the duration', async () => {
    const result = await post(`${target.url}?a=1`);
    expect(result).to.deep.include({ responseCode: 204 }).and.not.have.property('error');
    expect(result.latencyMs).to.be.within(0, 5000);
    expect(target.received[0]!.raw.toString()).to.equal(BODY);
    expect(target.received[0]!.path).to.equal('/hook?a=1');
  });

  it('keeps a few connections for later events', async () => {
    const one = sender();
    for (let i = 0; i < 20; i++) await one.send({ url: target.url, headers: {}, body: BODY, signal: never });
    expect(target.received).to.have.lengthOf(20);
    expect(target.connections()).to.be.at.most(4);
  });

  it('never follows a redirect', async () => {
    const other = await receiver();
    closing.push(() => other.close());
    target.answer((response) => response.writeHead(302, { location: other.url }).end());
    expect(await post(target.url)).to.deep.include({ responseCode: 302, error: 'redirects are not followed' });
    expect(other.received).to.have.lengthOf(0);
  });

  it('sends nothing if a connection ends at another address than the checked one', async () => {
    const guard = { refusalOf: () => undefined, addressesOf: async () => ['127.0.0.1'], admits: () => false };
    const agent = new undici.Agent({ connect: guardedConnector(undici, guard) });
    closing.push(() => agent.close());
    const { port } = new URL(target.url);
    const requested = agent.request({
      origin: `http://shop.example:${port}`,
      path: '/hook',
      method: 'POST',
      body: BODY,
    });
    const error = await requested.then(
      () => undefined,
      (refused: unknown) => refused,
    );
    expect(error).to.be.instanceOf(UrlRefused);
    expect((error as UrlRefused).message).to.equal('it led to an address off the public internet');
    expect(target.received).to.have.lengthOf(0);
  });

  for (const [what, answer] of [
    ['hangs', 'hang' as const],
    ['sends headers and then hangs', (response: ServerResponse) => void response.writeHead(200).write('{')],
  ] as const) {
    it(`gives up at the deadline on a receiver that ${what}`, async () => {
      target.answer(answer);
      const result = await post(target.url, { allowLoopback: true, deadlineMs: 80 });
      expect(result.error).to.equal('no complete response within 0.08 seconds');
      expect(result.latencyMs).to.be.within(60, 2000);
    });
  }

  it('reads at most 64 KB of a response, which is still a success', async () => {
    let written = 0;
    target.answer((response) => {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && written < 50_000_000) {
          written += 65_536;
          if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', more);
        }
      };
      more();
    });
    expect(await post(target.url))
      .to.deep.include({ responseCode: 200 })
      .and.not.have.property('error');
    expect(written).to.be.below(20_000_000);
  });

  it('reports how long the receiver asks to wait', async () => {
    target.answer((response) => response.writeHead(503, { 'retry-after': '120' }).end());
    expect(await post(target.url)).to.deep.include({ responseCode: 503, retryAfterMs: 120_000 });
  });

  it('reports why no response arrived', async () => {
    const { url } = target;
    await target.close();
    const result = await post(url);
    expect(result).to.deep.include({ error: 'connection refused' }).and.not.have.property('responseCode');
    target = await receiver();
  });

  it('stops when the service stops', async () => {
    target.answer('hang');
    const stopping = new AbortController();
    const sending = sender().send({ url: target.url, headers: {}, body: BODY, signal: stopping.signal });
    await until('the request has arrived', () => target.received.length === 1);
    stopping.abort();
    const error = await sending.then(
      () => undefined,
      (reason: Error) => reason,
    );
    expect(error).to.be.instanceOf(Error);
  });

  it('connects to the checked address with the name of the URL, over TLS', async () => {
    const secure = await receiver(hooksTest);
    closing.push(() => secure.close());
    const options = { allowLoopback: true, ca: hooksTest.cert, resolve: async () => ['127.0.0.1'] };
    const result = await post(`https://hooks.test:${secure.port}/in`, options);
    expect(result).to.deep.include({ responseCode: 204 });
    expect(secure.received[0]).to.include({ servername: 'hooks.test' });
    expect(secure.received[0]!.headers.host).to.equal(`hooks.test:${secure.port}`);
    const other = await post(`https://other.test:${secure.port}/in`, options);
    expect(other.error).to.equal('the TLS certificate is for another name');
  });

  describe('refuses, at creation and at delivery', () => {
    const REFUSED: readonly (readonly [string, string])[] = [
      ['not a url', 'it is not a URL'],
      ['http://example.com/', 'it must begin with https://'],
      ['ftp://example.com/', 'it must begin with https://'],
      ['https://user:pw@example.com/', 'it must not carry a user name or password'],
      ['https://example.com:22/', 'its port must be 443 or one from 1024 on'],
      ...[
        '127.0.0.1',
        '127.1',
        '2130706433',
        '0x7f000001',
        '0177.0.0.1',
        '0.0.0.0',
        '10.1.2.3',
        '172.16.0.1',
        '192.168.1.1',
        '169.254.169.254',
        '100.64.0.1',
        '168.63.129.16',
        '192.0.2.1',
        '198.18.0.1',
        '224.0.0.1',
        '255.255.255.255',
        '[::1]',
        '[::]',
        '[::7f00:1]',
        '[::ffff:127.0.0.1]',
        '[::ffff:10.0.0.1]',
        '[64:ff9b::7f00:1]',
        '[2001::1]',
        '[2002:7f00:1::]',
        '[fc00::1]',
        '[fe80::1]',
        '[fec0::1]',
        '[ff02::1]',
        '[2001:db8::1]',
        'localhost',
        'foo.localhost',
      ].map((host) => [`https://${host}/`, 'its address is not on the public internet'] as const),
    ];
    for (const [url, reason] of REFUSED) {
      it(`${url}: ${reason}`, async () => {
        const guarded = { resolve: async () => [PUBLIC] };
        expect(await sender(guarded).check(url)).to.equal(reason);
        expect((await post(url, guarded)).error).to.equal(`refused: ${reason}`);
      });
    }

    it('URLs with a backslash, a blank or a line break, which browsers would repair', async () => {
      const guarded = { resolve: async () => [PUBLIC] };
      for (const url of ['https://example.com\\hooks', 'https://example.com/a b', 'https://example.com/\nhooks'])
        expect(await sender(guarded).check(url), JSON.stringify(url)).to.match(/^it does not follow RFC 3986/);
    });

    it('names that do not resolve, or not only to public addresses', async () => {
      const answers: Record<string, string[]> = {
        'nowhere.test': [],
        'private.test': ['10.0.0.7'],
        'mixed.test': [PUBLIC, '127.0.0.1'],
        'mapped.test': ['::ffff:192.168.0.1'],
        'public.test': [PUBLIC, '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
      };
      const guarded = { resolve: async (host: string) => answers[host] ?? [] };
      const off = 'its host name resolves to an address that is not on the public internet';
      const checked = sender(guarded);
      expect(await checked.check('https://nowhere.test/')).to.equal('its host name does not resolve');
      for (const name of ['private', 'mixed', 'mapped']) {
        expect(await checked.check(`https://${name}.test/`)).to.equal(off);
        expect((await post(`https://${name}.test/`, guarded)).error).to.equal(`refused: ${off}`);
      }
      expect(await checked.check('https://public.test/')).to.equal(undefined);
    });

    it('nothing of a name that the name servers do not answer for', async () => {
      const guarded = { nameServers: ['127.0.0.1:1'] };
      const failure = await sender(guarded)
        .check('https://hooks.test/')
        .catch((error) => error.name);
      expect(failure).to.equal('HostUnknown');
      expect((await post('https://hooks.test/', guarded)).error).to.equal(
        'the DNS servers do not answer for its host name',
      );
    });

    it('a name that is public when checked and private when connected', async () => {
      let requested = 0;
      const guarded = { resolve: async () => (requested++ === 0 ? [PUBLIC] : ['127.0.0.1']) };
      const one = sender(guarded);
      const url = `https://rebinding.test:${target.port}/hook`;
      expect(await one.check(url)).to.equal(undefined);
      const result = await one.send({ url, headers: {}, body: BODY, signal: never });
      expect(result.error).to.contain('refused');
      expect(target.connections()).to.equal(0);
    });

    it('http for anything but this machine, also where loopback is admitted', async () => {
      const one = sender({ allowLoopback: true, resolve: async () => [PUBLIC] });
      expect(await one.check('http://example.com/hook')).to.equal('it must begin with https://');
      expect(await one.check('http://10.0.0.1/hook')).to.equal('it must begin with https://');
      for (const host of ['127.0.0.1:8080', 'localhost:3000', '[::1]:9', '2130706433'])
        expect(await one.check(`http://${host}/hook`)).to.equal(undefined);
    });
  });
});
