/** Raw calls of EventStoreDB's protocol that its client does not make. */
import { createRequire } from 'node:module';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import grpcPb from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { AppendReq, BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import { credentials } from '@grpc/grpc-js';

const { Empty, StreamIdentifier, UUID } = sharedPb;

export const rawStreams = (address: string) => new grpcPb.StreamsClient(address, credentials.createInsecure());

/**
 * Returns a client of a service from the package's definitions, such as 'persistent' 'PersistentSubscriptionsClient'.
 */
export function rawClient<Client>(file: string, name: string, address: string): Client {
  const definitions = createRequire(import.meta.url)(`@eventstore/db-client/generated/${file}_grpc_pb.js`);
  return new definitions[name](address, credentials.createInsecure());
}

export const identifier = (stream: string) => new StreamIdentifier().setStreamName(Buffer.from(stream));

export interface WireEvent {
  readonly id: string;
  readonly type?: string;
  readonly contentType?: string;
  readonly data?: string | Uint8Array;
  readonly metadata?: string;
}

const bytes = (text: string | Uint8Array) => Uint8Array.from(typeof text === 'string' ? Buffer.from(text) : text);

function fill<Message extends AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage>(
  message: Message,
  { id, type = 'Noted', contentType = 'application/json', data = '{"n":1}', metadata = '' }: WireEvent,
): Message {
  message.setId(new UUID().setString(id)).setData(bytes(data)).setCustomMetadata(bytes(metadata));
  message.getMetadataMap().set('type', type).set('content-type', contentType);
  return message;
}

export function appendOptions(stream: string): AppendReq {
  const options = new streamsPb.AppendReq.Options().setStreamIdentifier(identifier(stream)).setAny(new Empty());
  return new streamsPb.AppendReq().setOptions(options);
}

export const appendEvent = (event: WireEvent): AppendReq =>
  new streamsPb.AppendReq().setProposedMessage(fill(new streamsPb.AppendReq.ProposedMessage(), event));

/** Returns a part of a batch append. Without `stream`, a later part. */
export function batchPart(correlation: string, events: readonly WireEvent[], final: boolean, stream?: string) {
  const message = new streamsPb.BatchAppendReq()
    .setCorrelationId(new UUID().setString(correlation))
    .setProposedMessagesList(events.map((event) => fill(new streamsPb.BatchAppendReq.ProposedMessage(), event)))
    .setIsFinal(final);
  if (stream === undefined) return message;
  const options = new streamsPb.BatchAppendReq.Options().setStreamIdentifier(identifier(stream));
  // A different Empty class than in the other calls, but the same bytes.
  options.setAny(new Empty() as never);
  return message.setOptions(options);
}

/** Returns 'success 3' or the kind of error. */
export const outcomeOf = (answer: BatchAppendResp): string =>
  answer.getSuccess() === undefined
    ? answer.getError()!.getMessage()
    : `success ${answer.getSuccess()!.getCurrentRevision()}`;
