/** The payment provider's own address, `POST /asm`, and the sandbox's view of what was charged. */
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../domain/jsonObject.js';
import type { Clock } from '../../engine/ports/clock.js';
import { record } from '../untypedJson.js';
import { text } from './bodyText.js';
import type { Fault, Faults } from './faults.js';
import type { Journal } from './journal.js';
import { actOf, type PayerAct, type SandboxPayment, type SandboxPayments } from './payments.js';
import { Reply, type SandboxRequest, type SandboxRoutes, TAKEN_OVER } from './routes.js';

export interface PaymentApiDependencies {
  readonly payments: SandboxPayments;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly clock: Clock;
}

const members = (value: unknown): JsonObject => record(value) ?? {};

interface ProviderAnswer {
  readonly responseCode: string;
  readonly errorCode: string;
  readonly responseMsg: string;
  readonly params?: object;
}

const failed = (responseCode: string, errorCode: string, responseMsg: string): ProviderAnswer => ({
  responseCode,
  errorCode,
  responseMsg,
});
const succeeded = (params: object): ProviderAnswer => ({
  responseCode: '2001',
  errorCode: '0',
  responseMsg: 'RCS_SUCCESS',
  params,
});

/** Answer to a new payment request; undefined: the connection breaks. */
const ANSWERS: Readonly<Record<PayerAct, ((payment: SandboxPayment) => ProviderAnswer) | undefined>> = {
  pays: ({ reference, transactionId, amount, payer }) =>
    succeeded({
      accountNo: payer,
      accountType: 'MWALLET_ACCOUNT',
      state: 'APPROVED',
      merchantCharges: '0.0',
      referenceId: reference,
      transactionId,
      issuerTransactionId: `ISR${transactionId}`,
      txAmount: amount,
    }),
  cancels: () => failed('5310', 'E10310', 'RCS_USER_REJECTED'),
  has_too_little: () => failed('5206', 'E10205', 'Payment Failed (Haraaga xisaabtaadu kuguma filna)'),
  does_not_answer: () => failed('5309', 'E10309', 'RCS_HPP_USERACTION_TIMEOUT'),
  mistypes_pin: () => failed('5206', 'E10205', 'Payment Failed (Invalid PIN code)'),
  unknown_number: () => failed('5206', 'E10205', 'RCS_NO_ROUTE_FOUND'),
  answer_lost: undefined,
  pays_late: undefined,
  not_taken: undefined,
};

const SHOWN: Readonly<Record<SandboxPayment['state'], string>> = {
  APPROVED: 'Approved',
  DECLINED: 'Declined',
  CANCELLED: 'Cancelled',
  PENDING: 'Pending',
};

const TARGETS = {
  API_PURCHASE: 'payments',
  API_GETTRANINFO: 'payment_inquiries',
  API_CANCELPURCHASE: 'refunds',
} as const;

function inquiry(payments: SandboxPayments, { referenceId }: JsonObject): ProviderAnswer {
  const payment = payments.find(text(referenceId));
  if (payment === undefined) return failed('5204', 'E10204', 'RCS_TRAN_NOT_FOUND');
  const { transactionId, amount, payer, state, reversed } = payment;
  const status = reversed ? 'Reversed' : SHOWN[state];
  return succeeded({ tranStatusDesc: status, status, amount, payerId: payer, currency: 'USD', transactionId });
}

export function paymentApi(app: SandboxRoutes, { payments, faults, journal, clock }: PaymentApiDependencies): void {
  const store = (payment: SandboxPayment): Promise<void> => journal.append(payments.entry(payment));

  async function purchase(params: JsonObject, fault: Fault | undefined): Promise<ProviderAnswer | undefined> {
    const info = members(params.transactionInfo);
    const reference = text(info.referenceId);
    const payer = text(members(params.payerInfo).accountNo);
    const amount = text(info.amount);
    if (!/^[A-Za-z0-9._-]{1,50}$/.test(reference)) return failed('5002', 'E10102', 'RCS_INVALID_REFERENCE');
    if (!/^\d{10,20}$/.test(payer)) return failed('5206', 'E10205', 'RCS_NO_ROUTE_FOUND');
    if (!/^\d+(\.\d\d)?$/.test(amount) || info.currency !== 'USD')
      return failed('5002', 'E10103', 'RCS_INVALID_AMOUNT');
    const act = fault?.act ?? actOf(payer);
    if (act === 'not_taken') return undefined;
    const requested = {
      reference,
      merchantId: text(params.merchantUid),
      payer,
      amount,
      description: text(info.description),
    };
    const payment = payments.add(requested, act);
    await store(payment ?? payments.find(reference)!);
    if (payment === undefined) return failed('5206', 'E10206', 'RCS_DUPLICATE_REFERENCE');
    return ANSWERS[act]?.(payment);
  }

  async function reverse({ transactionId }: JsonObject): Promise<ProviderAnswer> {
    const payment = payments.byTransaction(text(transactionId));
    if (payment === undefined || payment.state !== 'APPROVED') return failed('5204', 'E10204', 'RCS_TRAN_NOT_FOUND');
    if (payment.reversed) return failed('5202', 'E10207', 'RCS_TRAN_ALREADY_CANCELLED');
    payment.reversed = true;
    await store(payment);
    const { reference } = payment;
    return succeeded({
      description: 'success',
      state: 'approved',
      transactionId: `${payment.transactionId}R`,
      referenceId: reference,
    });
  }

  async function answer(request: SandboxRequest): Promise<ProviderAnswer | undefined> {
    const { serviceName, serviceParams } = members(request.body);
    const params = members(serviceParams);
    if (typeof serviceName !== 'string' || !Object.hasOwn(TARGETS, serviceName))
      return failed('5001', 'E10001', 'RCS_UNKNOWN_SERVICE');
    // A key with `wrong` in it is one that the provider does not know.
    if (text(params.apiKey) === '' || text(params.apiKey).includes('wrong'))
      return failed('5010', 'E10010', 'You are not authorized to access the requested service');
    const service = serviceName as keyof typeof TARGETS;
    const fault = faults.take(TARGETS[service]);
    if (fault?.kind === 'hang') return undefined;
    if (fault?.kind === 'error') return failed('5000', `E${fault.code}`, 'RCS_INTERNAL_ERROR');
    if (service === 'API_PURCHASE') return purchase(params, fault);
    return service === 'API_GETTRANINFO' ? inquiry(payments, params) : reverse(params);
  }

  app.post('/asm', async (request) => {
    const answered = await answer(request);
    if (answered === undefined) {
      request.raw.socket.destroy();
      return TAKEN_OVER;
    }
    const timestamp = new Date(clock.now()).toISOString().replace('T', ' ').replace('Z', '');
    return { schemaVersion: '1.0', timestamp, responseId: randomUUID(), params: {}, ...answered };
  });

  app.get('/sandbox/payments', async () => ({ payments: payments.list() }));

  /** The customer of a pending payment makes up their mind. */
  app.post('/sandbox/payments/:reference', async (request) => {
    const reference = request.params.reference!;
    const { state } = members(request.body);
    if (state !== 'APPROVED' && state !== 'DECLINED')
      return new Reply(422, { error: 'state is APPROVED or DECLINED.' });
    if (!payments.settle(reference, state)) return new Reply(409, { error: 'No such payment is pending.' });
    await store(payments.find(reference)!);
    return payments.find(reference)!;
  });
}
