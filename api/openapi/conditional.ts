/** OpenAPI entries of conditional reads: each answers 304 to a client that has the answer. */
import { HEADERS } from './shared.js';

const text = { type: 'string' };

export const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them.',
  schema: text,
};

export const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  description:
    'Beyond the specification: the ETag that you have read. If the object has changed since, the answer is 412 and nothing is changed.',
  schema: text,
};

/** Header fields of a successful read. */
export const READ_HEADERS = {
  ETag: {
    description: 'Changes whenever the content changes. Send it as If-None-Match in the next request.',
    schema: text,
  },
  'Cache-Control': { description: 'private, no-cache: revalidate a cached answer before you use it.', schema: text },
};

/** Without a body. */
export const UNCHANGED = {
  304: {
    description: 'Not modified: If-None-Match names this answer.',
    headers: { ...HEADERS, ...READ_HEADERS },
  },
};
