/** Meaning of WaafiPay's answers. (docs.waafipay.com, 'Response codes' and 'Purchase'; messages observed in use.) */
import type { FoundPayment, PaymentFailure, PaymentOutcome } from '../../application/ports/paymentProvider.js';
import { record } from '../untypedJson.js';

/** The parts of an answer that carry meaning; '' where one is missing. */
export interface WaafiAnswer {
  readonly responseCode: string;
  readonly errorCode: string;
  readonly message: string;
  /** `params.state`, or `params.status` of an inquiry, in capitals. */
  readonly state: string;
  readonly transactionId: string;
}

const SUCCESS = '2001';
const MOST_CODE = 40;

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim().slice(0, 200) : '';

/** Undefined: not an answer of the provider. */
export function readAnswer(body: unknown): WaafiAnswer | undefined {
  const answer = record(body);
  const responseCode = text(answer?.responseCode);
  if (answer === undefined || responseCode === '') return undefined;
  const params = record(answer.params) ?? {};
  return {
    responseCode,
    errorCode: text(answer.errorCode),
    message: text(answer.responseMsg),
    state: (text(params.state) || text(params.status) || text(params.tranStatusDesc)).toUpperCase(),
    transactionId: text(params.transactionId),
  };
}

/** For logs and the order's history: codes only, never texts, which may hold numbers of customers. */
export const codeOf = ({ responseCode, errorCode }: WaafiAnswer): string =>
  (errorCode === '' || errorCode === '0' ? responseCode : `${responseCode}/${errorCode}`)
    .replace(/[^A-Za-z0-9_./-]/g, '')
    .slice(0, MOST_CODE);

const succeeded = ({ responseCode, errorCode }: WaafiAnswer): boolean => responseCode === SUCCESS && errorCode === '0';

const isApproved = (answer: WaafiAnswer): boolean => succeeded(answer) && answer.state === 'APPROVED';

/** The store's credentials are not accepted. */
const ACCOUNT_CODES = new Set(['5010', '5301', '5308']);
export const isAccountRefused = ({ responseCode, message }: WaafiAnswer): boolean =>
  ACCOUNT_CODES.has(responseCode) || /not authori[sz]ed|authentication|invalid[ _](api|hpp)[ _]?key/i.test(message);

/** The reference was sent before: what became of it has to be looked up. */
const isRepeat = ({ message }: WaafiAnswer): boolean => /duplicate|already[ _]used/i.test(message);

const BY_MESSAGE: readonly (readonly [RegExp, PaymentFailure])[] = [
  [/haraaga|insufficient|not enough/i, 'insufficient_funds'],
  [/invalid[ _]pin|wrong[ _]pin/i, 'wrong_pin'],
  [/no_route_found|invalid[ _]account|account[ _]not[ _]found/i, 'wrong_number'],
  [/timeout|timed out/i, 'no_answer'],
  [/user[ _]?rejected|useraction_cancelled|cancelled by/i, 'cancelled'],
];
const BY_CODE: Readonly<Record<string, PaymentFailure>> = {
  '5306': 'cancelled',
  '5307': 'no_answer',
  '5309': 'no_answer',
  '5310': 'cancelled',
};
/** Refusals of the payment itself; other codes may be troubles of the provider, after which nothing is certain. */
const isRefusal = (code: string): boolean => /^5[23]\d\d$/.test(code);

function failureOf(answer: WaafiAnswer): PaymentFailure | undefined {
  if (isAccountRefused(answer)) return 'store_account';
  const byMessage = BY_MESSAGE.find(([pattern]) => pattern.test(answer.message))?.[1];
  return byMessage ?? BY_CODE[answer.responseCode] ?? (isRefusal(answer.responseCode) ? 'refused' : undefined);
}

/** Outcome of an `API_PURCHASE`. An approval counts only with all three of its signs; anything unclear is unknown. */
export function purchaseOutcome(answer: WaafiAnswer): Exclude<PaymentOutcome, { state: 'not_sent' }> {
  const code = codeOf(answer);
  if (isApproved(answer))
    return answer.transactionId === ''
      ? { state: 'unknown', code: 'no_transaction' }
      : { state: 'approved', transactionId: answer.transactionId };
  if (succeeded(answer) || isRepeat(answer)) return { state: 'unknown', code };
  const reason = failureOf(answer);
  return reason === undefined ? { state: 'unknown', code } : { state: 'failed', reason, code };
}

const ENDED = new Set(['DECLINED', 'REJECTED', 'FAILED', 'CANCELLED', 'CANCELED', 'EXPIRED', 'REVERSED', 'REFUNDED']);

/** Outcome of an inquiry. Refusals of the inquiry itself carry no information about the payment. */
export function inquiryOutcome(answer: WaafiAnswer): FoundPayment {
  const code = codeOf(answer);
  if (succeeded(answer)) {
    if (answer.state === 'APPROVED') return purchaseOutcome(answer);
    if (ENDED.has(answer.state)) return { state: 'failed', reason: failureOf(answer) ?? 'refused', code: answer.state };
    return { state: 'pending' };
  }
  return /not[ _]?found|no[ _]record|mismatch/i.test(answer.message) ? { state: 'none' } : { state: 'unknown', code };
}

/** Given back now, or before. */
export const isReversed = (answer: WaafiAnswer): boolean =>
  isApproved(answer) || answer.errorCode === 'E10207' || /already_cancel/i.test(answer.message);
