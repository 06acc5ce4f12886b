/** Verification of deliveries by the client, with the same results as the guide's vectors. */
import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { eventSamples } from '../../api/openapi/reference/samples/events.js';
import { verifyWebhook, WebhookRefused } from '../../client/src/index.js';

const SECRET = 'whsec_fixed-for-tests';
const OLD = 'whsec_before-the-rotation';
const NOW = Date.parse('2026-11-21T08:30:10Z');
const T = NOW / 1000;
const BODY = JSON.stringify(eventSamples['order.created']);

const mac = (secret: string, body = BODY, t = T): string =>
  createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
const header = (...secrets: string[]): string => [`t=${T}`, ...secrets.map((secret) => `v1=${mac(secret)}`)].join(',');
const options = { now: () => NOW };

const refused = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (error) {
    if (error instanceof WebhookRefused) return error.code;
    throw error;
  }
  return 'taken';
};

describe('verifyWebhook', () => {
  it('returns the event, typed by its type', async () => {
    const event = await verifyWebhook(BODY, header(SECRET), SECRET, options);
    if (event.type !== 'order.created') return expect.fail(event.type);
    // `data.order` compiles only if the type is narrowed.
    expect(event.data.order.totalCents).to.equal(7800);
    expect(event.partner?.storeExternalRef).to.equal('shop-7');
  });

  it('accepts raw bytes in each of their forms', async () => {
    const bytes = Buffer.from(BODY);
    for (const raw of [BODY, bytes, new Uint8Array(bytes), new Uint8Array(bytes).buffer])
      expect((await verifyWebhook(raw, header(SECRET), SECRET, options)).type).to.equal('order.created');
  });

  it('accepts either of two secrets, on either side', async () => {
    for (const [signed, known] of [
      [[OLD, SECRET], [SECRET]],
      [[SECRET], [OLD, SECRET]],
      [[OLD], [OLD, SECRET]],
    ] as const)
      expect(await refused(verifyWebhook(BODY, header(...signed), known, options))).to.equal('taken');
  });

  it('rejects another body, another secret, another time', async () => {
    const changed = BODY.replace('7800', '1');
    expect(await refused(verifyWebhook(changed, header(SECRET), SECRET, options))).to.equal('signature_invalid');
    expect(await refused(verifyWebhook(BODY, header(OLD), SECRET, options))).to.equal('signature_invalid');
    const moved = header(SECRET).replace(`t=${T}`, `t=${T + 1}`);
    expect(await refused(verifyWebhook(BODY, moved, SECRET, options))).to.equal('signature_invalid');
  });

  it('rejects what was signed more than five minutes ago, or ahead', async () => {
    for (const [seconds, found] of [
      [300, 'taken'],
      [301, 'too_old'],
      [-301, 'too_old'],
    ] as const)
      expect(
        await refused(verifyWebhook(BODY, header(SECRET), SECRET, { now: () => NOW + seconds * 1000 })),
        String(seconds),
      ).to.equal(found);
    const patient = { now: () => NOW + 3_600_000, toleranceSeconds: 7200 };
    expect(await refused(verifyWebhook(BODY, header(SECRET), SECRET, patient))).to.equal('taken');
  });

  it('rejects a tolerance that is not a number, for any delivery', async () => {
    for (const toleranceSeconds of [Number.NaN, Number.POSITIVE_INFINITY, -1]) {
      const requested = verifyWebhook(BODY, header(SECRET), SECRET, { now: () => NOW + 9e9, toleranceSeconds });
      expect(await requested.catch((error) => error)).to.be.instanceOf(RangeError);
    }
    expect(await refused(verifyWebhook(BODY, header(SECRET), SECRET, { now: () => Number.NaN }))).to.equal('too_old');
  });

  it('rejects invalid header fields', async () => {
    const broken = [undefined, null, '', 't=1', 'v1=00', `t=x,v1=${mac(SECRET)}`, `t=${T},v1=xyz`, 'a'.repeat(5000)];
    for (const field of broken)
      expect(await refused(verifyWebhook(BODY, field, SECRET, options)), String(field)).to.equal('header_malformed');
  });

  it('rejects a signed body that is not JSON', async () => {
    const signed = `t=${T},v1=${mac(SECRET, 'not json')}`;
    expect(await refused(verifyWebhook('not json', signed, SECRET, options))).to.equal('body_malformed');
  });

  it('never works without a secret', async () => {
    const empty = `t=${T},v1=${mac('')}`;
    for (const secrets of ['', [], ['']] as const) {
      let error: unknown;
      await verifyWebhook(BODY, empty, secrets, options).catch((thrown) => (error = thrown));
      expect(error).to.be.instanceOf(TypeError);
    }
  });
});
