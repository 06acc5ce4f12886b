import statusPb from '@eventstore/db-client/generated/status_pb.js';
import { Metadata, type StatusObject, status } from '@grpc/grpc-js';

/** Type of an error's details in the answer of a BatchAppend. */
export type Kind =
  | 'BadRequest'
  | 'MaximumAppendSizeExceeded'
  | 'StreamDeleted'
  | 'Timeout'
  | 'Unknown'
  | 'WrongExpectedVersion';

/** EventStoreDB's words for the same, where they are others than ours: for a call, and for one append of a BatchAppend. */
export interface EventStoreTexts {
  readonly call?: string;
  readonly batch?: string;
}

/**
 * A call, or one append of a BatchAppend, that is not done. The message is for the user; clients go by the rest. Where EventStoreDB
 * has words of its own a client gets those, and ours in the status' details (`grpc-status-details-bin`).
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** gRPC status of a call. */
  readonly code: status;
  readonly kind: Kind;
  readonly trailers: Readonly<Record<string, string>>;
  readonly texts: EventStoreTexts;

  constructor(
    code: status,
    kind: Kind,
    message: string,
    trailers: Readonly<Record<string, string>> = {},
    texts: EventStoreTexts = {},
  ) {
    super(message);
    this.code = code;
    this.kind = kind;
    this.trailers = trailers;
    this.texts = texts;
  }
}

/** Answer to a missing id in a BatchAppend. */
export const NULL_ID = "Value cannot be null. (Parameter 'dto')";
/** Text of .NET's gRPC for a handler that failed. */
const THROWN = 'Exception was thrown by handler.';

/** Most bytes of event data in one append, as in EventStoreDB. */
export const MOST_DATA = 1_048_576;

/** A request that no client builds. EventStoreDB answers UNKNOWN to most of them, by a handler's exception. `batch`: its words there. */
export const malformed = (message: string, batch?: string): Refusal =>
  new Refusal(status.UNKNOWN, 'BadRequest', message, {}, { call: THROWN, ...(batch !== undefined && { batch }) });

/** A read that EventStoreDB cannot do, in its words. */
export const unreadableFrom = (words: string): Refusal => new Refusal(status.UNKNOWN, 'BadRequest', words);

export const invalid = (
  message: string,
  trailers: Readonly<Record<string, string>> = {},
  texts: EventStoreTexts = {},
): Refusal => new Refusal(status.INVALID_ARGUMENT, 'BadRequest', message, trailers, texts);

/** One of several fields had to be chosen, and none was. `oneof`: as EventStoreDB names it. */
export function notChosen(message: string, oneof: string): Refusal {
  const call = `'None' is not a valid EventStore.Client.Streams.${oneof}`;
  return invalid(message, {}, { call, batch: `Status(StatusCode="InvalidArgument", Detail="${call}")` });
}

export const missingProperty = (name: string): Refusal =>
  invalid(
    `Required Metadata Property '${name}' is missing`,
    {
      exception: 'missing-required-metadata-property',
      'required-metadata-properties': 'type,content-type',
    },
    { batch: 'The given key was not present in the dictionary.' },
  );

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

export function toStatus({ code, message, trailers, texts }: Refusal): StatusObject {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, inTrailer(value));
  if (texts.call === undefined) return { code, details: message, metadata };
  const ours = new statusPb.Status().setCode(code as number).setMessage(message);
  metadata.set('grpc-status-details-bin', Buffer.from(ours.serializeBinary()));
  return { code, details: texts.call, metadata };
}

/** Converts anything that a handler threw. The text of foreign errors is not sent: it may hold data that no client should see. */
export const refusalOf = (error: unknown): Refusal =>
  error instanceof Refusal ? error : new Refusal(status.UNKNOWN, 'Unknown', 'the endpoint failed to answer this call');
