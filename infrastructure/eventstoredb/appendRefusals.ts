/** Why a server did not take an append, where the client package knows no words for it. */
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { status } from '@grpc/grpc-js';
import { PayloadTooLarge } from '../../engine/ports/eventStore.js';
import { AppendRefused, Passing } from './failures.js';

type Failure = NonNullable<ReturnType<BatchAppendResp['getError']>>;

const OURS = 'event_store.client.';
/** The client package makes the port's error of these. */
const KNOWN = new Set(
  ['WrongExpectedVersion', 'StreamDeleted', 'AccessDenied', 'Timeout', 'MaximumAppendSizeExceeded'].map(
    (name) => OURS + name,
  ),
);
/** Another try may do. OK: a node that did not handle the append at all gives no code. */
const PASSING = new Set<number>([
  status.OK,
  status.CANCELLED,
  status.DEADLINE_EXCEEDED,
  status.RESOURCE_EXHAUSTED,
  status.ABORTED,
  status.UNAVAILABLE,
]);

/** Undefined: the client package knows these details. */
export function refusalIn(failure: Failure, stream: string): Error | undefined {
  const details = failure.getDetails();
  const type = details?.getTypeName() ?? '';
  if (KNOWN.has(type)) return undefined;
  if (type === `${OURS}MaximumAppendEventSizeExceeded`) return eventTooLarge(stream, details!.getValue_asU8());
  if (PASSING.has(failure.getCode()))
    return new Passing(`the server refused an append: ${failure.getMessage() || status[failure.getCode()]}`);
  const text = type === `${OURS}BadRequest` ? badRequest(details!.getValue_asU8()) : undefined;
  return new AppendRefused(
    `EventStoreDB refused an append to ${stream}: ${[failure.getMessage(), text].filter(Boolean).join(': ') || type}`,
  );
}

const badRequest = (bytes: Uint8Array): string | undefined =>
  orUndefined(() => shared.BadRequest.deserializeBinary(bytes).getMessage());

function eventTooLarge(stream: string, bytes: Uint8Array): PayloadTooLarge {
  const { 2: proposed, 3: most } = orUndefined(() => numbersIn(bytes)) ?? {};
  return new PayloadTooLarge(
    `an event of ${proposed ?? 'more'} bytes for ${stream} is larger than EventStoreDB accepts (MaxAppendEventSize${most === undefined ? '' : `, ${most} bytes`})`,
  );
}

const VARINT = 0;
const TEXT = 2;

/** The numbers of a protobuf message by their field, texts left out. Throws a RangeError where it is none such. */
function numbersIn(bytes: Uint8Array): Record<number, number> {
  const found: Record<number, number> = {};
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError('the message ends too early');
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const value = varint();
    if (tag % 8 === VARINT) found[Math.floor(tag / 8)] = value;
    else if (tag % 8 === TEXT) at += value;
    else throw new RangeError('a field of another kind');
  }
  return found;
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
