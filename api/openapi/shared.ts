/** Components shared by all operations of the OpenAPI document. */
import type { JsonObject } from './components.js';

export const PROBLEM_TYPE = 'application/problem+json';

export const FieldError = {
  type: 'object',
  description: 'One problem of a request.',
  required: ['message'],
  properties: {
    message: { type: 'string' },
    location: {
      type: 'string',
      description: 'Place in the request, such as `body.products[3].name`, `query.limit` or `path.orderId`.',
    },
    value: { description: 'The rejected value, of any type; long text is cut, secrets are left out.' },
  },
};

export const Problem = {
  type: 'object',
  description: 'Every error, by RFC 9457.',
  required: ['type', 'title', 'status', 'code'],
  properties: {
    type: { type: 'string', format: 'uri', description: "Link to the error code's documentation." },
    title: { type: 'string', description: 'The HTTP status text.' },
    status: { type: 'integer', format: 'int64', description: 'The HTTP status code.' },
    code: { type: 'string', description: 'Stable machine-readable error code.' },
    detail: { type: 'string', description: 'Human-readable explanation of this error.' },
    errors: { type: ['array', 'null'], items: { $ref: '#/components/schemas/FieldError' } },
    requestId: { type: 'string', description: 'Quote it when reporting.' },
    conversationId: {
      type: 'string',
      format: 'uuid',
      description: 'Beyond the specification, with `conversation_merged`: the conversation to write to.',
    },
  },
};

/** Header fields of every answer. */
export const HEADERS = {
  'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
  'API-Version': { $ref: '#/components/headers/API-Version' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimit-Policy' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
};

const text = { type: 'string' };
export const SHARED = {
  securitySchemes: {
    secretKey: {
      type: 'http',
      scheme: 'bearer',
      description:
        "A secret key (sk_live_…, sk_test_…) of the workspace, or its partner's key (psk_live_…, psk_test_…). A test key reaches the same data as a live one.",
    },
    sessionToken: {
      type: 'http',
      scheme: 'bearer',
      description:
        "The token of an SDK session (sdk_…): acts as its member, within the key that signed the user's token.",
    },
    partnerKey: { type: 'http', scheme: 'bearer', description: 'A partner secret key (psk_live_…, psk_test_…).' },
  },
  headers: {
    'X-Request-Id': { description: "The request's id.", schema: text },
    'API-Version': { description: 'Version of the API.', schema: { type: 'string', const: 'v1' } },
    'RateLimit-Policy': { description: 'The limits that counted this request.', schema: text },
    RateLimit: { description: 'Remaining quota of each limit: r requests, full again in t seconds.', schema: text },
    'Idempotent-Replayed': {
      description: 'The response is the stored response of the first request.',
      schema: { type: 'string', const: 'true' },
    },
    'Idempotent-Replay-Request-Id': {
      description:
        'For a stored problem: the id of this request. X-Request-Id is that of the first request, as in the body.',
      schema: text,
    },
    Allow: { description: 'With 405: the methods that the path has.', schema: text },
    'Retry-After': { description: 'Seconds to wait before the request is sent again.', schema: text },
    'WWW-Authenticate': { description: 'The required credential (RFC 6750).', schema: text },
    'Content-Range': { description: 'The size of the file: bytes */size.', schema: text },
    ETag: { description: 'ETag of the current state.', schema: text },
  },
};

/** Answers that operations share; of `examples`, those of a problem that no operation names. */
export const sharedResponses = (examples: JsonObject): JsonObject => ({
  /** Not `Problem`: generators make one type of a response and a schema of one name. */
  AnyProblem: {
    description: 'Any other error.',
    headers: {
      ...HEADERS,
      Allow: { $ref: '#/components/headers/Allow' },
      'Retry-After': { $ref: '#/components/headers/Retry-After' },
    },
    content: { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' }, ...examples } },
  },
});
