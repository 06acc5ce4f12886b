import { Metadata, type StatusObject, status } from '@grpc/grpc-js';

/** What a BatchAppend answers as the type of an error's details. */
export type Kind =
  | 'BadRequest'
  | 'MaximumAppendSizeExceeded'
  | 'StreamDeleted'
  | 'Timeout'
  | 'Unknown'
  | 'WrongExpectedVersion';

/** A call, or one append of a BatchAppend, that is not done. The words are for the user; clients go by the rest. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** gRPC status of a call. */
  readonly code: status;
  readonly kind: Kind;
  readonly trailers: Readonly<Record<string, string>>;

  constructor(code: status, kind: Kind, message: string, trailers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.code = code;
    this.kind = kind;
    this.trailers = trailers;
  }
}

/** Most bytes of event data in one append, as in EventStoreDB. */
export const MOST_DATA = 1_048_576;

/** A request that no client builds. EventStoreDB answers UNKNOWN to most of them, in a handler's exception. */
export const malformed = (message: string): Refusal => new Refusal(status.UNKNOWN, 'BadRequest', message);

export const invalid = (message: string, trailers: Readonly<Record<string, string>> = {}): Refusal =>
  new Refusal(status.INVALID_ARGUMENT, 'BadRequest', message, trailers);

export const missingProperty = (name: string): Refusal =>
  invalid(`Required Metadata Property '${name}' is missing`, {
    exception: 'missing-required-metadata-property',
    'required-metadata-properties': 'type,content-type',
  });

export const tooLarge = (): Refusal =>
  new Refusal(status.INVALID_ARGUMENT, 'MaximumAppendSizeExceeded', `Maximum Append Size of ${MOST_DATA} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(MOST_DATA),
  });

export const streamDeleted = (stream: string): Refusal =>
  new Refusal(status.FAILED_PRECONDITION, 'StreamDeleted', `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });

export const exhausted = (message: string): Refusal => new Refusal(status.RESOURCE_EXHAUSTED, 'Unknown', message);

/** The store cannot take it now, or has ended: the same request with the same ids may be sent again. */
export const unavailable = (message: string): Refusal => new Refusal(status.UNAVAILABLE, 'Unknown', message);

/** Trailers take printable ASCII only; other names are percent-encoded there. */
const inTrailer = (text: string): string => (/^[ -~]*$/.test(text) ? text : encodeURIComponent(text));

export function toStatus({ code, message, trailers }: Refusal): StatusObject {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, inTrailer(value));
  return { code, details: message, metadata };
}

/** Anything that a handler threw. What is not ours is told without its words: they may hold what no client should see. */
export const refusalOf = (error: unknown): Refusal =>
  error instanceof Refusal ? error : new Refusal(status.UNKNOWN, 'Unknown', 'the endpoint failed to answer this call');
