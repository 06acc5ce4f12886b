/** Raw reads over EventStoreDB's protocol, for requests that its Node client cannot make and messages that it hides. */
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import statusPb from '@eventstore/db-client/generated/status_pb.js';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import { type ClientReadableStream, status } from '@grpc/grpc-js';
import { until } from '../doubles/fakeClock.js';
import { identifier, rawStreams } from './endpointWire.js';

const { Empty } = sharedPb;
const Options = streamsPb.ReadReq.Options;

export interface RawRead {
  /** Absent: $all. */
  readonly stream?: string;
  /** Default: start. */
  readonly from?: 'start' | 'end' | number | string | { commit: number | string; prepare: number | string };
  readonly backwards?: boolean;
  /** Absent: a subscription. */
  readonly count?: number;
  readonly filter?: RawFilter;
  readonly links?: boolean;
  readonly uuid?: 'string' | 'structured' | 'none';
  readonly control?: number;
}

export interface RawFilter {
  readonly on: 'stream' | 'type';
  readonly regex?: string;
  readonly prefixes?: readonly string[];
  readonly window?: number;
  readonly multiplier?: number;
}

export function readRequest({ stream, from = 'start', count, filter, uuid = 'string', ...rest }: RawRead): ReadReq {
  const options = new Options();
  if (stream === undefined) options.setAll(allOptions(from));
  else options.setStream(streamOptions(stream, from));
  options.setReadDirection(rest.backwards ? 1 : 0).setResolveLinks(rest.links ?? false);
  if (count === undefined) options.setSubscription(new Options.SubscriptionOptions());
  else options.setCount(String(count));
  if (filter === undefined) options.setNoFilter(new Empty());
  else options.setFilter(filterOptions(filter));
  const form = new Options.UUIDOption();
  if (uuid === 'string') options.setUuidOption(form.setString(new Empty()));
  if (uuid === 'structured') options.setUuidOption(form.setStructured(new Empty()));
  if (rest.control !== undefined) options.setControlOption(new Options.ControlOption().setCompatibility(rest.control));
  return new streamsPb.ReadReq().setOptions(options);
}

function streamOptions(stream: string, from: RawRead['from']) {
  const options = new Options.StreamOptions().setStreamIdentifier(identifier(stream));
  if (from === 'start') return options.setStart(new Empty());
  return from === 'end' ? options.setEnd(new Empty()) : options.setRevision(String(from));
}

function allOptions(from: RawRead['from']) {
  const options = new Options.AllOptions();
  if (from === 'start') return options.setStart(new Empty());
  if (from === 'end') return options.setEnd(new Empty());
  const { commit, prepare } = typeof from === 'object' ? from : { commit: from!, prepare: from! };
  const position = new Options.Position().setCommitPosition(String(commit)).setPreparePosition(String(prepare));
  return options.setPosition(position);
}

function filterOptions({ on, regex, prefixes, window, multiplier = 1 }: RawFilter) {
  const expression = new Options.FilterOptions.Expression();
  if (regex !== undefined) expression.setRegex(regex);
  if (prefixes !== undefined) expression.setPrefixList([...prefixes]);
  const options = new Options.FilterOptions().setCheckpointintervalmultiplier(multiplier);
  if (on === 'stream') options.setStreamIdentifier(expression);
  else options.setEventType(expression);
  return window === undefined ? options.setCount(new Empty()) : options.setMax(window);
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

type Recorded = ReadResp.ReadEvent.RecordedEvent;
const placeOf = (event: Recorded): string =>
  `${text(event.getStreamIdentifier()!.getStreamName_asU8())}/${event.getStreamRevision()}`;

/** Returns a message in a few words: 'orders/3', 'none via links/0', 'caught up', 'checkpoint', 'last 4'. */
export function wordsOf(message: ReadResp): string {
  const event = message.getEvent();
  if (event !== undefined) {
    const [target, link] = [event.getEvent(), event.getLink()];
    return (target ? placeOf(target) : 'none') + (link ? ` via ${placeOf(link)}` : '');
  }
  if (message.hasConfirmation()) return 'confirmed';
  if (message.hasCaughtUp()) return 'caught up';
  if (message.hasFellBehind()) return 'fell behind';
  if (message.hasCheckpoint()) return 'checkpoint';
  if (message.hasStreamNotFound()) return 'not found';
  return message.hasLastStreamPosition()
    ? `last ${message.getLastStreamPosition()}`
    : `first ${message.getFirstStreamPosition()}`;
}

export const revisionsIn = (words: readonly string[], stream: string): number[] =>
  words.filter((word) => word.startsWith(`${stream}/`)).map((word) => Number(word.slice(stream.length + 1)));

/** A raw call and its messages as they arrive. */
export class Reading {
  readonly call: ClientReadableStream<ReadResp>;
  readonly messages: ReadResp[] = [];
  readonly words: string[] = [];
  /** Set when the call has ended: 'OK', 'UNKNOWN: …'. */
  end: string | undefined;
  readonly #client: ReturnType<typeof rawStreams>;

  constructor(address: string, read: RawRead) {
    this.#client = rawStreams(address);
    this.call = this.#client.read(readRequest(read));
    this.call.on('data', (message: ReadResp) => {
      this.messages.push(message);
      this.words.push(wordsOf(message));
    });
    this.call.on('error', () => {});
    this.call.on('status', ({ code, details, metadata }) => {
      // The details have our message; the status itself has EventStoreDB's wording.
      const [ours] = metadata.get('grpc-status-details-bin') as Buffer[];
      const words = ours === undefined ? details : statusPb.Status.deserializeBinary(ours).getMessage();
      this.end = code === status.OK ? 'OK' : `${status[code]}: ${words}`;
    });
  }

  get events(): Recorded[] {
    return this.messages.flatMap((message) => message.getEvent()?.getEvent() ?? []);
  }

  /** Returns the revisions of a stream's events, in order of arrival. */
  revisions(stream: string): number[] {
    return revisionsIn(this.words, stream);
  }

  async has(words: string): Promise<void> {
    await until(words, () => this.words.includes(words));
  }

  async count(events: number): Promise<void> {
    await until(`${events} events`, () => this.messages.length >= events && this.events.length >= events);
  }

  async ended(): Promise<string> {
    await until('the end', () => this.end !== undefined);
    return this.end!;
  }

  close(): void {
    this.call.cancel();
    this.#client.close();
  }
}

/** Reads to the end. Returns the messages in words, and the status if it is not OK. */
export async function readRaw(address: string, read: RawRead): Promise<string[]> {
  const reading = new Reading(address, read);
  const end = await reading.ended();
  reading.close();
  return end === 'OK' ? reading.words : [...reading.words, end];
}
