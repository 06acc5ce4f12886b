/** The payment provider's adapter against the sandbox, over HTTP. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { PaymentProvider } from '../../application/ports/paymentProvider.js';
import { defined } from '../../domain/defined.js';
import { systemClock } from '../../engine/ports/clock.js';
import { createWaafiPay, type WaafiPayOptions } from '../../infrastructure/payments/waafiPay.js';
import { type SandboxStage, sandboxStage } from '../support/stages/sandboxStage.js';

const ACCOUNT = { merchantId: 'M0912269', apiKey: '1000297:API-1901083745AHX' };
const never = new AbortController().signal;
let count = 0;
const charge = (payer: string, amountCents = 12_50) => ({
  reference: `order-${++count}.1`,
  payer,
  amountCents,
  description: 'Order no. 7',
});

describe('the payment provider', () => {
  let stage: SandboxStage;
  let provider: ReturnType<typeof createWaafiPay>;
  const listed = async () =>
    ((await stage.control('GET', '/sandbox/payments')).body as { payments: Record<string, unknown>[] }).payments;
  const of = async (reference: string) => (await listed()).find((one) => one.reference === reference);

  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'suuq-payments-'));
    stage = await sandboxStage({ stateFile: join(folder, 'sandbox.jsonl') });
    provider = createWaafiPay({ baseUrl: stage.baseUrl, clock: systemClock });
  });
  after(async () => {
    await provider.close();
    await stage.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('charges a customer once per reference, in whole cents', async () => {
    const expected = charge('+252615550101', 1_234_05);
    const outcome = await provider.charge(ACCOUNT, expected, never);
    expect(outcome).to.include({ state: 'approved' });
    expect(await of(expected.reference)).to.include({
      merchantId: 'M0912269',
      payer: '252615550101',
      amount: '1234.05',
      state: 'APPROVED',
      asked: 1,
    });
    expect(await provider.charge(ACCOUNT, expected, never)).to.include({ state: 'unknown' });
    expect(await provider.find(ACCOUNT, expected.reference, never)).to.deep.equal(outcome);
    expect((await listed()).filter(({ payer }) => payer === '252615550101')).to.have.length(1);
  });

  for (const [ending, reason] of [
    ['9901', 'cancelled'],
    ['9902', 'insufficient_funds'],
    ['9903', 'no_answer'],
    ['9906', 'wrong_pin'],
    ['9907', 'wrong_number'],
  ] as const)
    it(`reports that nobody was charged: ${reason}`, async () => {
      const expected = charge(`+25261555${ending}`);
      expect(await provider.charge(ACCOUNT, expected, never)).to.include({ state: 'failed', reason });
      expect((await of(expected.reference))?.state).to.not.equal('APPROVED');
      expect(await provider.find(ACCOUNT, expected.reference, never)).to.include({ state: 'failed' });
    });

  it('reports a charge with a lost response as unknown, and finds it later', async () => {
    const lost = charge('+252615559904');
    expect(await provider.charge(ACCOUNT, lost, never)).to.include({ state: 'unknown' });
    expect(await provider.find(ACCOUNT, lost.reference, never)).to.include({ state: 'approved' });
    const missed = charge('+252615559908');
    expect(await provider.charge(ACCOUNT, missed, never)).to.include({ state: 'unknown' });
    expect(await provider.find(ACCOUNT, missed.reference, never)).to.deep.equal({ state: 'none' });
  });

  it('reports a payment as pending until the customer has decided', async () => {
    for (const [state, found] of [
      ['APPROVED', 'approved'],
      ['DECLINED', 'failed'],
    ]) {
      const late = charge('+252615559905');
      expect(await provider.charge(ACCOUNT, late, never)).to.include({ state: 'unknown' });
      expect(await provider.find(ACCOUNT, late.reference, never)).to.deep.equal({ state: 'pending' });
      expect((await stage.control('POST', `/sandbox/payments/${late.reference}`, { state })).status).to.equal(200);
      expect(await provider.find(ACCOUNT, late.reference, never)).to.include({ state: found });
    }
  });

  it('simulates faults selected by digits before the number', async () => {
    await stage.fault('payments', 'payer', { act: 'cancels' });
    expect(await provider.charge(ACCOUNT, charge('+252615550103'), never)).to.include({ reason: 'cancelled' });
    expect(await provider.charge(ACCOUNT, charge('+252615550103'), never)).to.include({ state: 'approved' });
    expect(
      (await stage.control('POST', '/sandbox/faults', { target: 'payments', kind: 'payer', act: 'x' })).status,
    ).to.equal(422);
    for (const kind of ['hang', 'error']) {
      await stage.fault('payments', kind);
      expect(await provider.charge(ACCOUNT, charge('+252615550103'), never), kind).to.include({ state: 'unknown' });
      await stage.fault('payment_inquiries', kind);
      expect(await provider.find(ACCOUNT, 'order-1.1', never), kind).to.include({ state: 'unknown' });
      await stage.fault('refunds', kind);
      const refund = { reference: 'order-1.1', transactionId: '1', description: '' };
      expect(await provider.refund(ACCOUNT, refund, never), kind).to.include({ state: 'failed' });
    }
  });

  it('refunds a charge once, and confirms it when repeated', async () => {
    const expected = charge('+252615550104');
    const { transactionId } = (await provider.charge(ACCOUNT, expected, never)) as { transactionId: string };
    const refund = { reference: expected.reference, transactionId, description: 'Order no. 7 was cancelled' };
    expect(await provider.refund(ACCOUNT, refund, never)).to.include({ state: 'refunded' });
    expect(await provider.refund(ACCOUNT, refund, never)).to.include({ state: 'refunded' });
    expect(await of(expected.reference)).to.include({ reversed: true });
    expect(await provider.refund(ACCOUNT, { ...refund, transactionId: '0' }, never)).to.include({ state: 'failed' });
  });

  it('checks an account without a charge', async () => {
    const before = (await listed()).length;
    expect(await provider.check(ACCOUNT, never)).to.equal('accepted');
    const wrong = { ...ACCOUNT, apiKey: 'API-wrong' };
    expect(await provider.check(wrong, never)).to.equal('refused');
    expect(await provider.charge(wrong, charge('+252615550105'), never)).to.include({ reason: 'store_account' });
    expect((await listed()).length).to.equal(before);
  });

  it('keeps charges over a restart', async () => {
    const expected = charge('+252615550106');
    await provider.charge(ACCOUNT, expected, never);
    const before = await listed();
    await stage.restart();
    expect(await listed()).to.deep.equal(before);
  });
});

describe('the payment provider’s adapter', () => {
  let server: Server;
  let answer: (body: Record<string, never>) => { status?: number; text: string } | undefined;
  let requested: Record<string, never>[] = [];
  let provider: PaymentProvider & { close(): Promise<void> };
  const notify = (fields: object): { text: string } => ({
    text: JSON.stringify({ responseCode: '2001', errorCode: '0', params: {}, ...fields }),
  });

  before(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, never>;
        requested.push(body);
        const text = answer(body);
        if (text === undefined) return;
        response.writeHead(text.status ?? 200, { 'content-type': 'application/json' }).end(text.text);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    provider = createWaafiPay({ baseUrl, clock: systemClock, chargeMs: 1_500, timeoutMs: 1_500 });
  });
  beforeEach(() => {
    requested = [];
  });
  after(async () => {
    await provider.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('speaks the provider’s format', async () => {
    answer = () => notify({ params: { state: 'approved', transactionId: 1268666 } });
    expect(await provider.charge(ACCOUNT, { ...charge('+252611111111'), reference: 'R-1' }, never)).to.deep.equal({
      state: 'approved',
      transactionId: '1268666',
    });
    const { requestId, timestamp, ...rest } = requested[0]!;
    expect(requestId).to.match(/^[0-9a-f-]{36}$/);
    expect(timestamp).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(rest).to.deep.equal({
      schemaVersion: '1.0',
      channelName: 'WEB',
      serviceName: 'API_PURCHASE',
      serviceParams: {
        merchantUid: 'M0912269',
        apiUserId: '1000297',
        apiKey: 'API-1901083745AHX',
        paymentMethod: 'MWALLET_ACCOUNT',
        payerInfo: { accountNo: '252611111111' },
        transactionInfo: {
          referenceId: 'R-1',
          invoiceId: 'R-1',
          amount: '12.50',
          currency: 'USD',
          description: 'Order no. 7',
        },
      },
    });
  });

  it('accepts an approval only with all its fields, and nothing that it does not understand', async () => {
    const unclear: (object | string)[] = [
      { params: { state: 'PENDING', transactionId: '1' } },
      { params: { state: 'APPROVED' } },
      { errorCode: 'E1', params: { state: 'APPROVED', transactionId: '1' } },
      { responseCode: '5000', errorCode: 'E10000', responseMsg: 'RCS_INTERNAL_ERROR' },
      { responseCode: '5206', errorCode: 'E1', responseMsg: 'RCS_DUPLICATE_REFERENCE' },
      '<html>',
      '[]',
      'null',
      'x'.repeat(300_000),
    ];
    for (const one of unclear) {
      answer = () => (typeof one === 'string' ? { text: one } : notify(one));
      const outcome = await provider.charge(ACCOUNT, charge('+252611111111'), never);
      expect(outcome, JSON.stringify(one).slice(0, 80)).to.include({ state: 'unknown' });
    }
    answer = () => ({ status: 503, ...notify({ params: { state: 'APPROVED', transactionId: '1' } }) });
    expect(await provider.charge(ACCOUNT, charge('+252611111111'), never)).to.include({ state: 'unknown' });
  });

  it('respects its timeout, stops with the service, and knows what was never sent', async () => {
    answer = () => undefined;
    expect(await provider.charge(ACCOUNT, charge('+252611111111'), never)).to.deep.equal({
      state: 'unknown',
      code: 'timeout',
    });
    expect(await provider.check(ACCOUNT, never)).to.equal('unreachable');
    const stop = new AbortController();
    const stopped = provider.charge(ACCOUNT, charge('+252611111111'), stop.signal).then(
      () => 'answered',
      () => 'stopped',
    );
    stop.abort();
    expect(await stopped).to.equal('stopped');
    const nobody = createWaafiPay({ baseUrl: 'http://127.0.0.1:1', clock: systemClock });
    expect(await nobody.charge(ACCOUNT, charge('+252611111111'), never)).to.deep.equal({
      state: 'not_sent',
      code: 'ECONNREFUSED',
    });
    await nobody.close();
  });

  it('does not treat a request as unsent if its connection broke later', async () => {
    const breaking = createTcpServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    await new Promise<void>((resolve) => breaking.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(breaking.address() as AddressInfo).port}`;
    const outcomeBy = async (request?: WaafiPayOptions['request']) => {
      const adapter = createWaafiPay({ baseUrl, clock: systemClock, ...defined({ request }) });
      try {
        return await adapter.charge(ACCOUNT, charge('+252611111111'), never);
      } finally {
        await adapter.close();
      }
    };
    expect(await outcomeBy()).to.deep.equal({ state: 'unknown', code: 'ECONNRESET' });
    await new Promise((resolve) => breaking.close(resolve));
    for (const code of ['EHOSTUNREACH', 'ENETUNREACH', 'ECONNRESET', 'ETIMEDOUT'])
      for (const [syscall, state] of [
        ['connect', 'not_sent'],
        ['read', 'unknown'],
        ['write', 'unknown'],
      ] as const) {
        const failing = async () => {
          throw Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
        };
        expect(await outcomeBy(failing), `${syscall} ${code}`).to.deep.equal({ state, code });
      }
  });
});
