/** The gRPC server: which handler answers which call, who is let in, and the bounds of connections. */
import type { Server as NetServer } from 'node:net';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { ProjectionsService } from '@eventstore/db-client/generated/projections_grpc_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { Server, ServerCredentials, type ServiceDefinition } from '@grpc/grpc-js';
import { appendHandler } from './appendCall.js';
import type { Appender } from './appender.js';
import { batchAppends } from './batchAppendCall.js';
import type { Certificate } from './certificate.js';
import { frontDoor } from './connections.js';
import { type Credentials, gate, readingGate } from './credentials.js';
import { deleteHandler, tombstoneHandler } from './deletions.js';
import { guarded } from './guard.js';
import { type readHandler, readMethod } from './reading/readHandler.js';
import { writeAhead } from './reading/writeAhead.js';
import { featuresHandler, gossipHandler } from './serverInfo.js';
import { serverTexts, switchedOff } from './serverTexts.js';
import { answerUnknownMethods } from './unknownMethods.js';

/** Calls at once on one connection; subscriptions are calls. */
const MOST_CALLS = 500;
/** Bytes of one message. The largest append has far less data, but its metadata count too. */
const MOST_MESSAGE = 16 * 1024 * 1024;
/** A peer that has fallen silent is let go after the sum of both, in ms. */
const KEEPALIVE_MS = 60_000;
const KEEPALIVE_PATIENCE_MS = 20_000;
/** How long running calls may go on when the server closes, in ms. */
const CLOSE_MS = 500;

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly credentials?: Credentials | undefined;
  readonly certificate?: Certificate | undefined;
  /** Allows clients to append and delete. */
  readonly writes: boolean;
  readonly hasService: boolean;
  readonly appender: Appender;
  readonly read: ReturnType<typeof readHandler>;
}

export interface RunningServer {
  readonly port: number;
  close(): Promise<void>;
}

const tlsCredentials = ({ cert, key }: Certificate): ServerCredentials =>
  ServerCredentials.createSsl(null, [{ cert_chain: Buffer.from(cert), private_key: Buffer.from(key) }]);

function listen(server: NetServer, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as { port: number }).port);
    });
  });
}

/** Resolves when it listens; rejects with the reason when it cannot. Services that are not here answer UNIMPLEMENTED. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host, port, credentials, certificate, writes, hasService, appender, read } = options;
  const grpc = new Server({
    'grpc.max_receive_message_length': MOST_MESSAGE,
    'grpc.max_send_message_length': -1,
    'grpc.max_concurrent_streams': MOST_CALLS,
    'grpc.keepalive_time_ms': KEEPALIVE_MS,
    'grpc.keepalive_timeout_ms': KEEPALIVE_PATIENCE_MS,
    interceptors: [serverTexts, writeAhead],
  });
  const plain = grpc.createConnectionInjector(ServerCredentials.createInsecure());
  const secure = certificate && grpc.createConnectionInjector(tlsCredentials(certificate));
  const door = frontDoor({
    plain: (socket) => plain.injectConnection(socket),
    secure: secure && ((socket) => secure.injectConnection(socket)),
  });
  const listening = { host, port: await listen(door.server, host, port) };
  const paths: string[] = [];
  const add = (service: ServiceDefinition, handlers: object, check: Parameters<typeof guarded>[2]): void => {
    const { definition, implementation } = guarded(service, handlers, check);
    grpc.addService(definition, implementation);
    paths.push(...Object.values(definition).map(({ path }) => path));
  };
  const anyone = gate(undefined);
  add(GossipService, { read: gossipHandler(listening) }, anyone);
  add(ServerFeaturesService, { getSupportedMethods: featuresHandler({ writes, hasService }) }, anyone);
  const off = Object.fromEntries(Object.keys(ProjectionsService).map((name) => [name, switchedOff]));
  add(ProjectionsService, off, anyone);
  const batches = batchAppends(appender);
  const streams = {
    append: appendHandler(appender),
    batchAppend: batches.handle,
    delete: deleteHandler(appender),
    tombstone: tombstoneHandler(appender),
    read,
  };
  const known = gate(credentials);
  const service = { ...StreamsService, read: readMethod };
  add(service, streams, writes ? known : readingGate(known));
  answerUnknownMethods(grpc, paths);
  return {
    port: listening.port,
    async close() {
      const closed = door.close();
      batches.close();
      plain.drain(CLOSE_MS);
      secure?.drain(CLOSE_MS);
      await closed;
      grpc.forceShutdown();
    },
  };
}
