/** Addresses that webhooks never reach, with a lying name server, at creation, change, test, delivery and replay. */
import { expect } from 'chai';
import fc from 'fast-check';
import { createGuardedSender, type GuardedSenderOptions } from '../../infrastructure/webhooks/guardedSender.js';
import { createUrlGuard } from '../../infrastructure/webhooks/urlGuard.js';
import { until } from '../support/doubles/fakeClock.js';
import { type NameServer, nameServer } from '../support/doubles/nameServer.js';
import { type Receiver, receiver } from '../support/doubles/receiver.js';
import { hooksTest } from '../support/samples/hooksTestCertificate.js';
import { type WebhookServer, webhookServer } from '../support/stages/webhookServer.js';
import { type WebhookStage, webhookStage } from '../support/stages/webhookStage.js';

const PUBLIC = '93.184.215.14';
const PUBLIC_V6 = '2606:2800:21f:cb07:6820:80da:af6b:8b2c';
const OFF = 'its host name resolves to an address that is not on the public internet';
const NOT_PUBLIC = 'its address is not on the public internet';

describe('webhook guard with a name server of its own', () => {
  let names: NameServer;
  let target: Receiver;
  const closing: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    names = await nameServer();
    target = await receiver(hooksTest);
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
    await target.close();
    await names.close();
  });

  const options = (more: GuardedSenderOptions = {}): GuardedSenderOptions => ({
    nameServers: [names.address],
    ca: hooksTest.cert,
    ...more,
  });
  const sender = (more?: GuardedSenderOptions) => {
    const made = createGuardedSender(options(more));
    closing.push(() => made.close());
    return made;
  };
  const hooks = (): string => `https://hooks.test:${target.port}/hook`;

  it('accepts only names with public addresses, of either family', async () => {
    names.answer(
      (name) => ({ 'both.test': [PUBLIC, PUBLIC_V6], 'four.test': [PUBLIC], 'six.test': [PUBLIC_V6] })[name] ?? [],
    );
    const one = sender();
    for (const name of ['both', 'four', 'six']) expect(await one.check(`https://${name}.test/`)).to.equal(undefined);
    expect(await one.check('https://gone.test/')).to.equal('its host name does not resolve');
    expect(names.queries).to.include.members(['both.test', 'six.test', 'gone.test']);
  });

  for (const [what, addresses] of [
    ['private beside public', [PUBLIC, '10.0.0.7']],
    ['public beside private', ['10.0.0.7', PUBLIC]],
    ['loopback in the other family', [PUBLIC, '::1']],
    [
      'many public and one of cloud metadata',
      [...Array.from({ length: 17 }, (_, i) => `93.184.215.${i}`), '169.254.169.254'],
    ],
    ['the metadata of one cloud', ['168.63.129.16']],
    ['an IPv4 address in IPv6', ['::ffff:192.168.0.1']],
    ['an IPv4-compatible one', ['::7f00:1']],
    ['an address behind NAT64', ['64:ff9b::7f00:1']],
    ['a 6to4 address', ['2002:7f00:1::1']],
    ['a Teredo address', ['2001::7f00:1']],
    ['a unique-local one', ['fd00:ec2::254']],
    ['nothing but 0.0.0.0', ['0.0.0.0']],
  ] as const)
    it(`rejects a name that resolves to ${what}`, async () => {
      names.answer(() => addresses);
      expect(await sender().check('https://hooks.test/')).to.equal(OFF);
    });

  it('reaches the receiver if this machine is allowed, so that the next tests can fail', async () => {
    names.answer(() => ['127.0.0.1']);
    const send = sender({ allowLoopback: true }).send;
    const result = await send({ url: hooks(), headers: {}, body: '{}', signal: new AbortController().signal });
    expect(result).to.include({ responseCode: 204 });
    expect(target.connections()).to.equal(1);
  });

  it('gives up on name servers that do not answer', async () => {
    names.answer(() => undefined);
    const startedAt = performance.now();
    const failure = await sender()
      .check(hooks())
      .catch((error) => error.name);
    expect(failure).to.equal('HostUnknown');
    expect(performance.now() - startedAt).to.be.below(9000);
    const send = sender({ deadlineMs: 100 }).send;
    const result = await send({ url: hooks(), headers: {}, body: '{}', signal: new AbortController().signal });
    expect(result.error).to.equal('no complete response within 0.1 seconds');
    expect(result.latencyMs).to.be.below(2000);
  });

  describe('in the operations', () => {
    let stage: WebhookStage;
    let server: WebhookServer;

    beforeEach(async () => {
      stage = await webhookStage({ ...options(), allowLoopback: false });
      server = await webhookServer(stage, options());
      closing.push(() => stage.close());
      closing.push(() => server.close());
    });
    const create = (url: string) =>
      server.call('POST', '/webhook-endpoints', { body: { url, events: ['order.created'] } });

    it('rejects a new or changed endpoint that leads to an internal address, with its path', async () => {
      names.answer((name) => (name === 'hooks.test' ? [PUBLIC] : [PUBLIC, '127.0.0.1']));
      const { status, body } = await create(hooks());
      expect(status, JSON.stringify(body)).to.equal(201);
      const path = `/webhook-endpoints/${body.endpoint.id}`;
      for (const url of [
        'https://mixed.test/',
        'https://2130706433/',
        'https://[::ffff:7f00:1]/',
        'https://a@hooks.test/',
      ]) {
        const answers = [await create(url), await server.call('PATCH', path, { body: { url } })];
        for (const answer of answers) {
          expect(answer.status, url).to.equal(422);
          expect(answer.body.errors[0].location).to.equal('body.url');
        }
      }
      expect((await server.call('GET', path)).body.url).to.equal(hooks());
    });

    it('does not connect when the name leads to an internal address after it was checked: test, delivery, retry and replay', async () => {
      names.answer(() => [PUBLIC]);
      const { id } = (await create(hooks())).body.endpoint;
      const path = `/webhook-endpoints/${id}`;
      names.answer(() => ['127.0.0.1']);
      const running = await stage.start();
      expect((await server.call('POST', `${path}/test`)).status).to.equal(202);
      const eventId = await stage.happens('OrderPlaced');
      const attempts = async (count: number): Promise<void> => {
        await until(`${count} attempts`, async () => (await stage.log(id)).length === count);
        await stage.quiet(running);
      };
      await attempts(2);
      await stage.nextTimer(running);
      await attempts(3);
      expect((await server.call('POST', `${path}/events/${eventId}/replay`)).status).to.equal(202);
      await attempts(4);
      const log = await stage.log(id);
      expect(log.map(({ trigger }) => trigger)).to.have.members(['test', 'event', 'event', 'replay']);
      for (const { error, status } of log)
        expect({ error, status }).to.deep.equal({ error: `refused: ${OFF}`, status: 'failed' });
      expect(target.connections()).to.equal(0);
    });
  });
});

/** Returns a part of an IPv4 address in one of the notations that programs accept. */
const part = (value: number, notation: number): string =>
  [String(value), `0${value.toString(8)}`, `0x${value.toString(16)}`, `0X${value.toString(16).toUpperCase()}`][
    notation
  ]!;

type Bytes = readonly [number, number, number, number];

/** Returns every way to write an IPv4 address in a URL. */
function written(bytes: Bytes, notation: number): string[] {
  const [a, b, c, d] = bytes;
  const p = (value: number) => part(value, notation);
  const whole = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  const forms = [
    [p(a), p(b), p(c), p(d)],
    [p(a), p(b), p(c * 256 + d)],
    [p(a), p((b << 16) | (c << 8) | d)],
    [p(whole)],
  ].map((parts) => parts.join('.'));
  const wide = bytes.join('.').replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)));
  return [
    ...forms,
    ...forms.map((form) => `${form}.`),
    wide,
    wide.replaceAll('.', '。'),
    encodeURIComponent(forms[0]!),
  ];
}

/** Returns every IPv6 address that embeds this IPv4 address or leads to it through a relay. */
function embedded([a, b, c, d]: Bytes): string[] {
  const hex = (high: number, low: number): string => ((high << 8) | low).toString(16);
  const tail = `${hex(a, b)}:${hex(c, d)}`;
  const inverted = `${hex(a ^ 255, b ^ 255)}:${hex(c ^ 255, d ^ 255)}`;
  return [
    `::ffff:${tail}`,
    `::ffff:${a}.${b}.${c}.${d}`,
    `0:0:0:0:0:ffff:${tail}`,
    `::ffff:0:${tail}`,
    `::${tail}`,
    `64:ff9b::${tail}`,
    `64:ff9b:1::${tail}`,
    `2002:${tail}::1`,
    `2001:0:5db8:d70e:0:0:${inverted}`,
    `fe80::5efe:${tail}`,
    `fec0::${tail}`,
    `fc00::${tail}`,
  ].map((address) => `[${address}]`);
}

const INSIDE: readonly (readonly [string, Bytes, number])[] = [
  ['this machine', [127, 0, 0, 0], 8],
  ['this network', [0, 0, 0, 0], 8],
  ['private', [10, 0, 0, 0], 8],
  ['private', [172, 16, 0, 0], 12],
  ['private', [192, 168, 0, 0], 16],
  ['shared by a provider', [100, 64, 0, 0], 10],
  ['link-local and metadata', [169, 254, 0, 0], 16],
  ['metadata of one cloud', [168, 63, 129, 16], 32],
  ['protocol assignments', [192, 0, 0, 0], 24],
  ['documentation', [192, 0, 2, 0], 24],
  ['documentation', [198, 51, 100, 0], 24],
  ['documentation', [203, 0, 113, 0], 24],
  ['measurements', [198, 18, 0, 0], 15],
  ['multicast', [224, 0, 0, 0], 4],
  ['reserved and broadcast', [240, 0, 0, 0], 4],
];

/** Returns an address in the range: the first bits of the range, then the bits of `rest`. */
function within([a, b, c, d]: Bytes, bits: number, rest: number): Bytes {
  const base = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  const mask = bits === 32 ? 0 : 0xffffffff >>> bits;
  const value = (base | (rest & mask)) >>> 0;
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
}

describe('webhook guard, addresses in a URL', () => {
  const guard = createUrlGuard({ resolve: async () => [PUBLIC] });
  const notation = fc.nat(3);
  const rest = fc.nat(0xffffffff);

  for (const [what, range, bits] of INSIDE)
    it(`rejects ${range.join('.')}/${bits} (${what}) in every notation`, () =>
      fc.assert(
        fc.property(rest, notation, (low, how) => {
          const bytes = within(range, bits, low);
          for (const host of [...written(bytes, how), ...embedded(bytes)])
            expect(guard.refusalOf(`https://${host}/`), host).to.equal(NOT_PUBLIC);
        }),
        { numRuns: 40 },
      ));

  it('accepts a public address in every notation, but rejects its relays', () =>
    fc.assert(
      fc.property(notation, (how) => {
        const bytes: Bytes = [93, 184, 215, 14];
        // RFC 3986 allows no digits and dots outside ASCII.
        for (const host of written(bytes, how))
          expect(guard.refusalOf(`https://${host}/`) === undefined, host).to.equal(/^[\x21-\x7e]+$/.test(host));
        const refused = embedded(bytes).filter((host) => guard.refusalOf(`https://${host}/`) !== undefined);
        expect(refused).to.deep.equal(embedded(bytes).slice(3));
      }),
    ));

  it('accepts only global unicast, whatever the rest of the address', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffff }), fc.nat(0xffff), (first, last) => {
        fc.pre(first < 0x2000 || first > 0x3fff);
        expect(guard.refusalOf(`https://[${first.toString(16)}::${last.toString(16)}]/`)).to.equal(NOT_PUBLIC);
      }),
    ));

  it('rejects documentation, benchmark, discard and local identity ranges in IPv6', () => {
    for (const host of [
      '2001:db8::1',
      '3fff::1',
      '2001:2::1',
      '2001:20::1',
      '2001:10::1',
      '100::1',
      '5f00::1',
      'ff02::1',
      '::',
      '::1',
    ])
      expect(guard.refusalOf(`https://[${host}]/`), host).to.equal(NOT_PUBLIC);
    expect(guard.refusalOf(`https://[${PUBLIC_V6}]/`)).to.equal(undefined);
  });

  it('rejects a user, and ports below 1024 except 443', () => {
    for (const user of ['user@', 'user:pw@', ':pw@'])
      expect(guard.refusalOf(`https://${user}example.com/`)).to.equal('it must not carry a user name or password');
    const ports = [1, 22, 25, 80, 442, 444, 587, 993, 1023].map((port) =>
      guard.refusalOf(`https://example.com:${port}/`),
    );
    expect(new Set(ports)).to.deep.equal(new Set(['its port must be 443 or one from 1024 on']));
    for (const port of [443, 1024, 8443, 65_535])
      expect(guard.refusalOf(`https://example.com:${port}/`)).to.equal(undefined);
  });
});
