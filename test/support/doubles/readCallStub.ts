/** Stub of a Streams.Read call without a connection. The test is the reader and decides when to accept messages. */
import { once } from 'node:events';
import { Writable } from 'node:stream';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import type { StatusObject } from '@grpc/grpc-js';
import type { ReadCall } from '../../../infrastructure/eventstoreEndpoint/reading/readerStream.js';
import { type RawRead, readRequest, wordsOf } from '../protocol/endpointReads.js';

export class ReadCallStub extends Writable {
  readonly request: ReadReq;
  readonly messages: ReadResp[] = [];
  readonly words: string[] = [];
  status: StatusObject | undefined;
  #open: boolean;
  #taken: (() => void) | undefined;

  /** `open`: accepts everything at once. Otherwise nothing is accepted before `take()`. */
  constructor(read: RawRead, open = true) {
    super({ objectMode: true });
    this.request = readRequest(read);
    this.#open = open;
    this.on('error', (status: unknown) => {
      this.status = status as StatusObject;
    });
  }

  get call(): ReadCall {
    return this as unknown as ReadCall;
  }

  override _write(message: Buffer, _encoding: string, taken: () => void): void {
    const read = streamsPb.ReadResp.deserializeBinary(Uint8Array.from(message));
    this.messages.push(read);
    this.words.push(wordsOf(read));
    if (this.#open) taken();
    else this.#taken = taken;
  }

  /** Stops accepting messages. */
  hold(): void {
    this.#open = false;
  }

  /** Accepts all messages from now on. */
  take(): void {
    this.#open = true;
    this.#taken?.();
  }

  /** Cancels as grpc-js does when the reader cancels or the connection breaks. */
  cancel(): void {
    this.emit('cancelled', 'cancelled');
  }

  async finished(): Promise<void> {
    if (!this.writableFinished) await once(this, 'finish');
  }
}
