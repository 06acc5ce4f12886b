/** The bytes of a request's body become a value. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FieldProblem } from '../../domain/decider.js';
import { announcesBody, readBody } from '../../infrastructure/http/body.js';
import { Refusal } from '../problems.js';
import { forbiddenText } from './text.js';

/** Most bytes of a body. (DESIGN, 'Decisions where the specification is silent'.) */
export const MAX_BODY = 8 * 1024 * 1024;

/** Longest time for a body to come in whole, in ms. */
export const BODY_WITHIN = 60_000;

const tooLarge = (limit: number): Refusal =>
  new Refusal('payload_too_large', `The body is larger than ${limit} bytes.`);

const tooLate = (): Refusal =>
  new Refusal('request_timeout', `The body did not arrive within ${BODY_WITHIN / 1000} s.`, {
    headers: { Connection: 'close' },
  });

/** Reads the whole body, at most `limit` bytes; the rest of a larger one is thrown away as it comes. */
export const readBytes = (request: IncomingMessage, limit: number): Promise<Buffer> =>
  readBody(request, { limit, withinMs: BODY_WITHIN, tooLarge: () => tooLarge(limit), tooLate });

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i;

function checkMediaType(request: IncomingMessage): void {
  const { 'content-type': type, 'content-encoding': coding } = request.headers;
  if (coding !== undefined && coding.toLowerCase() !== 'identity')
    throw new Refusal('unsupported_media_type', 'Bodies with a content coding are not accepted.');
  if (type === undefined || !JSON_TYPE.test(type))
    throw new Refusal('unsupported_media_type', 'The body must be sent as Content-Type: application/json.');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const place = /position \d+/.exec(String(error))?.[0];
    throw new Refusal(
      'malformed_body',
      place === undefined ? 'The body is not well-formed JSON.' : `The body is not well-formed JSON, at ${place}.`,
    );
  }
}

/** The text of a body that may hold something to look for: an escaped surrogate or NUL, or a name that has a meaning of its own. */
const SUSPICIOUS = /\\u(?:d[89a-f]|00)|__proto__/i;

export interface ReadBody {
  /** Undefined: the body is empty. */
  readonly value: unknown;
  /** Lone surrogates, NUL and the like. */
  readonly problems: readonly FieldProblem[];
}

const EMPTY: ReadBody = { value: undefined, problems: [] };

/** The body as JSON. Refuses payload_too_large, unsupported_media_type and malformed_body. */
export async function readJson(request: IncomingMessage, limit = MAX_BODY): Promise<ReadBody> {
  if (!announcesBody(request)) return EMPTY;
  checkMediaType(request);
  const bytes = await readBytes(request, limit);
  if (bytes.length === 0) return EMPTY;
  if (!isUtf8(bytes)) throw new Refusal('malformed_body', 'The body is not well-formed UTF-8.');
  const text = bytes.toString();
  const value = parse(text);
  return { value, problems: SUSPICIOUS.test(text) ? forbiddenText(value) : [] };
}
