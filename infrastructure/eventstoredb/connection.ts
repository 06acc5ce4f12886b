/**
 * The connection to the leader, and the calls on it. The client package's generated stubs are used, but not its own calls, for these
 * reasons:
 *  - its appends share one registry in the process: a transport error of one connection rejects the appends of all, and an answer after
 *    that ends the process;
 *  - an append that waits for back-pressure when the connection breaks becomes an unhandled rejection;
 *  - a subscription reports checkpoints and `caughtUp` before earlier events;
 *  - `readAll` has no filter;
 *  - its channel waits up to two minutes before it retries a server that was down, and shares its connections with all other clients of
 *    the process;
 *  - it queries the nodes for the leader one after the other, without a limit on the time to dial a silent one.
 */

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http2';
import type { ConnectionOptions } from '@eventstore/db-client/dist/Client/parseConnectionString.js';
import featuresService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { BatchAppendReq, BatchAppendResp, ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { connectivityState, credentials, type Metadata } from '@grpc/grpc-js';
import { defined } from '../../domain/defined.js';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import { BadEngineUrl } from '../engineUrl.js';
import { channelOptions, keepaliveOf, withoutNumbers } from './channelOptions.js';
import { authorizationOf, hangUp, metadataOf, type Node, type Way } from './dialling.js';
import { AccessRefused, failureOf, isConnectionLoss, leaderNamedBy, Passing, Unfit, unfitnessOf } from './failures.js';
import { LeaderSearch } from './leaderSearch.js';
import { LeaderWatch } from './leaderWatch.js';
import { type Resolve, resolveByDns, targetOf } from './nodes.js';
import { type ReadMessage, readMessage } from './readMessages.js';
import { readLimits, type ServerLimits } from './serverOptions.js';

/** Receiver of a streaming call: messages in order, then its end, once; nothing after cancel(). */
export interface CallListener<Message> {
  message(message: Message): void;
  /** Undefined: the server has ended the call well. */
  ended(error: Error | undefined): void;
}

export interface OpenCall {
  cancel(): void;
  pause(): void;
  resume(): void;
  /** Called when the node has sent something that only a working leader sends: an event, or the result of an append. */
  heard(): void;
  /** True if its node answers another call within a second, on the connection for reads. */
  answers(): Promise<boolean>;
}

export interface OpenAppendCall extends OpenCall {
  write(request: BatchAppendReq): void;
  /** The node cannot take appends now: another one is looked for, where there is one. */
  unfit(reason: Error): void;
}

/** A call as either client makes it. */
interface Call {
  cancel(): void;
  pause(): unknown;
  resume(): unknown;
}

const READ_PATH = streamsService.StreamsService.read.path;
const FEATURES_PATH = featuresService.ServerFeaturesService.getSupportedMethods.path;

const ANSWER_MS = 1_000;

export class Connection {
  readonly #way: Way;
  readonly #search: LeaderSearch;
  readonly #watch: LeaderWatch;
  #node: Promise<Node> | undefined;
  #closed = false;

  /** Opens nothing yet. Throws BadEngineUrl when a certificate's file cannot be read. */
  constructor(options: ConnectionOptions, resolve: Resolve = resolveByDns) {
    const secure = options.tls !== false;
    const keepalive = keepaliveOf(options);
    const [root, key, certificate] = FILES.map((name) => file(name, options[name]));
    this.#way = {
      credentials: secure
        ? withoutNumbers(credentials.createSsl(root, key, certificate))
        : credentials.createInsecure(),
      options: channelOptions(keepalive),
      keepalive,
      secure,
      certificates: defined({ ca: root, key, cert: certificate }),
      login: options.defaultCredentials,
      connectionName: options.connectionName ?? randomUUID(),
    };
    this.#search = new LeaderSearch(this.#way, options, resolve);
    this.#watch = new LeaderWatch(this.#search, this.#way, {
      node: () => this.#node,
      leave: (node, reason, leader) => this.#leave(node, reason, leader),
    });
  }

  /** One call that reads or subscribes. Rejects within some seconds when no node can be found. */
  async read(request: ReadReq, listener: CallListener<ReadMessage>): Promise<OpenCall> {
    const node = await this.#current();
    return this.#follow(node, listener, ({ message, ended }) =>
      node.reads.open(READ_PATH, this.#headers(), request.serializeBinary(), {
        message: (bytes) => message(readMessage(bytes)),
        ended,
      }),
    );
  }

  /** The call on which appends go out and are answered. Rejects within some seconds when no node can be found. */
  async batchAppend(listener: CallListener<BatchAppendResp>): Promise<OpenAppendCall> {
    const node = await this.#current();
    const call = node.streams.batchAppend(...this.#arguments());
    const followed = this.#follow<BatchAppendResp>(node, listener, ({ message, ended }) => {
      call.on('data', message);
      call.on('error', ended);
      call.on('end', () => ended(undefined));
      return call;
    });
    return {
      ...followed,
      write: (request) => void call.write(request),
      unfit: (reason) => {
        // A leader that is only busy is still the right node: the other nodes confirm it.
        if (this.#search.isCluster) this.#watch.check(node, true);
        else if (this.#search.hasChoice) this.#leave(node, reason);
      },
    };
  }

  /** Methods of the server, as it listed them when it was dialled. Rejects within some seconds if no node can be found. */
  async features(): Promise<SupportedMethods> {
    return (await this.#current()).methods;
  }

  /** Limits that the server reports to this user. Rejects within some seconds if no node can be found. */
  async limits(): Promise<ServerLimits> {
    return readLimits((await this.#current()).address, this.#way);
  }

  /** Sets the source of the oldest append's waiting time, in ms; 0: none waits. */
  watchAppends(oldest: () => number): void {
    this.#watch.appends = oldest;
  }

  /** Called after an unanswered call: drops a connection that is gone, and checks with other nodes who leads. */
  async suspect(): Promise<void> {
    const node = await this.#node?.catch(() => undefined);
    if (node === undefined) return;
    if (node.channel.getConnectivityState(false) !== connectivityState.READY)
      this.#leave(node, new Passing('the connection could not be made in time'));
    else this.#watch.check(node, true);
  }

  /** The same error; of an access that was refused because no user was named, that it was. */
  explained(error: Error): Error {
    if (authorizationOf(this.#way) !== undefined || !(failureOf(error) instanceof AccessRefused)) return error;
    return new AccessRefused(
      this.#way.login === undefined
        ? 'EventStoreDB denied access, and the URL has no user: write it as esdb://user:password@host:2113'
        : 'EventStoreDB denied access. The user in the URL is not sent without TLS: remove tls=false from the URL',
    );
  }

  /** True if the connected node is known to have no replicas. */
  get isAlone(): boolean {
    return this.#search.isAlone;
  }

  /** Ends every call. */
  close(): void {
    this.#closed = true;
    this.#watch.stop();
    this.#search.close();
    const node = this.#node;
    this.#node = undefined;
    void node?.then(
      (known) => this.#end(known, new StoreUnavailable('the event store is closed')),
      () => {},
    );
  }

  #arguments(): [Metadata, { deadline: number }] {
    const metadata = metadataOf(this.#way);
    // A leader has every event that was ever acknowledged; another node may lag behind.
    metadata.set('requires-leader', 'true');
    return [metadata, { deadline: Number.POSITIVE_INFINITY }];
  }

  /** The same, of calls that read. */
  #headers(): OutgoingHttpHeaders {
    const authorization = authorizationOf(this.#way);
    return {
      'connection-name': this.#way.connectionName,
      'requires-leader': 'true',
      ...(authorization !== undefined && { authorization }),
    };
  }

  #current(): Promise<Node> {
    if (this.#closed) return Promise.reject(new StoreUnavailable('the event store is closed'));
    if (this.#node === undefined) {
      const opening = this.#search.open();
      this.#node = opening;
      opening.then(
        (node) => {
          if (this.#node !== opening) hangUp(node);
        },
        () => {
          if (this.#node === opening) this.#node = undefined;
        },
      );
    }
    return this.#node;
  }

  #follow<Message>(
    node: Node,
    listener: CallListener<Message>,
    open: (listening: CallListener<Message>) => Call,
  ): OpenCall {
    let over = false;
    const end = (error: Error | undefined): void => {
      if (over) return;
      over = true;
      node.abandon.delete(abandon);
      listener.ended(error);
    };
    const abandon = (error: Error): void => {
      call.cancel();
      end(error);
    };
    node.abandon.add(abandon);
    const call = open({
      message(message) {
        if (over) return;
        try {
          listener.message(message);
        } catch (error) {
          // Thrown from here it would end the process.
          abandon(error as Error);
        }
      },
      ended: (error) => {
        if (!over && error !== undefined) this.#heed(node, error);
        end(error && this.explained(error));
      },
    });
    return {
      cancel: () => {
        over = true;
        node.abandon.delete(abandon);
        call.cancel();
      },
      pause: () => void call.pause(),
      resume: () => void call.resume(),
      heard: () => {
        node.heard = performance.now();
        this.#search.works(node.address);
      },
      answers: () => node.reads.answers(FEATURES_PATH, this.#headers(), ANSWER_MS),
    };
  }

  /** Switches to the leader. If a node is gone or cannot lead, another one is searched; a single node is dialled once more. */
  #heed(node: Node, error: Error): void {
    const leader = leaderNamedBy(error);
    const isReady = node.channel.getConnectivityState(false) === connectivityState.READY;
    if (leader !== undefined)
      this.#leave(node, new Passing('the leader has changed'), targetOf(leader.address, leader.port));
    else if (isConnectionLoss(error) && (this.#search.hasChoice || !isReady)) this.#leave(node, error);
    else if (unfitnessOf(error.message) !== undefined && this.#search.hasChoice)
      this.#leave(node, new Unfit(error.message));
  }

  /** `leader`: the node to switch to. Without it the node has failed, and is tried last. */
  #leave(node: Node, reason: Error, leader?: string): void {
    const opening = this.#node;
    void opening?.then(
      (known) => {
        if (known !== node || this.#node !== opening) return;
        this.#node = undefined;
        this.#search.left(node.address, leader);
        this.#end(node, reason);
      },
      () => {},
    );
  }

  #end(node: Node, reason: Error): void {
    for (const abandon of [...node.abandon]) abandon(reason);
    hangUp(node);
  }
}

const FILES = ['tlsCAFile', 'userKeyFile', 'userCertFile'] as const;

function file(name: (typeof FILES)[number], path: string | undefined): Buffer | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path);
  } catch (error) {
    throw new BadEngineUrl(
      'EVENTSTORE_URL',
      `names ${path} by ${name}, which cannot be read (${(error as NodeJS.ErrnoException).code})`,
    );
  }
}
