/** The outcome of an operation's handler: the answer, and the form stored for a repetition. */
import { defined } from '../../domain/defined.js';
import { type Answer, type FileAnswer, Json } from '../contract/operation.js';
import type { ProblemAnswer } from '../contract/problems.js';
import { JSON_TYPE } from './exchange.js';
import type { StoredAnswer } from './idempotency/idempotency.js';

const bodyText = (body: Answer['body']): string | undefined => {
  if (body === undefined) return undefined;
  return body instanceof Json ? body.text : JSON.stringify(body);
};

/** The outcome of `handle`: an answer, or a problem that counts as one. */
export interface Outcome {
  readonly status: number;
  readonly text: string | undefined;
  readonly contentType: string;
  readonly stored: StoredAnswer;
  /** In place of the text. */
  readonly file?: FileAnswer;
  /** Set when `handle` threw: the problem, and the error behind it. */
  readonly failure?: ProblemAnswer;
  readonly error?: unknown;
}

/** A success. */
export function answered(answer: Answer): Outcome {
  const text = bodyText(answer.body);
  const storedText = answer.replayBody === undefined ? text : JSON.stringify(answer.replayBody);
  const stored = { status: answer.status, ...defined({ body: storedText }) };
  const { status, file } = answer;
  return { status, text, contentType: JSON_TYPE, stored, ...(file && { file }) };
}

/** Another try may do better: failures of the service, and others who change the same thing. */
export const isPassing = ({ problem }: ProblemAnswer): boolean =>
  problem.status >= 500 || problem.code === 'concurrent_change';
