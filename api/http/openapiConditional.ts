/** What the OpenAPI document says of operations that read: each answers 304 to who has the answer already. */
import { HEADERS } from './openapiShared.js';

const text = { type: 'string' };

export const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  description: 'Beyond the specification: ETags of answers that you have; 304 when this answer would be one of them.',
  schema: text,
};

/** Of a read that succeeded. */
export const READ_HEADERS = {
  ETag: { description: 'Other bytes have another; send it as If-None-Match when you ask again.', schema: text },
  'Cache-Control': { description: 'private, no-cache: ask before you use the answer again.', schema: text },
};

/** Without a body. */
export const UNCHANGED = {
  304: {
    description: 'The answer is one that If-None-Match names.',
    headers: { ...HEADERS, ...READ_HEADERS },
  },
};
