import { isIP } from 'node:net';
import type { ConnectionOptions } from '@eventstore/db-client/dist/Client/parseConnectionString.js';
import type { ChannelCredentials, ChannelOptions } from '@grpc/grpc-js';
import { LARGEST_MESSAGE } from './callMessages.js';

/**
 * A silent connection is pinged after this many ms, and dropped after that many more without an answer: a server may pause for some
 * seconds. A lost leader is left sooner if other nodes name a new one (leaderWatch.ts).
 */
const KEEPALIVE_MS = 3_000;
const KEEPALIVE_ANSWER_MS = 6_000;
/** A longer timer would end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** Most bytes in flight to one reader: a burst fits, and a remote server does not wait after every 64 kB. */
export const WINDOW_BYTES = 1024 * 1024;

/** Interval of keepalive pings, and the time to answer one, in ms. */
export interface Keepalive {
  readonly keepaliveMs: number;
  readonly keepaliveAnswerMs: number;
}

const orNever = (ms: number): number => (ms < 0 ? LONGEST_TIMER_MS : ms);

/** Keepalive of the connection string, or the default. */
export const keepaliveOf = ({ keepAliveInterval, keepAliveTimeout }: ConnectionOptions): Keepalive => ({
  keepaliveMs: orNever(keepAliveInterval ?? KEEPALIVE_MS),
  keepaliveAnswerMs: orNever(keepAliveTimeout ?? KEEPALIVE_ANSWER_MS),
});

/** Options of gRPC's client for connecting, keepalive and reconnecting. */
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
 * gRPC's client sends the host as the TLS server name even if it is an IP address, which Node warns about (DEP0123). Without a server name
 * the certificate is still compared with the address.
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
