/** OpenAPI entries of the problems of an operation. */
import type { Operation } from '../contract/operation.js';
import { type ProblemCode, problemKinds } from '../contract/problems.js';
import type { Route } from '../contract/routes.js';
import type { JsonObject } from './components.js';
import type { Examples } from './reference/examples.js';
import { HEADERS, PROBLEM_TYPE } from './shared.js';

function bodyCodes({ body, upload }: Operation): ProblemCode[] {
  if (body === undefined && upload === undefined) return [];
  const tooLarge = upload === undefined ? 'payload_too_large' : 'file_too_large';
  return ['malformed_body', tooLarge, 'unsupported_media_type', 'request_timeout'];
}

/** Codes of an operation by status: its own, and those that its declaration implies. */
export function problemCodes(operation: Operation, route: Route): ProblemCode[] {
  const codes: string[] = ['unauthenticated', 'permission_denied'];
  if (operation.feature !== null) codes.push('feature_not_available');
  if (operation.credential !== 'user_token') codes.push('session_ended');
  if (operation.credential === undefined) codes.push('session_expired');
  if (route.method !== 'GET') codes.push('concurrent_change', 'storage_full');
  if (route.about === 'workspace') codes.push('not_found', 'test_key_refused');
  if (operation.credential === 'user_token') codes.push('test_key_refused');
  if (route.about === 'workspace' && route.method !== 'GET' && operation.whenClosed !== true)
    codes.push('store_closed');
  codes.push(...bodyCodes(operation));
  if (operation.body || operation.upload || operation.query || operation.params) codes.push('validation_failed');
  if (operation.query && 'cursor' in operation.query) codes.push('invalid_cursor');
  if (route.method !== 'GET') codes.push('precondition_failed');
  if (operation.idempotent) codes.push('idempotency_key_reused', 'idempotency_in_flight');
  codes.push('rate_limited', 'internal_error', 'unavailable', ...(operation.problems ?? []));
  const known = [...new Set(codes)].filter((code): code is ProblemCode => code in problemKinds);
  return known.sort((a, b) => problemKinds[a].status - problemKinds[b].status);
}

const shared = (...names: string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const RETRY = ['Retry-After'];
const BY_STATUS: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  409: RETRY,
  412: ['ETag'],
  416: ['Content-Range'],
  429: RETRY,
  503: RETRY,
};
/** True for answers stored with an Idempotency-Key: after other failures the key may run again. */
const isStored = (status: number): boolean => ![400, 401, 429].includes(status) && status < 500;

/** Header fields of a problem in addition to those of every answer. */
const problemHeaders = (status: number, { idempotent }: Operation): JsonObject => ({
  ...shared(...(BY_STATUS[status] ?? [])),
  ...(idempotent && isStored(status) && shared('Idempotent-Replayed', 'Idempotent-Replay-Request-Id')),
});

/** Returns the most specific code of a status: one of the operation's own, if there is any. */
const mostSpecific = (codes: readonly ProblemCode[], { problems = [] }: Operation): ProblemCode =>
  codes.find((code) => problems.includes(code)) ?? codes[0]!;

/** The answers of an operation that are problems, by status. */
export function failures(operation: Operation, route: Route, examples: Examples): JsonObject {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of problemCodes(operation, route)) {
    const { status } = problemKinds[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const schema = { $ref: '#/components/schemas/Problem' };
  const stated = [...byStatus].map(([status, codes]) => [
    String(status),
    {
      description: codes.map((code) => `\`${code}\``).join(', '),
      headers: { ...HEADERS, ...problemHeaders(status, operation) },
      content: { [PROBLEM_TYPE]: { schema, ...examples.ofProblem(mostSpecific(codes, operation)) } },
    },
  ]);
  return { ...Object.fromEntries(stated), default: { $ref: '#/components/responses/AnyProblem' } };
}
