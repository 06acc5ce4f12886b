/** A connection to one node: made within a bound, and proved by an answer. */
import featuresService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { Channel, type ChannelCredentials, type ChannelOptions, Metadata, status } from '@grpc/grpc-js';
import { StoreRefused, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { SERVICE_HEADER } from '../eventstoreEndpoint/serviceHeader.js';
import type { Keepalive } from './channelOptions.js';
import { failureOf, Passing } from './failures.js';
import type { Address } from './nodes.js';
import { ReadConnection } from './readConnection.js';
import { tlsFailure } from './tlsFailure.js';

const { ServerFeaturesClient } = featuresService;
const { StreamsClient } = streamsService;

/** Time to connect, in ms. gRPC itself does not limit it: a frozen node accepts the connection and never answers. */
export const DIAL_MS = 2_000;

/** How the service comes to a node: the same for all nodes of a cluster. */
export interface Way {
  readonly credentials: ChannelCredentials;
  readonly options: ChannelOptions;
  readonly keepalive: Keepalive;
  readonly secure: boolean;
  /** PEM: whom is trusted, and who we are, where the connection string names files. */
  readonly certificates: { readonly ca?: Buffer; readonly key?: Buffer; readonly cert?: Buffer };
  readonly login: { readonly username: string; readonly password: string } | undefined;
  readonly connectionName: string;
}

/** One node, and the calls that are open to it. */
export interface Node {
  readonly address: Address;
  readonly channel: Channel;
  readonly streams: InstanceType<typeof StreamsClient>;
  /** For all that is read. */
  readonly reads: ReadConnection;
  /** Methods that the node supports. */
  readonly methods: SupportedMethods;
  readonly abandon: Set<(error: Error) => void>;
  /** Time of the last message that only a working leader sends: `performance.now()`. */
  heard: number;
}

/** Does not connect yet. */
export function channelTo(
  { target, name }: Address,
  { credentials, options }: Pick<Way, 'credentials' | 'options'>,
): Channel {
  const named = name === undefined ? {} : { 'grpc.ssl_target_name_override': name, 'grpc.default_authority': name };
  return new Channel(target, credentials, { ...options, ...named });
}

/** User and password go over TLS only. */
export const authorizationOf = ({ login, secure }: Way): string | undefined =>
  login !== undefined && secure
    ? `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`
    : undefined;

/** Credentials of the caller. */
export function metadataOf(way: Way): Metadata {
  const metadata = new Metadata();
  metadata.set('connection-name', way.connectionName);
  const authorization = authorizationOf(way);
  if (authorization !== undefined) metadata.set('authorization', authorization);
  return metadata;
}

/** Methods that a node supports. Rejects with gRPC's error, or StoreRefused: it is a running service's own endpoint. */
export function featuresOf(channel: Channel, way: Way, withinMs: number): Promise<SupportedMethods> {
  const client = new ServerFeaturesClient('', way.credentials, { channelOverride: channel });
  const deadline = Date.now() + withinMs;
  return new Promise((resolve, reject) => {
    const call = client.getSupportedMethods(new shared.Empty(), metadataOf(way), { deadline }, (error, methods) => {
      if (error === null) resolve(methods!);
      else reject(error);
    });
    call.on('metadata', (header) => {
      if (header.get(SERVICE_HEADER).length > 0) reject(new StoreRefused(OWN_ENDPOINT));
    });
  });
}

const OWN_ENDPOINT =
  'it is the endpoint of a running Suuq service, not EventStoreDB. A second service on its log would perform all effects twice. Move the history to a separate server (suuq move)';

/** Rejects within some seconds: with Passing, or StoreRefused when another try is in vain. */
export async function dial(address: Address, way: Way): Promise<Node> {
  const channel = channelTo(address, way);
  try {
    const methods = await featuresOf(channel, way, DIAL_MS);
    const streams = new StreamsClient('', way.credentials, { channelOverride: channel });
    const reads = new ReadConnection(address, { ...way, ...way.keepalive, dialMs: DIAL_MS });
    return { address, channel, streams, reads, methods, abandon: new Set(), heard: performance.now() };
  } catch (error) {
    channel.close();
    throw await whyNot(address, way, error as Error);
  }
}

/** Ends both connections to it, with every call. */
export function hangUp({ channel, reads }: Node): void {
  channel.close();
  reads.close();
}

/** The failure of a first call to a node, with a name where it is known that it will not pass. */
export async function whyNot(address: Address, way: Way, error: Error): Promise<Error> {
  if (error instanceof StoreRefused) return error;
  if ((error as { code?: number }).code === status.DEADLINE_EXCEEDED)
    return new Passing(`${address.target} has not answered within ${DIAL_MS / 1000} s`);
  const distrust = await tlsFailure(address, way.secure, error);
  if (distrust !== undefined) return distrust;
  const failure = failureOf(error);
  return failure instanceof StoreUnavailable ? failure : new Passing(`${address.target}: ${failure.message}`);
}
