import { MongoBulkWriteError, MongoError, MongoNetworkError, MongoServerError, type WriteError } from 'mongodb';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import { ReadModelError } from '../readModels/shape.js';

interface Answer {
  readonly code: number;
  readonly message: string;
}

export const DUPLICATE_KEY = 11000;
const TOO_LARGE = new Set([10334, 17419, 17420]);
const REFUSED = new Set([8000, 13, 18]);
/**
 * Server codes that say nothing about the request: no primary now, shutting down, interrupted, out of time, a cursor that
 * is gone, a write that too few members confirmed, an index that is being built or no longer is, too many requests, a
 * conflict of two writes, no space. Label or code, whichever the server's version gives.
 */
const PASSING = new Set([
  6, 7, 24, 43, 50, 64, 79, 89, 91, 100, 112, 117, 133, 134, 175, 189, 202, 237, 262, 276, 365, 402, 462, 9001, 10107,
  11600, 11601, 11602, 12587, 13435, 13436, 14031,
]);
/** Its clock is behind the moment that was asked for: it is not, or is no longer, the set's primary. */
const INVALID_OPTIONS = 72;
const isBehind = ({ code, message }: Answer): boolean => code === INVALID_OPTIONS && /afterClusterTime/.test(message);
/** The server went wrong by itself. Mostly that passes; for some requests it never does. */
const INTERNAL = 1;
const INTERNAL_PASSES_MS = 30_000;
const PASSING_LABELS = ['RetryableWriteError', 'TransientTransactionError', 'RetryableError', 'SystemOverloadedError'];
/** Errors of the driver that mean that there is no connection (now). */
const DISCONNECTED = /^Mongo(ServerSelection|NotConnected|\w*Closed|WaitQueueTimeout|ExpiredSession)\w*Error$/;

/** Whether an internal error of the server still counts as passing: 30 s long, until none has come for as long. */
export interface InternalErrors {
  passes(): boolean;
}

/** `now`: steady, in ms. */
export function internalErrors(now: () => number = () => performance.now()): InternalErrors {
  let first = Number.NEGATIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  return {
    passes() {
      const at = now();
      if (at - last >= INTERNAL_PASSES_MS) first = at;
      last = at;
      return at - first < INTERNAL_PASSES_MS;
    },
  };
}

/** A bulk write hides the error that stopped it, such as a broken connection, in one of its own kind. */
function causeOf(error: MongoError): MongoError {
  const hidden: unknown = error instanceof MongoBulkWriteError ? error.errorResponse : undefined;
  return hidden instanceof MongoError ? hidden : error;
}

/** What a bulk write was refused for, statement by statement; the error itself shows the first alone. */
export const writeErrorsOf = (error: MongoBulkWriteError): readonly WriteError[] => [error.writeErrors].flat();

/** All that the server answered to the request. */
function answersOf(error: MongoError): Answer[] {
  const own = { code: typeof error.code === 'number' ? error.code : 0, message: error.message };
  if (!(error instanceof MongoBulkWriteError)) return [own];
  return [own, ...writeErrorsOf(error).map(({ code, errmsg = '' }) => ({ code, message: errmsg }))];
}

const passes = (error: MongoError, answers: readonly Answer[], internal: InternalErrors): boolean =>
  error instanceof MongoNetworkError ||
  DISCONNECTED.test(error.name) ||
  answers.some((answer) => PASSING.has(answer.code) || isBehind(answer)) ||
  PASSING_LABELS.some((label) => error.hasErrorLabel(label)) ||
  (error instanceof MongoBulkWriteError && error.result?.getWriteConcernError() !== undefined) ||
  (answers.some(({ code }) => code === INTERNAL) && internal.passes());

export const isDuplicateKey = (error: unknown): error is MongoServerError =>
  error instanceof MongoServerError && error.code === DUPLICATE_KEY;

/**
 * Whether a duplicate key error is about the id. Servers say so by the pattern of the index; where one does not, its
 * text is read no further than to the values, which anybody may have chosen.
 */
export function isAboutId({ keyPattern, message }: MongoServerError): boolean {
  if (typeof keyPattern === 'object' && keyPattern !== null) return Object.keys(keyPattern).join() === '_id';
  return /^[^"{]*\bcollection: \S+ index: _id_ /.test(message);
}

export const uniqueKeyTaken = (collection: string): ReadModelError =>
  new ReadModelError('unique_key_taken', `another document of ${collection} has the same unique keys`);

/**
 * The driver's error as the port's: `StoreUnavailable` where trying again may help, else `ReadModelError`. Neither keeps
 * the driver's own error, which holds the documents of the request.
 */
export function translated(thrown: unknown, server: string, internal: InternalErrors): unknown {
  if (!(thrown instanceof MongoError)) return thrown;
  const error = causeOf(thrown);
  const answers = answersOf(error);
  // What is wrong with one statement of many says more than that another's key is taken.
  const { code, message } = answers.find((answer) => answer.code !== DUPLICATE_KEY) ?? answers[0]!;
  const reason = `${error.name}${code === 0 ? '' : ` ${code}`}: ${message.slice(0, 300)}`;
  if (passes(error, answers, internal)) return new StoreUnavailable(`MongoDB at ${server} is not available: ${reason}`);
  if (code === DUPLICATE_KEY)
    return new ReadModelError('unique_key_taken', `${error.name} ${code}: a unique key is taken`);
  if (REFUSED.has(code))
    return new ReadModelError('mongodb_refused', `MongoDB at ${server} refuses the user of MONGODB_URL: ${reason}`);
  if (/\bhint\b/.test(message))
    return new ReadModelError('no_index', `an index that this query needs does not stand: ${reason}`);
  if (TOO_LARGE.has(code)) return new ReadModelError('document_too_large', `a document is over 16 MB: ${reason}`);
  return new ReadModelError('mongodb_error', `MongoDB at ${server} answered ${reason}`);
}
