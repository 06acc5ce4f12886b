import { isIP } from 'node:net';
import type { ConnectionOptions } from '@eventstore/db-client/dist/Client/parseConnectionString.js';
import type { ChannelCredentials, ChannelOptions } from '@grpc/grpc-js';
import { LARGEST_MESSAGE } from './callMessages.js';

/**
 * A connection that is silent is asked whether it lives after this many ms, and given up after that many more: a server may
 * pause for some seconds. A leader that is gone is left sooner, when others name another (leaderWatch.ts).
 */
const KEEPALIVE_MS = 3_000;
const KEEPALIVE_ANSWER_MS = 6_000;
/** A longer timer would end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** What may be under way to one reader: a burst fits, and a far server does not wait for every 64 kB. */
export const WINDOW_BYTES = 1024 * 1024;

/** How often a connection is asked whether it lives, and how long it may take to answer, in ms. */
export interface Keepalive {
  readonly keepaliveMs: number;
  readonly keepaliveAnswerMs: number;
}

const orNever = (ms: number): number => (ms < 0 ? LONGEST_TIMER_MS : ms);

/** As the connection string says, where it does. */
export const keepaliveOf = ({ keepAliveInterval, keepAliveTimeout }: ConnectionOptions): Keepalive => ({
  keepaliveMs: orNever(keepAliveInterval ?? KEEPALIVE_MS),
  keepaliveAnswerMs: orNever(keepAliveTimeout ?? KEEPALIVE_ANSWER_MS),
});

/** How a connection of gRPC's client is made, kept alive and made again. */
export function channelOptions({ keepaliveMs, keepaliveAnswerMs }: Keepalive): ChannelOptions {
  return {
    'grpc.keepalive_time_ms': keepaliveMs,
    'grpc.keepalive_timeout_ms': keepaliveAnswerMs,
    // A channel that has lost its connection is given up: each try is a new one, bounded and paced here.
    'grpc.initial_reconnect_backoff_ms': 2_000,
    'grpc.max_reconnect_backoff_ms': 2_000,
    'grpc.use_local_subchannel_pool': 1,
    'grpc.max_receive_message_length': LARGEST_MESSAGE,
    'grpc-node.flow_control_window': WINDOW_BYTES,
    // Calls are repeated here, where it is known which may be.
    'grpc.enable_retries': 0,
    'grpc.enable_channelz': 0,
    'grpc.service_config_disable_resolution': 1,
  };
}

type Connector = ReturnType<ChannelCredentials['_createSecureConnector']> & {
  readonly connectionOptions?: { servername?: string };
};

/**
 * gRPC's client names in TLS's greeting whatever it connects to, also an address of numbers, of which Node warns (DEP0123).
 * Without a name there the certificate is still compared with the address.
 */
export function withoutNumbers(secure: ChannelCredentials): ChannelCredentials {
  const connectorOf = secure._createSecureConnector.bind(secure);
  secure._createSecureConnector = (...given) => {
    const connector: Connector = connectorOf(...given);
    const options = connector.connectionOptions;
    if (options?.servername !== undefined && isIP(options.servername) !== 0) delete options.servername;
    return connector;
  };
  return secure;
}
