/**
 * Node before a protocol endpoint. It measures appends as a chosen server version does, serves its options over HTTP,
 * and refuses or delays appends and reads as a test configures.
 */
import { createServer as createHttp } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import features from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import featureMessages from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import statusMessages from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_grpc_pb.js';
import messages from '@eventstore/db-client/generated/streams_pb.js';
import {
  Client,
  type ClientDuplexStream,
  credentials,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerWritableStream,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import any from 'google-protobuf/google/protobuf/any_pb.js';

export interface SizedNodeOptions {
  /** Version that the server reports. */
  readonly version: string;
  /** Maximum size of one append, in bytes. */
  readonly most: number;
  /** Response of GET /info/options. Default: 401. */
  readonly options?: readonly { readonly name: string; readonly value: string }[];
  /** Error with which each append is refused instead of being written. */
  readonly refusal?: {
    readonly code: number;
    readonly message: string;
    readonly type: string;
    readonly value: Uint8Array;
  };
  /** Number of first appends that are refused because the node is not ready. */
  readonly notReady?: number;
  /** Number of first appends that are accepted but never answered. */
  readonly mute?: number;
  /** Time before the first message of a read, in ms. */
  readonly scanMs?: number;
}

export interface SizedNode {
  /** 'host:port'. */
  readonly address: string;
  /** Number of events in each received append, refused ones included. */
  readonly appends: readonly number[];
  close(): Promise<void>;
}

const INVALID_ARGUMENT = 3;
const NOT_READY = { code: 0, message: 'Server Is Not Ready', type: 'google.protobuf.Empty', value: new Uint8Array() };
const same = (bytes: Buffer): Buffer => bytes;
const plain = { requestSerialize: same, requestDeserialize: same, responseSerialize: same, responseDeserialize: same };

type Request = ReturnType<typeof messages.BatchAppendReq.deserializeBinary>;

/**
 * Returns the size of an append. Up to 23.10 only data counts, later also metadata and twice the length of the type.
 */
function sizeOf(request: Request, version: string): number {
  const isOld = version.startsWith('23.');
  return request.getProposedMessagesList().reduce((bytes, event) => {
    const data = event.getData_asU8().length;
    const type = event.getMetadataMap().get('type') ?? '';
    return bytes + (isOld ? data : data + event.getCustomMetadata_asU8().length + 2 * type.length);
  }, 0);
}

function refused(request: Request, { code, message, type, value }: NonNullable<SizedNodeOptions['refusal']>): Buffer {
  const details = new any.Any();
  details.pack(value, type);
  const error = new statusMessages.Status().setCode(code).setMessage(message).setDetails(details);
  const answer = new messages.BatchAppendResp().setCorrelationId(request.getCorrelationId()).setError(error);
  return Buffer.from(answer.serializeBinary());
}

/** `log`: address of the endpoint that stores the events. */
export async function sizedNode(log: string, options: SizedNodeOptions): Promise<SizedNode> {
  const { version, most, scanMs = 0 } = options;
  const upstream = new Client(log, credentials.createInsecure());
  const appends: number[] = [];
  const tooLarge = {
    code: INVALID_ARGUMENT,
    message: 'MaximumAppendSizeExceeded',
    type: 'event_store.client.MaximumAppendSizeExceeded',
    value: new shared.MaximumAppendSizeExceeded().setMaxappendsize(most).serializeBinary(),
  };
  const waits = new Set<NodeJS.Timeout>();

  const read = (call: ServerWritableStream<Buffer, Buffer>): void => {
    const up = upstream.makeServerStreamRequest(streams.StreamsService.read.path, same, same, call.request);
    const begin = (): void => {
      up.on('data', (bytes: Buffer) => void call.write(bytes));
      up.on('end', () => call.end());
    };
    up.on('error', (error) => call.emit('error', error));
    call.on('cancelled', () => up.cancel());
    if (scanMs === 0) begin();
    else waits.add(setTimeout(begin, scanMs));
  };
  const batchAppend = (call: ServerDuplexStream<Buffer, Buffer>): void => {
    let up: ClientDuplexStream<Buffer, Buffer> | undefined;
    call.on('data', (bytes: Buffer) => {
      const request = messages.BatchAppendReq.deserializeBinary(bytes);
      appends.push(request.getProposedMessagesList().length);
      if (appends.length <= (options.notReady ?? 0)) return void call.write(refused(request, NOT_READY));
      if (appends.length <= (options.mute ?? 0)) return;
      if (options.refusal !== undefined) return void call.write(refused(request, options.refusal));
      if (sizeOf(request, version) > most) return void call.write(refused(request, tooLarge));
      if (up === undefined) {
        up = upstream.makeBidiStreamRequest(streams.StreamsService.batchAppend.path, same, same);
        up.on('data', (answer: Buffer) => void call.write(answer));
        up.on('error', () => {});
      }
      up.write(bytes);
    });
    call.on('end', () => call.end());
    call.on('cancelled', () => up?.cancel());
  };
  const canDo = (_call: unknown, answer: (error: null, methods: object) => void): void => {
    const method = new featureMessages.SupportedMethod();
    method.setServiceName('event_store.client.streams.Streams');
    method.setMethodName('BatchAppend');
    const methods = new featureMessages.SupportedMethods().setMethodsList([method]);
    answer(null, methods.setEventStoreServerVersion(version));
  };

  const grpc = new Server({ 'grpc.max_receive_message_length': 17 * 1024 * 1024 });
  const { read: readMethod, batchAppend: appendMethod } = streams.StreamsService;
  const service = { read: { ...readMethod, ...plain }, batchAppend: { ...appendMethod, ...plain } };
  grpc.addService(service as unknown as ServiceDefinition, { read, batchAppend } as never);
  grpc.addService(features.ServerFeaturesService, { getSupportedMethods: canDo } as never);
  const injector = grpc.createConnectionInjector(ServerCredentials.createInsecure());
  const http = createHttp((request, response) => {
    const known = request.url === '/info/options' && options.options !== undefined;
    response.writeHead(known ? 200 : 401, { connection: 'close' }).end(known ? JSON.stringify(options.options) : '');
  });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    socket.once('readable', () => {
      const first: Buffer | null = socket.read();
      if (first === null) return;
      socket.unshift(first);
      if (first.toString('latin1', 0, 3) === 'PRI') injector.injectConnection(socket);
      else http.emit('connection', socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    appends,
    async close() {
      for (const wait of waits) clearTimeout(wait);
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      grpc.forceShutdown();
      upstream.close();
      await closed;
    },
  };
}
