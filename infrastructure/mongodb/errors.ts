import { MongoBulkWriteError, MongoError, MongoNetworkError, MongoServerError } from 'mongodb';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import { ReadModelError } from '../readModels/shape.js';

const DUPLICATE_KEY = 11000;
const TOO_LARGE = new Set([10334, 17419, 17420]);
const REFUSED = new Set([8000, 13, 18]);
/**
 * Server codes that say nothing about the request: no primary now, shutting down, interrupted, out of time, a write
 * that too few members confirmed, a conflict of two writes, no space. Label or code, whichever the server's version gives.
 */
const PASSING = new Set([
  6, 7, 24, 50, 64, 79, 89, 91, 100, 112, 175, 189, 202, 262, 402, 9001, 10107, 11600, 11601, 11602, 13435, 13436,
  14031,
]);
const PASSING_LABELS = ['RetryableWriteError', 'TransientTransactionError', 'RetryableError', 'SystemOverloadedError'];
/** Errors of the driver that mean that there is no connection (now). */
const DISCONNECTED = /^Mongo(ServerSelection|NotConnected|\w*Closed|WaitQueueTimeout|ExpiredSession)\w*Error$/;

const codeOf = (error: MongoError): number | undefined => (typeof error.code === 'number' ? error.code : undefined);

/** A bulk write hides the error that stopped it, such as a broken connection, in one of its own kind. */
function causeOf(error: MongoError): MongoError {
  const hidden: unknown = error instanceof MongoBulkWriteError ? error.errorResponse : undefined;
  return hidden instanceof MongoError ? hidden : error;
}

const passes = (error: MongoError): boolean =>
  error instanceof MongoNetworkError ||
  DISCONNECTED.test(error.name) ||
  PASSING.has(codeOf(error) ?? 0) ||
  PASSING_LABELS.some((label) => error.hasErrorLabel(label)) ||
  (error instanceof MongoBulkWriteError && error.result?.getWriteConcernError() !== undefined);

export const isDuplicateKey = (error: unknown): error is MongoServerError =>
  error instanceof MongoServerError && error.code === DUPLICATE_KEY;

/** Whether a duplicate key error is about the id; the other unique indexes are ours by name. */
export const isAboutId = (message: string | undefined): boolean => / index: _id_/.test(message ?? '');

export const uniqueKeyTaken = (collection: string): ReadModelError =>
  new ReadModelError('unique_key_taken', `another document of ${collection} has the same unique keys`);

/**
 * The driver's error as the port's: `StoreUnavailable` where trying again may help, else `ReadModelError`. Neither keeps
 * the driver's own error, which holds the documents of the request.
 */
export function translated(thrown: unknown, server: string): unknown {
  if (!(thrown instanceof MongoError)) return thrown;
  const error = causeOf(thrown);
  const said = `${error.name}${error.code === undefined ? '' : ` ${error.code}`}`;
  const passing = passes(error);
  if (isDuplicateKey(error) && !passing)
    return new ReadModelError('unique_key_taken', `${said}: a unique key is taken`);
  const reason = `${said}: ${error.message.slice(0, 300)}`;
  if (passing) return new StoreUnavailable(`MongoDB at ${server} is not available: ${reason}`);
  const code = codeOf(error) ?? 0;
  if (REFUSED.has(code))
    return new ReadModelError('mongodb_refused', `MongoDB at ${server} refuses the user of MONGODB_URL: ${reason}`);
  if (/\bhint\b/.test(error.message))
    return new ReadModelError('no_index', `an index that this query needs does not stand: ${reason}`);
  if (TOO_LARGE.has(code)) return new ReadModelError('document_too_large', `a document is over 16 MB: ${reason}`);
  return new ReadModelError('mongodb_error', `MongoDB at ${server} answered ${reason}`);
}
