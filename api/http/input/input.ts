/** The bytes of a request's body become a value. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FieldProblem } from '../../../domain/decider.js';
import { announcesBody, BODY_IDLE_MS, BODY_WITHIN_MS, readBody } from '../../../infrastructure/http/body.js';
import type { ReservedBytes } from '../../../infrastructure/http/bodyBudget.js';
import { INLINE_BODY } from '../../contract/bodyLimits.js';
import { Refusal } from '../../contract/problems.js';
import { checkBodyShape, mostValues } from './bodyShape.js';
import { inexactNumbers, SUSPICIOUS_NUMBER } from './exactNumbers.js';
import { forbiddenText } from './text.js';

const tooLarge = (limit: number): Refusal =>
  new Refusal('payload_too_large', `The body is larger than ${limit} bytes.`);

const tooLate = (): Refusal =>
  new Refusal(
    'request_timeout',
    `The body did not arrive within ${BODY_WITHIN_MS / 1000} s, or no data arrived for ${BODY_IDLE_MS / 1000} s.`,
    { headers: { Connection: 'close' } },
  );

const tooMany = (): Refusal =>
  new Refusal('unavailable', 'Too many large bodies are being uploaded, in total or from your address.', {
    headers: { 'Retry-After': '1' },
  });

/** Reads the whole body, at most `limit` bytes; the rest of a larger one is thrown away as it comes. */
export const readBytes = (request: IncomingMessage, limit: number, reserved?: ReservedBytes): Promise<Buffer> =>
  readBody(request, { limit, memory: reserved && { reserved, tooMany }, tooLarge: () => tooLarge(limit), tooLate });

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
export const SUSPICIOUS = /\\u(?:d[89a-f]|00)|__proto__/i;

export interface ReadBody {
  /** Undefined: the body is empty, or was checked, has problems and no rule reads it. */
  readonly value: unknown;
  /** Lone surrogates, NUL and the like; all that is wrong with the body where it was checked. */
  readonly problems: readonly FieldProblem[];
  /** True after validation by the operation's schema, with defaults filled in. */
  readonly checked?: true;
  /** Fingerprint of the request, if it was requested with the check. */
  readonly fingerprint?: string;
}

export const NO_BODY: ReadBody = { value: undefined, problems: [] };

/** The bytes of a JSON body; none when there is no body. Refuses payload_too_large and unsupported_media_type. */
export async function readJsonBytes(
  request: IncomingMessage,
  limit: number,
  reserved?: ReservedBytes,
): Promise<Buffer | undefined> {
  if (!announcesBody(request)) return undefined;
  checkMediaType(request);
  const bytes = await readBytes(request, limit, reserved);
  return bytes.length === 0 ? undefined : bytes;
}

/** The value of a body of at most `limit` bytes. Refuses malformed_body, and validation_failed for what nobody declares. */
export function parsedBody(bytes: Buffer, limit: number): ReadBody {
  if (!isUtf8(bytes)) throw new Refusal('malformed_body', 'The body is not well-formed UTF-8.');
  // A small one cannot hold what would be dear.
  if (bytes.length > INLINE_BODY) checkBodyShape(bytes, mostValues(limit));
  const text = bytes.toString();
  const value = parse(text);
  const problems = SUSPICIOUS.test(text) ? forbiddenText(value) : [];
  return { value, problems: SUSPICIOUS_NUMBER.test(text) ? [...problems, ...inexactNumbers(text)] : problems };
}
