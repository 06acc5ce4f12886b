/**
 * BatchAppend: many appends on one call, each in one message or several, each answered once by its correlation id. They
 * are written in the order in which they became whole.
 */
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { type handleBidiStreamingCall, type ServerDuplexStream, status } from '@grpc/grpc-js';
import type { Appender, Outcome } from './appender.js';
import { type Addressee, refusalAnswer, successAnswer, wrongVersionAnswer } from './batchAnswers.js';
import { type Expecting, expectingOf } from './expectations.js';
import { readable } from './guard.js';
import { Proposals } from './proposals.js';
import { nameIn, streamIn, structuredUuid, uuidIn } from './protocol.js';
import { exhausted, malformed, NULL_ID, Refusal, refusalOf, streamDeleted, toStatus, unavailable } from './refusal.js';

/** How long an append may take to become whole, in ms; EventStoreDB's own. */
const PATIENCE_MS = 2_000;
/** Most appends of one call that are begun and not whole. */
const MOST_UNFINISHED = 100;
const MOST_UNFINISHED_BYTES = 32 * 1024 * 1024;
/** Most appends of one call that wait for the store. Beyond it nothing is read from the client. */
const MOST_AWAITED = 2_000;
const MOST_AWAITED_BYTES = 8 * 1024 * 1024;

interface Unfinished {
  readonly id: string;
  readonly to: Addressee;
  readonly stream: string;
  readonly expecting: Expecting;
  readonly events: Proposals;
  readonly late: NodeJS.Timeout | undefined;
}

export interface BatchAppends {
  readonly handle: handleBidiStreamingCall<BatchAppendReq, BatchAppendResp>;
  /** Reads no more from any client; a call ends, with UNAVAILABLE, when what was whole is answered. */
  close(): void;
}

export function batchAppends(appender: Appender): BatchAppends {
  const open = new Set<BatchAppendCall>();
  return {
    handle(call) {
      const batch = new BatchAppendCall(appender, call, () => void open.delete(batch));
      open.add(batch);
    },
    close() {
      for (const batch of [...open]) batch.close();
    },
  };
}

class BatchAppendCall {
  readonly #appender: Appender;
  readonly #call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>;
  readonly #unfinished = new Map<string, Unfinished>();
  #awaited = 0;
  #awaitedBytes = 0;
  /** The client has ended its side. */
  #ended = false;
  #closing = false;
  #over = false;
  #draining = false;
  readonly #gone: () => void;

  /** `gone` is called when the call is over. */
  constructor(appender: Appender, call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>, gone: () => void) {
    this.#appender = appender;
    this.#call = call;
    this.#gone = gone;
    call.on('data', (message: BatchAppendReq) => this.#hear(message));
    call.on('end', () => this.#clientEnded());
    call.on('cancelled', () => this.#forget());
    call.on('error', () => this.#forget());
  }

  close(): void {
    this.#closing = true;
    this.#call.pause();
    this.#endIfDone();
  }

  #hear(message: BatchAppendReq): void {
    if (this.#closing || this.#over) return;
    try {
      this.#take(readable(message));
    } catch (error) {
      this.#fail(refusalOf(error));
    }
  }

  #take(message: BatchAppendReq): void {
    const id = uuidIn(message.getCorrelationId());
    const started = id === undefined ? undefined : this.#unfinished.get(id);
    const options = message.getOptions();
    // The rest of an append that is answered already: a refusal, or that it was late.
    if (started === undefined && options === undefined) return;
    const to = started?.to ?? {
      correlation: message.getCorrelationId(),
      stream: nameIn(options?.getStreamIdentifier()),
    };
    try {
      const append = started ?? this.#begin(id, to, options!, message.getIsFinal());
      for (const event of message.getProposedMessagesList()) append.events.add(event);
      if (message.getIsFinal()) this.#submit(append);
      else this.#checkUnfinished();
    } catch (error) {
      this.#drop(id);
      this.#reply(refusalAnswer(to, refusalOf(error)));
    }
    this.#slowDown();
  }

  #begin(id: string | undefined, to: Addressee, options: BatchAppendReq.Options, whole: boolean): Unfinished {
    if (id === undefined) throw malformed('an append needs a correlation id, a UUID', NULL_ID);
    const stream = streamIn(options.getStreamIdentifier());
    const revision = options.hasStreamPosition() ? options.getStreamPosition() : undefined;
    const expecting = expectingOf(options, revision, 'BatchAppendReq+Types+Options+ExpectedStreamPositionOneofCase');
    const left = (options.getDeadline()?.toDate().getTime() ?? Infinity) - Date.now();
    if (left <= 0) throw timeout();
    const events = new Proposals(stream);
    if (whole) return { id, to, stream, expecting, events, late: undefined };
    if (this.#unfinished.size >= MOST_UNFINISHED)
      throw exhausted(`${MOST_UNFINISHED} appends of this call are begun and not final: end one first`);
    const late = setTimeout(() => this.#late(id, stream), Math.min(left, PATIENCE_MS));
    const started = { id, to, stream, expecting, events, late };
    this.#unfinished.set(id, started);
    return started;
  }

  #checkUnfinished(): void {
    let bytes = 0;
    for (const { events } of this.#unfinished.values()) bytes += events.weight;
    if (bytes > MOST_UNFINISHED_BYTES)
      throw exhausted('too much of this call is begun and not final: end an append first');
  }

  #late(id: string, stream: string): void {
    this.#drop(id);
    // In the structured form, as EventStoreDB answers here; clients read both.
    this.#reply(refusalAnswer({ correlation: structuredUuid(id), stream }, timeout()));
    this.#endIfDone();
  }

  #drop(id: string | undefined): void {
    if (id === undefined) return;
    clearTimeout(this.#unfinished.get(id)?.late);
    this.#unfinished.delete(id);
  }

  #submit({ id, to, stream, expecting, events }: Unfinished): void {
    this.#drop(id);
    this.#awaited += 1;
    this.#awaitedBytes += events.weight;
    this.#appender.submit(events.request(stream, expecting.expected), (outcome) => {
      this.#awaited -= 1;
      this.#awaitedBytes -= events.weight;
      this.#reply(answer(to, stream, expecting, outcome));
      this.#endIfDone();
      this.#goOn();
    });
  }

  #reply(message: BatchAppendResp): void {
    if (this.#over || this.#call.write(message) || this.#draining) return;
    this.#draining = true;
    this.#call.pause();
    this.#call.once('drain', () => {
      this.#draining = false;
      this.#goOn();
    });
  }

  get #busy(): boolean {
    return this.#closing || this.#draining || this.#awaited >= MOST_AWAITED || this.#awaitedBytes >= MOST_AWAITED_BYTES;
  }

  #slowDown(): void {
    if (this.#busy) this.#call.pause();
    else if (this.#appender.crowded) {
      this.#call.pause();
      this.#appender.roomy(() => this.#goOn());
    }
  }

  #goOn(): void {
    if (!this.#over && this.#call.isPaused() && !this.#busy && !this.#appender.crowded) this.#call.resume();
  }

  #clientEnded(): void {
    // They cannot become whole any more.
    for (const { id, stream } of [...this.#unfinished.values()]) this.#late(id, stream);
    this.#ended = true;
    this.#endIfDone();
  }

  #endIfDone(): void {
    if (this.#over || this.#awaited > 0) return;
    if (this.#ended) this.#call.end();
    else if (this.#closing) this.#fail(unavailable('the endpoint is closing'));
    else return;
    this.#forget();
  }

  /** Ends the call with an error. */
  #fail(refusal: Refusal): void {
    this.#forget();
    this.#call.emit('error', toStatus(refusal));
  }

  #forget(): void {
    this.#over = true;
    for (const id of [...this.#unfinished.keys()]) this.#drop(id);
    this.#gone();
  }
}

const timeout = (): Refusal => new Refusal(status.DEADLINE_EXCEEDED, 'Timeout', 'the append was not whole in time');

function answer(to: Addressee, stream: string, expecting: Expecting, outcome: Outcome): BatchAppendResp {
  if (outcome instanceof Refusal) return refusalAnswer(to, outcome);
  if (outcome.written) return successAnswer(to, outcome);
  return outcome.deleted ? refusalAnswer(to, streamDeleted(stream)) : wrongVersionAnswer(to, expecting, outcome);
}
