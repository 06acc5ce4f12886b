import { MongoBulkWriteError, MongoError, MongoServerError, type WriteError } from 'mongodb';
import { DocumentRefused, Fenced, ReadModelError } from '../../engine/ports/documents.js';
import { StoreRefused, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { BadEngineUrl } from '../engineUrl.js';

interface Answer {
  readonly code: number;
  readonly message: string;
}

export const DUPLICATE_KEY = 11000;
const TOO_LARGE = new Set([10334, 17419, 17420]);
/** UserNotFound, Unauthorized, AuthenticationFailed, RoleNotFound, MechanismUnavailable, AtlasError. */
const LOGIN_REFUSED = new Set([11, 13, 18, 31, 334, 8000]);
/** CommandNotFound, CommandNotSupported, NotImplemented, and Amazon DocumentDB's word for the same. */
const UNSUPPORTED = new Set([59, 115, 238, 303]);
const RETRYABLE_WRITES = /retryable writes/i;

/** A duplicate key that is to reach the caller of `run`, which translates the driver's errors. */
export class Taken extends Error {
  override readonly name = 'Taken';
}

/** An index that a query needs is missing on the server. */
export class MissingIndex extends StoreUnavailable {}

/** The port's own refusals, and those of this adapter: exact already. */
const EXACT = [StoreUnavailable, ReadModelError, Fenced, BadEngineUrl, Taken];

/** A bulk write hides the error that stopped it, such as a broken connection, in one of its own kind. */
function causeOf(error: Error): Error {
  const hidden: unknown = error instanceof MongoBulkWriteError ? error.errorResponse : undefined;
  return hidden instanceof MongoError ? hidden : error;
}

/** Refusals of a bulk write, statement by statement; the error itself shows only the first. */
export const writeErrorsOf = (error: MongoBulkWriteError): readonly WriteError[] => [error.writeErrors].flat();

/** All that the server answered to the request. */
function answersOf(error: Error): Answer[] {
  const { code } = error as { readonly code?: unknown };
  const own = { code: typeof code === 'number' ? code : 0, message: error.message };
  if (!(error instanceof MongoBulkWriteError)) return [own];
  return [own, ...writeErrorsOf(error).map(({ code, errmsg = '' }) => ({ code, message: errmsg }))];
}

export const isDuplicateKey = (error: unknown): error is MongoServerError =>
  error instanceof MongoServerError && error.code === DUPLICATE_KEY;

const NAMESPACE_NOT_FOUND = 26;
/** A collection without documents may not exist yet; old servers report that without a code. */
export const isMissingCollection = (error: unknown): boolean =>
  error instanceof MongoServerError && (error.code === NAMESPACE_NOT_FOUND || /ns not found/.test(error.message));

/**
 * True if a duplicate key error is about the id, by the pattern of the index. Undefined if the server does not name it: the text of such an
 * error holds values that anybody may have chosen, so it is not parsed.
 */
export function isAboutId({ keyPattern }: MongoServerError): boolean | undefined {
  if (typeof keyPattern !== 'object' || keyPattern === null) return undefined;
  return Object.keys(keyPattern).join() === '_id';
}

export const uniqueKeyTaken = (collection: string): DocumentRefused =>
  new DocumentRefused('unique_key_taken', `another document of ${collection} has the same unique keys`);

/** A write that some members have not confirmed may be undone, so its other results do not count. */
const isUnconfirmed = (error: Error): boolean =>
  error instanceof MongoBulkWriteError && error.result?.getWriteConcernError() !== undefined;

/**
 * The driver's error as the port's. Only what lies in a document itself is `DocumentRefused`. Everything else is
 * the store's, known or not: `StoreUnavailable`, or `StoreRefused` where somebody must change something first. None
 * keeps the driver's own error, which holds the documents of the request.
 */
export function translated(thrown: unknown, server: string): Error {
  const error = causeOf(thrown instanceof Error ? thrown : new Error(String(thrown)));
  if (EXACT.some((kind) => error instanceof kind)) return error;
  const answers = answersOf(error);
  // A fault of one statement is more informative than a duplicate key of another.
  const { code, message } = answers.find((answer) => answer.code !== DUPLICATE_KEY) ?? answers[0]!;
  const reason = `${error.name}${code === 0 ? '' : ` ${code}`}: ${message.slice(0, 300)}`;
  if (code === DUPLICATE_KEY && !isUnconfirmed(error))
    return new DocumentRefused('unique_key_taken', `${error.name} ${code}: a unique key is taken`);
  if (TOO_LARGE.has(code)) return new DocumentRefused('document_too_large', `a document is over 16 MB: ${reason}`);
  if (LOGIN_REFUSED.has(code))
    return new StoreRefused(
      `MongoDB at ${server} refuses the user in MONGODB_URL: check user, password and permissions (${reason})`,
    );
  if (RETRYABLE_WRITES.test(message))
    return new StoreRefused(`MongoDB at ${server} has no retryable writes: add retryWrites=false to MONGODB_URL`);
  if (UNSUPPORTED.has(code))
    return new StoreRefused(
      `MongoDB at ${server} lacks a required feature: use a server listed in docs/operating/shared-engines.md (${reason})`,
    );
  if (/\bhint\b/.test(message))
    return new MissingIndex(
      `MongoDB at ${server} lacks an index, which the next start of the service builds: ${reason}`,
    );
  return new StoreUnavailable(`MongoDB at ${server} is not available: ${reason}`);
}
