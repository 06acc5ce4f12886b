/** Which engines the service runs on, what this instance does on them, and who else may look into its event store. */
import { defined } from '../../domain/defined.js';
import { isLoopback } from '../../infrastructure/http/loopback.js';
import { type Env, oneOf, SettingsError, settingValue, someOf, wholeNumber } from './environment.js';

const ROLES = ['api', 'projections', 'processors'] as const;
/** api: answers requests. projections: may own read models. processors: may own effects outside. */
export type Role = (typeof ROLES)[number];

/** Address and credentials for serving the embedded event store over EventStoreDB's protocol. */
export interface EndpointSettings {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Absent: generated and stored in the data folder, unless it is open. */
  readonly credentials?: { readonly user: string; readonly password: string };
  /** True if no credentials are required. */
  readonly open: boolean;
  /** Allows clients to append and delete, too. */
  readonly writes: boolean;
}

export interface EngineSettings {
  /** `esdb://…`, `kurrentdb://…`, `kdb://…`, also with `+discover`; may hold a password. Absent: the embedded event store in the data folder. */
  readonly eventStoreUrl?: string;
  /** Maximum bytes of one append on the server at `eventStoreUrl`. Default: the server's limit, or its installation default. */
  readonly maxAppendSize?: number;
  /** `mongodb://…`, may hold a password. Absent: the embedded read models in the data folder. */
  readonly mongoUrl?: string;
  readonly roles: readonly Role[];
  /** Name of this instance in logs, leases and status; made of host and process when absent. */
  readonly instance?: string;
  readonly endpoint?: EndpointSettings;
  /**
   * Threads that build embedded read models far behind the log, and threads that render list pages, including the main one. Default: by the
   * number of cores.
   */
  readonly threads?: number;
}

const HOST_AND_PORT = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
const LARGEST_PORT = 65_535;
/** Largest limit that EventStoreDB supports. */
const LARGEST_APPEND = 16 * 1024 * 1024;
const MOST_THREADS = 64;
const MAX_APPEND_SIZE = 'EVENTSTORE_MAX_APPEND_SIZE';

/** The URL as given. It may hold a password, so an error never repeats it. */
function engineUrl(env: Env, name: string, schemes: readonly string[], example: string): string | undefined {
  const text = settingValue(env, name);
  if (text === undefined) return undefined;
  const scheme = schemes.find((one) => text.startsWith(`${one}://`));
  const hosts = scheme === undefined ? '' : hostsOf(text);
  if (!hosts.split(',').every((one) => HOST_AND_PORT.test(one)))
    throw new SettingsError(
      `${name} is not an address of an engine: it must be a URL with ${schemes.map((one) => `${one}://`).join(' or ')} and a host, such as ${example}.`,
    );
  return text;
}

/**
 * `host:port,host:port` of an engine's URL: the part without secrets, since user and password precede it and options follow. A password of
 * EventStoreDB may contain any character.
 */
export function hostsOf(url: string): string {
  const rest = url.slice(url.indexOf('://') + 3);
  const options = url.startsWith('mongodb') ? rest.indexOf('?') : -1;
  const address = options === -1 ? rest : rest.slice(0, options);
  return address.slice(address.lastIndexOf('@') + 1).split(/[/?#]/, 1)[0]!;
}

function instanceName(env: Env): string | undefined {
  const text = settingValue(env, 'SUUQ_INSTANCE');
  if (text !== undefined && !/^[A-Za-z0-9._-]{1,64}$/.test(text))
    throw new SettingsError(
      `SUUQ_INSTANCE is ${JSON.stringify(text)}, but must be 1 to 64 letters, digits, dots, hyphens and underscores.`,
    );
  return text;
}

function endpoint(env: Env, embedded: boolean): EndpointSettings | undefined {
  const text = settingValue(env, 'EVENTSTORE_ENDPOINT');
  if (text === undefined) return undefined;
  const match = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):(\d{1,5})$/.exec(text);
  if (match === null || Number(match[2]) > LARGEST_PORT)
    throw new SettingsError(
      `EVENTSTORE_ENDPOINT is ${JSON.stringify(text)}, but must be host:port to listen on, such as 127.0.0.1:2113.`,
    );
  if (!embedded)
    throw new SettingsError(
      'EVENTSTORE_ENDPOINT serves the embedded event store, so it must not be set together with EVENTSTORE_URL.',
    );
  const host = match[1]!;
  const user = settingValue(env, 'EVENTSTORE_ENDPOINT_USER');
  const password = settingValue(env, 'EVENTSTORE_ENDPOINT_PASSWORD');
  if ((user === undefined) !== (password === undefined))
    throw new SettingsError('EVENTSTORE_ENDPOINT_USER and EVENTSTORE_ENDPOINT_PASSWORD must be set together.');
  const open = oneOf(env, 'EVENTSTORE_ENDPOINT_OPEN', ['0', '1'], '0') === '1';
  if (open && user !== undefined)
    throw new SettingsError('EVENTSTORE_ENDPOINT_OPEN must not be set together with EVENTSTORE_ENDPOINT_USER.');
  if (open && !isLoopback(host))
    throw new SettingsError(
      `EVENTSTORE_ENDPOINT is ${JSON.stringify(text)}, which other machines can reach, so EVENTSTORE_ENDPOINT_OPEN must not be set.`,
    );
  return {
    host: host.replace(/^\[|\]$/g, ''),
    port: Number(match[2]),
    ...(user === undefined ? {} : { credentials: { user, password: password! } }),
    open,
    writes: oneOf(env, 'EVENTSTORE_ENDPOINT_WRITE', ['0', '1'], '0') === '1',
  };
}

function roles(env: Env, shared: boolean): readonly Role[] {
  const chosen = someOf(env, 'SUUQ_ROLES', ROLES);
  if (chosen.length < ROLES.length && !shared)
    throw new SettingsError(
      `SUUQ_ROLES omits ${ROLES.filter((role) => !chosen.includes(role)).join(' and ')}, which no other instance can do here: EVENTSTORE_URL and MONGODB_URL must both be set first.`,
    );
  return chosen;
}

/** KurrentDB's names mean the same. */
const EVENT_STORE_SCHEMES = ['esdb', 'kurrentdb', 'kdb'].flatMap((scheme) => [scheme, `${scheme}+discover`]);

export const eventStoreUrlOf = (env: Env, name = 'EVENTSTORE_URL'): string | undefined =>
  engineUrl(env, name, EVENT_STORE_SCHEMES, 'esdb://127.0.0.1:2113?tls=false');

export const maxAppendSizeOf = (env: Env): number | undefined =>
  settingValue(env, MAX_APPEND_SIZE) === undefined ? undefined : wholeNumber(env, MAX_APPEND_SIZE, LARGEST_APPEND, 0);

export const mongoUrlOf = (env: Env): string | undefined =>
  engineUrl(env, 'MONGODB_URL', ['mongodb', 'mongodb+srv'], 'mongodb://127.0.0.1:27017/suuq');

function threadsOf(env: Env): number | undefined {
  const threads = wholeNumber(env, 'SUUQ_THREADS', MOST_THREADS, 0);
  return threads === 0 ? undefined : threads;
}

/** Reads and checks these settings. Throws SettingsError for the first wrong one. */
export function readEngineSettings(env: Env): EngineSettings {
  const eventStoreUrl = eventStoreUrlOf(env);
  const mongoUrl = mongoUrlOf(env);
  const key = settingValue(env, 'SUUQ_MASTER_KEY') ?? settingValue(env, 'SUUQ_MASTER_KEY_FILE');
  if ((eventStoreUrl ?? mongoUrl) !== undefined && key === undefined)
    throw new SettingsError(
      'SUUQ_MASTER_KEY (or SUUQ_MASTER_KEY_FILE) must be set together with EVENTSTORE_URL or MONGODB_URL: secrets in shared engines are encrypted with one key that is not in a data folder (create it with `openssl rand -base64 32`).',
    );
  return {
    ...defined({ eventStoreUrl, maxAppendSize: maxAppendSizeOf(env), mongoUrl }),
    roles: roles(env, eventStoreUrl !== undefined && mongoUrl !== undefined),
    ...defined({ instance: instanceName(env), endpoint: endpoint(env, eventStoreUrl === undefined) }),
    ...defined({ threads: threadsOf(env) }),
  };
}
