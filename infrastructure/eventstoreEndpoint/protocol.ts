/** The client package's own definitions of the protocol (CommonJS), and what is the same in all of its messages. */

import type { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb.js';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import { invalid, malformed } from './refusal.js';

const NULL_NAME = "Value cannot be null. (Parameter 'value')";

export const empty = () => new sharedPb.Empty();

/** Undefined: the message carries none. Bytes that are no UTF-8 become U+FFFD, as in EventStoreDB. */
export const nameIn = (identifier: StreamIdentifier | undefined): string | undefined =>
  identifier && Buffer.from(identifier.getStreamName_asU8()).toString('utf8');

/** Name of the stream that a request is about. SQLite ends a text at NUL, so such a name would match another stream. */
export function streamIn(identifier: StreamIdentifier | undefined): string {
  const name = nameIn(identifier);
  if (name === undefined || name === '')
    throw malformed(
      'the request needs the name of a stream',
      name === undefined ? 'Object reference not set to an instance of an object.' : NULL_NAME,
    );
  if (name.includes('\0')) throw invalid('the name of a stream cannot hold the character NUL');
  return name;
}

export const identifierOf = (name: string): StreamIdentifier =>
  new sharedPb.StreamIdentifier().setStreamName(Buffer.from(name));

/** The forms that EventStoreDB accepts as text: with or without dashes, in braces or parentheses, in any case. */
const UUID_TEXT = /^[{(]?([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})[)}]?$/i;

const half = (bits: string): string => BigInt.asUintN(64, BigInt(bits)).toString(16).padStart(16, '0');

/** In lower case, with dashes. Undefined: absent or malformed. */
export function uuidIn(message: UUID | undefined): string | undefined {
  const structured = message?.getStructured();
  const text =
    structured === undefined
      ? (message?.getString() ?? '')
      : half(structured.getMostSignificantBits()) + half(structured.getLeastSignificantBits());
  const parts = UUID_TEXT.exec(text)?.slice(1);
  return parts?.join('-').toLowerCase();
}

/** `uuid`: in lower case, with dashes. */
export function structuredUuid(uuid: string): UUID {
  const hex = uuid.replaceAll('-', '');
  const bits = (digits: string): string => BigInt.asIntN(64, BigInt(`0x${digits}`)).toString();
  const structured = new sharedPb.UUID.Structured()
    .setMostSignificantBits(bits(hex.slice(0, 16)))
    .setLeastSignificantBits(bits(hex.slice(16)));
  return new sharedPb.UUID().setStructured(structured);
}
