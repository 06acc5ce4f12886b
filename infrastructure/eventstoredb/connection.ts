/**
 * The client, with calls of our own over it. It knows how to read a connection string, to find a cluster's leader and to
 * make a call's metadata. Its own calls are not used, for what they do when something goes wrong:
 *  - its appends share one bank in the process: a transport error of one connection rejects the appends of all, and an
 *    answer that comes after that ends the process;
 *  - an append that waits for back-pressure when the connection breaks is a rejection that nobody can catch;
 *  - a subscription tells checkpoints and `caughtUp` before events that came earlier;
 *  - `readAll` has no filter;
 *  - its channel waits up to two minutes before it tries a server again that was away, and shares its connections with
 *    every other client of the process.
 */

import { readFileSync } from 'node:fs';
import { EventStoreDBClient } from '@eventstore/db-client';
import type { ConnectionOptions } from '@eventstore/db-client/dist/Client/parseConnectionString.js';
import featuresService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { BatchAppendReq, BatchAppendResp, ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import {
  Channel,
  type ChannelCredentials,
  type ChannelOptions,
  type ClientDuplexStream,
  type ClientReadableStream,
  connectivityState,
  credentials,
} from '@grpc/grpc-js';
import { defined } from '../../domain/defined.js';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import { channelOptions } from './channelOptions.js';
import { isConnectionLoss, leaderNamedBy, Passing } from './failures.js';

const { StreamsClient } = streamsService;
const { ServerFeaturesClient } = featuresService;

/** What a streaming call says: messages in order, then its end, once; nothing after cancel(). */
export interface CallListener<Message> {
  message(message: Message): void;
  /** Undefined: the server has ended the call well. */
  ended(error: Error | undefined): void;
}

export interface OpenCall {
  cancel(): void;
  pause(): void;
  resume(): void;
}

export interface OpenAppendCall extends OpenCall {
  write(request: BatchAppendReq): void;
}

type Call<Message> = ClientReadableStream<Message> | ClientDuplexStream<BatchAppendReq, Message>;

/** One node, and the calls that are open to it. */
interface Node {
  readonly channel: Channel;
  readonly streams: InstanceType<typeof StreamsClient>;
  readonly abandon: Set<(error: Error) => void>;
}

export class Connection extends EventStoreDBClient {
  readonly #channelCredentials: ChannelCredentials;
  readonly #channelOptions: ChannelOptions;
  readonly #single: boolean;
  #node: Promise<Node> | undefined;
  #leader: string | undefined;
  #closed = false;

  /** Opens nothing yet. Throws an Error when a certificate's file cannot be read. */
  constructor(options: ConnectionOptions) {
    const insecure = options.tls === false;
    const root = file(options.tlsCAFile);
    const key = file(options.userKeyFile);
    const certificate = file(options.userCertFile);
    const discovery = {
      nodePreference: options.nodePreference ?? 'leader',
      discoveryInterval: options.discoveryInterval ?? 100,
      gossipTimeout: options.gossipTimeout ?? 2,
      maxDiscoverAttempts: options.maxDiscoverAttempts ?? 3,
    };
    const [host] = options.hosts;
    const single = !options.dnsDiscover && options.hosts.length === 1;
    const tls = { insecure, ...defined({ rootCertificate: root }) };
    const name = defined({ connectionName: options.connectionName });
    if (single) super({ ...name, endpoint: host! }, tls, options.defaultCredentials);
    else if (options.dnsDiscover) super({ ...name, ...discovery, discover: host! }, tls, options.defaultCredentials);
    else super({ ...name, ...discovery, endpoints: options.hosts }, tls, options.defaultCredentials);
    this.#single = single;
    this.#channelCredentials = insecure ? credentials.createInsecure() : credentials.createSsl(root, key, certificate);
    this.#channelOptions = channelOptions(options);
  }

  /** One call that reads or subscribes. Rejects when no node can be found. */
  async read(request: ReadReq, listener: CallListener<ReadResp>): Promise<OpenCall> {
    const node = await this.#current();
    return this.#follow(node, node.streams.read(request, ...this.#arguments()), listener);
  }

  /** The call on which appends go out and are answered. Rejects when no node can be found. */
  async batchAppend(listener: CallListener<BatchAppendResp>): Promise<OpenAppendCall> {
    const node = await this.#current();
    const call = node.streams.batchAppend(...this.#arguments());
    return { ...this.#follow(node, call, listener), write: (request) => void call.write(request) };
  }

  /** What the server can do. Rejects with gRPC's error. */
  async features(deadlineMs: number): Promise<SupportedMethods> {
    const node = await this.#current();
    const client = new ServerFeaturesClient('', this.#channelCredentials, { channelOverride: node.channel });
    const [metadata, options] = this.callArguments({ deadline: deadlineMs });
    return new Promise((resolve, reject) => {
      client.getSupportedMethods(new shared.Empty(), metadata, options, (error, methods) => {
        if (error !== null) {
          this.#heed(node, error);
          reject(error);
        } else resolve(methods!);
      });
    });
  }

  /** After a call that was not answered in time: a connection that cannot even be made is given up, and made anew. */
  async suspect(): Promise<void> {
    const node = await this.#node?.catch(() => undefined);
    if (node === undefined || node.channel.getConnectivityState(false) === connectivityState.READY) return;
    this.#leave(node, new Passing('the connection could not be made in time'));
  }

  /** Ends every call. */
  close(): void {
    this.#closed = true;
    const node = this.#node;
    this.#node = undefined;
    void node?.then(
      (known) => this.#end(known, new StoreUnavailable('the event store is closed')),
      () => {},
    );
  }

  #arguments() {
    // A leader has every event that was ever acknowledged; another node may lag behind.
    return this.callArguments({ requiresLeader: true }, { deadline: Number.POSITIVE_INFINITY });
  }

  #current(): Promise<Node> {
    if (this.#closed) return Promise.reject(new StoreUnavailable('the event store is closed'));
    if (this.#node === undefined) {
      const opening = this.#open();
      this.#node = opening;
      opening.catch(() => {
        if (this.#node === opening) this.#node = undefined;
      });
    }
    return this.#node;
  }

  async #open(): Promise<Node> {
    const target = this.#leader ?? (await this.resolveUri());
    const channel = new Channel(target, this.#channelCredentials, this.#channelOptions);
    const streams = new StreamsClient('', this.#channelCredentials, { channelOverride: channel });
    return { channel, streams, abandon: new Set() };
  }

  #follow<Message>(node: Node, call: Call<Message>, listener: CallListener<Message>): OpenCall {
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
    call.on('data', (message: Message) => {
      if (over) return;
      try {
        listener.message(message);
      } catch (error) {
        // Thrown from here it would end the process.
        abandon(error as Error);
      }
    });
    call.on('error', (error: Error) => {
      if (!over) this.#heed(node, error);
      end(error);
    });
    call.on('end', () => end(undefined));
    return {
      cancel: () => {
        over = true;
        node.abandon.delete(abandon);
        call.cancel();
      },
      pause: () => void call.pause(),
      resume: () => void call.resume(),
    };
  }

  /** Goes where the leader is, and in a cluster looks for another node when one is gone; one server is simply dialled again. */
  #heed(node: Node, error: Error): void {
    const leader = leaderNamedBy(error);
    if (leader !== undefined)
      this.#leave(node, new Passing('the leader has changed'), `${leader.address}:${leader.port}`);
    else if (isConnectionLoss(error) && (!this.#single || this.#leader !== undefined)) this.#leave(node, error);
  }

  #leave(node: Node, reason: Error, leader?: string): void {
    const opening = this.#node;
    void opening?.then(
      (known) => {
        if (known !== node || this.#node !== opening) return;
        this.#node = undefined;
        this.#leader = leader;
        this.#end(node, reason);
      },
      () => {},
    );
  }

  #end(node: Node, reason: Error): void {
    for (const abandon of [...node.abandon]) abandon(reason);
    node.channel.close();
  }
}

const file = (path: string | undefined): Buffer | undefined => (path === undefined ? undefined : readFileSync(path));
