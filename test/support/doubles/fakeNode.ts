/**
 * node fakeNode.js, forked with the address of a protocol endpoint and a host. Node of a cluster whose log is the
 * endpoint's log. Messages control it. As a separate process it can be killed and frozen.
 */
import { once } from 'node:events';
import gossip from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossipMessages from '@eventstore/db-client/generated/gossip_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import featureMessages from '@eventstore/db-client/generated/serverfeatures_pb.js';
import statusMessages from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_grpc_pb.js';
import messages from '@eventstore/db-client/generated/streams_pb.js';
import {
  Client,
  type ClientDuplexStream,
  credentials,
  Metadata,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerWritableStream,
  type ServiceDefinition,
  status,
} from '@grpc/grpc-js';
import any from 'google-protobuf/google/protobuf/any_pb.js';

/**
 * leader: does everything. follower: names the leader. cutOff: has lost the others but still calls itself leader;
 * subscriptions are silent and appends time out. notReady: has noticed the loss. busy: refuses appends only. closed:
 * the user has no access. ordinary: the user may do everything but read $all.
 */
export type Role = 'leader' | 'follower' | 'cutOff' | 'notReady' | 'busy' | 'closed' | 'ordinary';

/**
 * Message to a node. `members`: addresses of the live nodes. `leader`: the address that its gossip names. `forgets`:
 * current listeners or appenders to forget. They receive nothing more, their appends are lost, and their calls stay
 * open.
 */
export interface NodeInfo {
  readonly role?: Role;
  readonly members?: readonly string[];
  readonly leader?: string | null;
  readonly forgets?: 'listeners' | 'appenders';
  /**
   * Commit position of the newest event. Reads from beyond it are refused, as a real node does where no event exists.
   */
  readonly end?: number;
}

/** Message from a node: its address, then the number of refused appends, of append calls and of forgotten callers. */
export type NodeReply =
  | { readonly address: string }
  | { readonly refused: number }
  | { readonly calls: number }
  | { readonly forgotten: number };

const [log = '', host = '127.0.0.1', port = '0'] = process.argv.slice(2);
let role: Role = 'follower';
let members: readonly string[] = [];
let leader: string | undefined;
let end = Number.POSITIVE_INFINITY;
let refused = 0;
let calls = 0;
let forgotten = 0;
const known = { listeners: new Set<Down>(), appenders: new Set<Down>() };

process.on('message', (reported: NodeInfo) => {
  role = reported.role ?? role;
  members = reported.members ?? members;
  end = reported.end ?? end;
  if (reported.leader !== undefined) leader = reported.leader ?? undefined;
  if (reported.forgets !== undefined) {
    forgotten += known[reported.forgets].size;
    known[reported.forgets].clear();
    report({ forgotten });
  }
});
process.on('disconnect', () => process.exit());
const report = (message: NodeReply): void => void process.send?.(message);

const split = (address: string) => {
  const colon = address.lastIndexOf(':');
  return { host: address.slice(0, colon), port: address.slice(colon + 1) };
};

function notLeader() {
  const metadata = new Metadata();
  if (leader === undefined) return { code: status.UNKNOWN, details: 'No leader info available in response', metadata };
  const at = split(leader);
  metadata.set('exception', 'not-leader');
  metadata.set('leader-endpoint-host', at.host);
  metadata.set('leader-endpoint-port', at.port);
  return { code: status.NOT_FOUND, details: 'Leader info available', metadata };
}

const same = (bytes: Buffer): Buffer => bytes;
const plain = { requestSerialize: same, requestDeserialize: same, responseSerialize: same, responseDeserialize: same };
const upstream = new Client(log, credentials.createInsecure());

type Down = ServerWritableStream<Buffer, Buffer> | ServerDuplexStream<Buffer, Buffer>;

function accessDenied() {
  const metadata = new Metadata();
  metadata.set('exception', 'access-denied');
  return { code: status.PERMISSION_DENIED, details: 'Access Denied', metadata };
}

const refusals: { readonly [role in Role]?: () => object } = {
  follower: notLeader,
  notReady: () => ({ code: status.UNAVAILABLE, details: 'Server Is Not Ready' }),
  closed: accessDenied,
};

/** Refuses the call if the role requires it. Returns whether it did. */
function turnsAway(call: Down): boolean {
  const failure = refusals[role]?.();
  if (failure !== undefined) call.emit('error', failure);
  return failure !== undefined;
}

function relay(up: NodeJS.ReadableStream & { cancel(): void }, call: Down, hears = () => true): void {
  // A node that is cut off receives no events written elsewhere.
  up.on('data', (bytes: Buffer) => {
    if (hears() && (role === 'leader' || role === 'busy' || role === 'ordinary')) call.write(bytes);
  });
  up.on('error', (error) => call.emit('error', error));
  up.on('end', () => call.end());
  call.on('cancelled', () => up.cancel());
}

function read(call: ServerWritableStream<Buffer, Buffer>): void {
  if (turnsAway(call)) return;
  if (role === 'ordinary' && messages.ReadReq.deserializeBinary(call.request).getOptions()?.hasAll()) {
    call.emit('error', accessDenied());
    return;
  }
  const place = messages.ReadReq.deserializeBinary(call.request).getOptions()?.getAll()?.getPosition();
  if (Number(place?.getCommitPosition() ?? 0) > end) {
    call.emit('error', { code: status.UNKNOWN, details: 'Exception was thrown by handler.' });
    return;
  }
  known.listeners.add(call);
  const up = upstream.makeServerStreamRequest(streams.StreamsService.read.path, same, same, call.request);
  up.on('end', () => known.listeners.delete(call));
  call.on('cancelled', () => known.listeners.delete(call));
  relay(up, call, () => known.listeners.has(call));
}

/** Returns the response to a refused append. */
function refusal(bytes: Buffer, code: number, text: string, detail: string): Buffer {
  const request = messages.BatchAppendReq.deserializeBinary(bytes);
  const details = new any.Any();
  details.pack(new Uint8Array(), detail);
  const error = new statusMessages.Status().setCode(code).setMessage(text).setDetails(details);
  refused += 1;
  report({ refused });
  const answer = new messages.BatchAppendResp().setCorrelationId(request.getCorrelationId()).setError(error);
  return Buffer.from(answer.serializeBinary());
}

function batchAppend(call: ServerDuplexStream<Buffer, Buffer>): void {
  if (turnsAway(call)) return;
  calls += 1;
  report({ calls });
  known.appenders.add(call);
  call.on('cancelled', () => known.appenders.delete(call));
  let up: ClientDuplexStream<Buffer, Buffer> | undefined;
  call.on('data', (bytes: Buffer) => {
    if (!known.appenders.has(call)) return;
    if (role === 'leader' || role === 'ordinary') {
      if (up === undefined) {
        up = upstream.makeBidiStreamRequest(streams.StreamsService.batchAppend.path, same, same);
        relay(up as never, call);
      }
      up.write(bytes);
    } else if (role === 'cutOff')
      setTimeout(() => call.write(refusal(bytes, 4, 'Timeout', 'event_store.client.Timeout')), 2_000);
    else
      call.write(
        refusal(bytes, 14, role === 'busy' ? 'Server Is Busy' : 'Server Is Not Ready', 'google.protobuf.Empty'),
      );
  });
  call.on('end', () => up?.end());
}

function notify(_call: unknown, answer: (error: null, info: object) => void): void {
  const { LEADER, FOLLOWER } = gossipMessages.MemberInfo.VNodeState;
  const list = members.map((address) => {
    const at = split(address);
    const endPoint = new gossipMessages.EndPoint().setAddress(at.host).setPort(Number(at.port));
    return new gossipMessages.MemberInfo()
      .setIsAlive(true)
      .setState(address === leader ? LEADER : FOLLOWER)
      .setHttpEndPoint(endPoint);
  });
  answer(null, new gossipMessages.ClusterInfo().setMembersList(list));
}

function canDo(_call: unknown, answer: (error: null, methods: object) => void): void {
  const method = new featureMessages.SupportedMethod();
  method.setServiceName('event_store.client.streams.Streams');
  method.setMethodName('BatchAppend');
  answer(null, new featureMessages.SupportedMethods().setEventStoreServerVersion('23.10.8').setMethodsList([method]));
}

const server = new Server();
const { read: readMethod, batchAppend: appendMethod } = streams.StreamsService;
const service = { read: { ...readMethod, ...plain }, batchAppend: { ...appendMethod, ...plain } };
server.addService(service as unknown as ServiceDefinition, { read, batchAppend } as never);
server.addService(gossip.GossipService, { read: notify } as never);
server.addService(features.ServerFeaturesService, { getSupportedMethods: canDo } as never);
const bound = await new Promise<number>((resolve, reject) =>
  server.bindAsync(`${host}:${port}`, ServerCredentials.createInsecure(), (error, at) =>
    error === null ? resolve(at) : reject(error),
  ),
);
report({ address: `${host}:${bound}` });
await once(process, 'disconnect');
