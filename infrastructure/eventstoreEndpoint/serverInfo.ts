/** Description of the server: ServerFeatures and Gossip. Both are answered to anyone, before a client logs in. */
import { randomUUID } from 'node:crypto';
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import gossipPb from '@eventstore/db-client/generated/gossip_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import featuresPb from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { Empty } from '@eventstore/db-client/generated/shared_pb.js';
import { type handleUnaryCall, Metadata } from '@grpc/grpc-js';
import { structuredUuid } from './protocol.js';
import { SERVICE_HEADER } from './serviceHeader.js';

/** The EventStoreDB whose answers this endpoint gives. */
const VERSION = '23.10.8';

/** Clients read which methods exist, and for some which options the server knows. */
const METHODS: readonly (readonly [service: string, method: string, features: readonly string[]])[] = [
  ['event_store.client.gossip.gossip', 'read', []],
  ['event_store.client.server_features.serverfeatures', 'getsupportedmethods', []],
  ['event_store.client.streams.streams', 'append', []],
  ['event_store.client.streams.streams', 'batchappend', []],
  ['event_store.client.streams.streams', 'delete', []],
  ['event_store.client.streams.streams', 'read', ['position', 'events']],
  ['event_store.client.streams.streams', 'tombstone', []],
];

const WRITING: readonly string[] = ['append', 'batchappend', 'delete', 'tombstone'];

/** `writes`: clients may append and delete; `hasService`: the header reports that a service works on this log. */
export function featuresHandler({
  writes,
  hasService,
}: {
  readonly writes: boolean;
  readonly hasService: boolean;
}): handleUnaryCall<Empty, SupportedMethods> {
  const methods = METHODS.filter(([, method]) => writes || !WRITING.includes(method)).map(
    ([service, method, features]) =>
      new featuresPb.SupportedMethod()
        .setServiceName(service)
        .setMethodName(method)
        .setFeaturesList([...features]),
  );
  const header = new Metadata();
  header.set(SERVICE_HEADER, 'running');
  return (call, callback) => {
    if (hasService) call.sendMetadata(header);
    callback(null, new featuresPb.SupportedMethods().setEventStoreServerVersion(VERSION).setMethodsList(methods));
  };
}

const AUTHORITY = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/;

/**
 * One member, the leader. Its address is the one that the client has used, so that it also works through a mapped port; `listening` if the
 * client does not send it.
 */
export function gossipHandler(listening: { host: string; port: number }): handleUnaryCall<Empty, ClusterInfo> {
  const instance = structuredUuid(randomUUID());
  return (call, callback) => {
    const [, six, name, port] = AUTHORITY.exec(call.getHost()) ?? [];
    const endPoint = new gossipPb.EndPoint()
      .setAddress(six ?? name ?? listening.host)
      .setPort(port === undefined ? listening.port : Number(port));
    const member = new gossipPb.MemberInfo()
      .setInstanceId(instance)
      .setTimeStamp(String(BigInt(Date.now()) * 10_000n))
      .setState(gossipPb.MemberInfo.VNodeState.LEADER)
      .setIsAlive(true)
      .setHttpEndPoint(endPoint);
    callback(null, new gossipPb.ClusterInfo().setMembersList([member]));
  };
}
