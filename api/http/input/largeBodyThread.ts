/** The thread that parses large bodies and validates them against the schemas of their operations. */
import { parentPort } from 'node:worker_threads';
import { DomainError, type FieldProblem } from '../../../domain/decider.js';
import { isProblemCode, type ProblemCode } from '../../contract/problems.js';
import { fingerprintOf } from '../idempotency/idempotency.js';
import { cut, isPortioned, type Pieces } from './bodyPieces.js';
import { parsedBody } from './input.js';
import { type BodyCheck, bodyCheck } from './validation.js';

export interface LargeBody {
  readonly operation: string;
  /** Schema of the operation's body, as plain JSON; sent with its first body. */
  readonly schema?: object;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Most bytes that the operation takes. */
  readonly limit: number;
  /** The operation has rules beyond the schema, which read the value of a body with problems too. */
  readonly hasRules?: boolean;
  /** Given: what makes the request the same one is answered too. */
  readonly request?: { readonly method: string; readonly url: string };
}

export type CheckedBody =
  | { readonly pieces: Pieces; readonly fingerprint?: string }
  /** `pieces`: where the operation has rules. */
  | { readonly problems: readonly FieldProblem[]; readonly pieces?: Pieces }
  | {
      readonly refused: {
        readonly code: ProblemCode;
        readonly detail: string;
        readonly problems: readonly FieldProblem[];
      };
    }
  | { readonly failed: string };

const checks = new Map<string, BodyCheck>();

function checkOf({ operation, schema }: LargeBody): BodyCheck {
  const known = checks.get(operation);
  if (known !== undefined) return known;
  const check = bodyCheck(schema!, false);
  checks.set(operation, check);
  return check;
}

function checked(largeBody: LargeBody): CheckedBody {
  const { bytes, limit, request, hasRules } = largeBody;
  const problems: FieldProblem[] = [];
  const value = checkOf(largeBody)(parsedBody(Buffer.from(bytes.buffer), limit), problems);
  if (problems.length > 0 && !hasRules) return { problems };
  const pieces = cut(value);
  if (problems.length > 0) return isPortioned(pieces) ? { problems, pieces } : { problems };
  return request === undefined
    ? { pieces }
    : { pieces, fingerprint: fingerprintOf(request.method, request.url, value) };
}

function answerTo(largeBody: LargeBody): CheckedBody {
  try {
    return checked(largeBody);
  } catch (error) {
    if (!(error instanceof DomainError) || !isProblemCode(error.code)) return { failed: String(error) };
    const { code, message: detail, problems } = error;
    return { refused: { code, detail, problems } };
  }
}

parentPort?.on('message', (largeBody: LargeBody) => {
  const answer = answerTo(largeBody);
  const pieces = 'pieces' in answer ? answer.pieces : undefined;
  parentPort!.postMessage(answer, pieces === undefined ? [] : [pieces.bytes.buffer]);
});
