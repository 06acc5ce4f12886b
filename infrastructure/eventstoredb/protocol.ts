/** Requests of EventStoreDB's protocol, in the client package's own messages. */
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Position } from '../../engine/ports/eventStore.js';
import type { ServerFilter } from './filters.js';
import { placeOf } from './positions.js';

const { ReadReq, BatchAppendReq } = streams;
const { Options } = ReadReq;
type ReadRequest = InstanceType<typeof ReadReq>;
type ReadOptions = InstanceType<typeof Options>;
export type AppendRequest = InstanceType<typeof BatchAppendReq>;

const empty = new shared.Empty();
const FORWARDS = 0;
const BACKWARDS = 1;

function request(options: ReadOptions): ReadRequest {
  const ids = new Options.UUIDOption();
  ids.setString(empty);
  options.setUuidOption(ids);
  options.setResolveLinks(false);
  const message = new ReadReq();
  message.setOptions(options);
  return message;
}

const identifier = (stream: string) => {
  const message = new shared.StreamIdentifier();
  message.setStreamName(Buffer.from(stream));
  return message;
};

/** `from` is inclusive; absent: the beginning, or the end backwards. */
export function readStreamRequest(
  stream: string,
  read: { from: number | undefined; backwards: boolean; limit: number },
): ReadRequest {
  const place = new Options.StreamOptions();
  place.setStreamIdentifier(identifier(stream));
  if (read.from !== undefined) place.setRevision(String(read.from));
  else if (read.backwards) place.setEnd(empty);
  else place.setStart(empty);
  const options = new Options();
  options.setStream(place);
  options.setReadDirection(read.backwards ? BACKWARDS : FORWARDS);
  options.setCount(String(read.limit));
  options.setNoFilter(empty);
  return request(options);
}

/** Number of events that the server scans before it answers with its matches, and of such windows between two progress messages. */
export interface Window {
  readonly events: number;
  readonly checkpointEvery: number;
}

function setFilter(options: ReadOptions, filter: ServerFilter, window: Window): void {
  const expression = new Options.FilterOptions.Expression();
  expression.setRegex(filter.regex);
  const message = new Options.FilterOptions();
  if (filter.on === 'stream') message.setStreamIdentifier(expression);
  else message.setEventType(expression);
  message.setMax(window.events);
  message.setCheckpointintervalmultiplier(window.checkpointEvery);
  options.setFilter(message);
}

/** The newest events of the whole log, newest first. */
export function newestRequest(filter: ServerFilter, limit: number): ReadRequest {
  const place = new Options.AllOptions();
  place.setEnd(empty);
  const options = new Options();
  options.setAll(place);
  options.setReadDirection(BACKWARDS);
  options.setCount(String(limit));
  setFilter(options, filter, { events: 500, checkpointEvery: 1 });
  return request(options);
}

/** The whole log from (exclusive) a position, then live. */
export function subscribeRequest(after: Position, filter: ServerFilter, window: Window): ReadRequest {
  const place = new Options.AllOptions();
  const known = placeOf(after);
  if (known === undefined) place.setStart(empty);
  else {
    const position = new Options.Position();
    position.setCommitPosition(known.commit);
    position.setPreparePosition(known.prepare);
    place.setPosition(position);
  }
  const options = new Options();
  options.setAll(place);
  options.setReadDirection(FORWARDS);
  options.setSubscription(new Options.SubscriptionOptions());
  setFilter(options, filter, window);
  return request(options);
}

export interface ProposedEvent {
  readonly id: string;
  readonly type: string;
  /** JSON in UTF-8. */
  readonly data: Uint8Array;
  readonly meta: Uint8Array;
}

/**
 * One append in one message. An append that the server gives up may still be written; so the deadline is far away and only
 * keeps the server's queue from growing for ever. It is a span: an instant the server would compare with its own clock.
 */
export function appendRequest(
  correlation: string,
  stream: string,
  expected: 'any' | 'noStream' | number,
  events: readonly ProposedEvent[],
): AppendRequest {
  const options = new BatchAppendReq.Options();
  options.setStreamIdentifier(identifier(stream));
  if (expected === 'any') options.setAny(empty);
  else if (expected === 'noStream') options.setNoStream(empty);
  else options.setStreamPosition(String(expected));
  const message = new SpannedAppend();
  message.setCorrelationId(uuid(correlation));
  message.setOptions(options);
  message.setProposedMessagesList(events.map(proposed));
  message.setIsFinal(true);
  return message;
}

const SERVER_DEADLINE_SECONDS = 60;
/** Field 7 of the options, `google.protobuf.Duration deadline`, with its `seconds`. The client's messages do not know it. */
const DEADLINE = Buffer.from([(7 << 3) | 2, 2, (1 << 3) | 0, SERVER_DEADLINE_SECONDS]);
/** Tag of a request's options. */
const OPTIONS = (2 << 3) | 2;

/** A request whose options hold the deadline as a span. */
class SpannedAppend extends BatchAppendReq {
  override serializeBinary(): Uint8Array {
    const options = this.getOptions()!;
    this.clearOptions();
    const rest = super.serializeBinary();
    this.setOptions(options);
    const bytes = options.serializeBinary();
    return Buffer.concat([Buffer.from([OPTIONS]), varint(bytes.length + DEADLINE.length), bytes, DEADLINE, rest]);
  }
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left >>>= 7) {
    if (left < 0x80) return Buffer.from([...bytes, left]);
    bytes.push((left & 0x7f) | 0x80);
  }
}

function proposed(event: ProposedEvent) {
  const message = new BatchAppendReq.ProposedMessage();
  message.setId(uuid(event.id));
  const system = message.getMetadataMap();
  system.set('type', event.type);
  system.set('content-type', 'application/json');
  message.setData(event.data);
  message.setCustomMetadata(event.meta);
  return message;
}

function uuid(text: string) {
  const message = new shared.UUID();
  message.setString(text);
  return message;
}
