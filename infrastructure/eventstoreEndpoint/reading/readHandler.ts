/** Streams.Read of EventStoreDB's protocol, over the embedded log: reads and subscriptions of a stream and of $all. */
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { Db } from '../../sqlite/database.js';
import type { HeadWatch } from '../../sqlite/eventStore/notices.js';
import { RawLog } from '../../sqlite/eventStore/rawLog.js';
import { RawLogTail } from '../../sqlite/eventStore/rawLogTail.js';
import { readAll } from './allReading.js';
import { followAll } from './allSubscription.js';
import { HeadWaits } from './headWaits.js';
import { type ReadCall, ReaderStream } from './readerStream.js';
import { readRequestOf } from './readRequest.js';
import { readStream } from './streamReading.js';
import { followStream } from './streamSubscription.js';
import type { Source } from './subscription.js';

export interface ReadDeps {
  /** A reading connection of the endpoint's own. */
  readonly db: Db;
  readonly heads: HeadWatch;
  /** Ms since 1970. */
  readonly now: () => number;
}

/** The method's definition for the server: what the handler writes are the bytes of messages already. */
export const readMethod = { ...StreamsService.read, responseSerialize: (message: Buffer): Buffer => message };

/** The handler of the method. Each call ends by itself, with its status; when the watch fails, all subscriptions do. */
export function readHandler({ db, heads, now }: ReadDeps): (call: ReadCall) => void {
  const log = new RawLog(db);
  const source: Source = { log, tail: new RawLogTail(log), heads: new HeadWaits(heads, log), now };
  return (call) => void answer(source, call);
}

async function answer(source: Source, call: ReadCall): Promise<void> {
  const reader = new ReaderStream(call);
  try {
    await serve(source, call, reader);
    reader.end();
  } catch (error) {
    reader.fail(error);
  }
}

async function serve(source: Source, call: ReadCall, reader: ReaderStream): Promise<void> {
  const request = readRequestOf(call.request);
  switch (request.kind) {
    case 'stream':
      return readStream(source.log, request, reader, source.now);
    case 'all':
      return readAll(source.log, request, reader, source.now);
    case 'streamSubscription':
      return followStream(source, request, reader);
    case 'allSubscription':
      return followAll(source, request, reader);
  }
}
