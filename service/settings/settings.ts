/** The only reader of the environment. Every setting is checked once, at the start. */

import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { RateSettings } from '../../api/http/rates/rateLimit.js';
import type { StatusTemplates } from '../../application/orders/customerNotices.js';
import { defined } from '../../domain/defined.js';
import type { SpaceFloor } from '../../infrastructure/files/freeSpace.js';
import { DEFAULT_BODY_MEMORY, SHARES } from '../../infrastructure/http/bodyBudget.js';
import { type ConnectionLimits, DEFAULT_CONNECTIONS } from '../../infrastructure/http/connections.js';
import { isLoopback } from '../../infrastructure/http/loopback.js';
import type { MasterKeys } from '../../infrastructure/secrets/masterKey.js';
import type { TracingSettings } from '../../infrastructure/telemetry/tracing.js';
import { type EngineSettings, readEngineSettings } from './engineSettings.js';
import {
  address,
  allowedHosts,
  type Env,
  listenHost,
  oneOf,
  SettingsError,
  settingValue,
  wholeNumber,
} from './environment.js';
import { type FileSettings, readFileSettings, readFreeSpace, readMediaHosts } from './fileSettings.js';
import { providerAddress } from './providerAddress.js';
import { type SettingInForce, settingsInForce } from './settingsInForce.js';
import { readStatusTemplates } from './templateSettings.js';
import { readTracingSettings } from './tracingSettings.js';

export { SettingsError } from './environment.js';

/** Access to the channel and its catalog provider without the sandbox. */
export interface ChannelSettings {
  /** Base address without a slash at its end. */
  readonly url: string;
  readonly token: string;
  readonly appSecret: string;
  readonly verifyToken: string;
}

export type LogLevel = (typeof LEVELS)[number];

export interface Settings extends EngineSettings {
  /** 0: any free port. */
  readonly port: number;
  readonly host: string;
  /** Port of the console, readiness and metrics; 0: any free one. Absent: the public port. */
  readonly consolePort?: number;
  /** Additional names under which pages and sandbox are addressed. */
  readonly allowedHosts: readonly string[];
  /** Folder of the embedded engines and of what this process keeps for itself. */
  readonly data: string;
  /** 32 bytes each; the first seals, the others only open. Absent: one is made in the data folder. */
  readonly masterKeys?: MasterKeys;
  /** How many proxies in front of the service add to X-Forwarded-For. */
  readonly trustProxy: number;
  readonly rates: RateSettings;
  /** Connections at once; 0: any number. */
  readonly connections: ConnectionLimits;
  /** Bytes that bodies of requests may hold in memory, all together. */
  readonly bodyMemory: number;
  readonly allowLoopbackWebhooks: boolean;
  readonly log: LogLevel;
  /** Listen address of the built-in sandbox (port 0: any free one), or false. */
  readonly sandbox: { readonly host: string; readonly port: number } | false;
  /** Content of the demo store that the first start makes. */
  readonly demo: 'shop' | 'empty';
  /** Absent with the sandbox. */
  readonly channel?: ChannelSettings;
  /** Base address of the payment provider, without a slash at its end. Absent: the sandbox, or none without it. */
  readonly paymentUrl?: string;
  readonly files: FileSettings;
  /** Space that files in a folder leave free on its disk. Default: the smaller of 1 GiB and 5 %. */
  readonly freeSpace?: SpaceFloor;
  /** Additional host names from which files of the channel are downloaded. */
  readonly mediaHosts: readonly string[];
  /** Templates for order notices outside the 24-hour window. */
  readonly statusTemplates: StatusTemplates;
  /** Base address in links, without a slash at its end. Absent: http://host:port as listened on. */
  readonly publicUrl?: string;
  /** Access to signed heads of the log: public, or only the operator if the console has its own port. */
  readonly treeHeads: 'public' | 'private';
  /** True if customers' data in events are sealed under subject keys. */
  readonly seal: boolean;
  /** All of them for people, without secrets. */
  readonly inForce: readonly SettingInForce[];
  /** Absent: no traces are written. */
  readonly tracing?: TracingSettings;
}

const LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
const MOST_HOPS = 10;
/** The one that seals and those before it. */
const MOST_KEYS = 5;
const MOST_PER_MINUTE = 1_000_000_000;
/** Well above one busy client: limits are there against floods and runaway loops, not for selling more. */
const DEFAULT_RATES: RateSettings = { ip: 6000, user: 600, key: 6000 };

const MOST_CONNECTIONS = 1_000_000;
const MIB = 1024 * 1024;
const DEFAULT_BODY_MIB = DEFAULT_BODY_MEMORY / MIB;
/** An address, which may hold a share of it, must be able to send a body of 8 MiB. */
const LEAST_BODY_MIB = SHARES * 8;
const MOST_BODY_MIB = 65_536;

/** From the variable, or from a file that it names, as secrets are mounted into containers. */
function masterKeyText(env: Env): { readonly name: string; readonly text: string } | undefined {
  const text = settingValue(env, 'SUUQ_MASTER_KEY');
  const file = settingValue(env, 'SUUQ_MASTER_KEY_FILE');
  if (file === undefined) return text === undefined ? undefined : { name: 'SUUQ_MASTER_KEY', text };
  if (text !== undefined)
    throw new SettingsError('SUUQ_MASTER_KEY_FILE must not be set together with SUUQ_MASTER_KEY.');
  try {
    return { name: 'SUUQ_MASTER_KEY_FILE', text: readFileSync(file, 'utf8').trim() };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingsError(`SUUQ_MASTER_KEY_FILE is ${JSON.stringify(file)}, but must be a readable file (${code}).`);
  }
}

/** Between commas, or in lines. */
export function masterKeysOf(env: Env): MasterKeys | undefined {
  const found = masterKeyText(env);
  if (found === undefined) return undefined;
  const { name, text } = found;
  const [first, ...others] = text.split(/[\s,]+/).map((one) => masterKey(name, one));
  if (others.length >= MOST_KEYS)
    throw new SettingsError(`${name} holds ${others.length + 1} keys, but must hold at most ${MOST_KEYS}.`);
  return [first!, ...others];
}

function masterKey(name: string, text: string): Uint8Array {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  const bytes = /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : undefined;
  if (bytes?.length !== 32)
    throw new SettingsError(
      `${name} (${text.length} characters) is not a key: it must be 32 bytes as base64 (44 characters) or hex (64 characters), as \`openssl rand -base64 32\` makes them.`,
    );
  return bytes;
}

function required(env: Env, name: string): string {
  const value = settingValue(env, name);
  if (value === undefined)
    throw new SettingsError(`${name} is not set, but is required when the sandbox is off (SUUQ_SANDBOX=off).`);
  return value;
}

function channel(env: Env): ChannelSettings {
  required(env, 'SUUQ_CHANNEL_URL');
  return {
    url: providerAddress(env, 'SUUQ_CHANNEL_URL')!,
    token: required(env, 'SUUQ_CHANNEL_TOKEN'),
    appSecret: required(env, 'SUUQ_CHANNEL_APP_SECRET'),
    verifyToken: required(env, 'SUUQ_CHANNEL_VERIFY_TOKEN'),
  };
}

function bodyMemory(env: Env): number {
  const mib = wholeNumber(env, 'SUUQ_BODY_MEMORY', MOST_BODY_MIB, DEFAULT_BODY_MIB);
  if (mib < LEAST_BODY_MIB)
    throw new SettingsError(`SUUQ_BODY_MEMORY is ${mib}, but must be ${LEAST_BODY_MIB} (MiB) or more.`);
  return mib * MIB;
}

/** Only if the channel is simulated too: by the sandbox here, or by another process on this machine. */
function loopbackWebhooks(env: Env, channelUrl: string | undefined): boolean {
  const allowed = oneOf(env, 'SUUQ_ALLOW_LOOPBACK_WEBHOOKS', ['0', '1'], '0') === '1';
  if (allowed && channelUrl !== undefined && !isLoopback(new URL(channelUrl).hostname))
    throw new SettingsError(
      'SUUQ_ALLOW_LOOPBACK_WEBHOOKS is 1, but is refused when the sandbox is off: in production it would let webhook endpoints reach services on this machine.',
    );
  return allowed;
}

/**
 * Off by default if the channel is configured. In an installation that looks productive, the sandbox is not the default: its demo store
 * would be in the log permanently, and its page requires no password.
 */
function usesSandbox(env: Env, host: string): boolean {
  const channelIsSet = settingValue(env, 'SUUQ_CHANNEL_URL') !== undefined;
  if (settingValue(env, 'SUUQ_SANDBOX') === undefined && !channelIsSet) {
    const why =
      env.NODE_ENV === 'production' ? 'NODE_ENV is production' : `HOST is ${host}, where other machines can reach it`;
    if (env.NODE_ENV === 'production' || !isLoopback(host))
      throw new SettingsError(
        `SUUQ_CHANNEL_URL (with SUUQ_CHANNEL_TOKEN, SUUQ_CHANNEL_APP_SECRET and SUUQ_CHANNEL_VERIFY_TOKEN) must be set, since ${why}; set SUUQ_SANDBOX=on to run the sandbox and a demo store instead.`,
      );
  }
  return oneOf(env, 'SUUQ_SANDBOX', ['on', 'off'], channelIsSet ? 'off' : 'on') === 'on';
}

const sandboxAddress = (env: Env) => ({
  host: listenHost(env, 'SUUQ_SANDBOX_HOST', '127.0.0.1'),
  port: wholeNumber(env, 'SUUQ_SANDBOX_PORT', 65_535, 0),
});

/**
 * The console shows every store, and metrics and readiness require no credentials: if other machines reach the service, they are on a
 * separate port.
 */
function consolePort(env: Env, host: string): number | undefined {
  const isGiven = settingValue(env, 'SUUQ_CONSOLE_PORT') !== undefined;
  if (!isGiven && !isLoopback(host))
    throw new SettingsError(
      `SUUQ_CONSOLE_PORT is not set, but is required since HOST is ${host}, where other machines can reach it. The console, /readyz and /metrics are then only on that port.`,
    );
  return isGiven ? wholeNumber(env, 'SUUQ_CONSOLE_PORT', 65_535, 0) : undefined;
}

export const dataFolderOf = (env: Env): string => settingValue(env, 'SUUQ_DATA') ?? './data';

/** Settings of the data's location and keys. */
export type DataSettings = EngineSettings & Pick<Settings, 'data' | 'masterKeys'>;

/** For a command that opens the data next to the service. Throws `SettingsError`. */
export const readDataSettings = (env: Env): DataSettings => ({
  data: dataFolderOf(env),
  ...readEngineSettings(env),
  ...defined({ masterKeys: masterKeysOf(env) }),
});

export const logLevelOf = (env: Env): LogLevel => oneOf(env, 'SUUQ_LOG', LEVELS, 'info');

/**
 * If log and documents are backed up and restored separately, customers are only sealed on request: keys that are older than the log could
 * not be rebuilt, unlike read models.
 */
function readSeal(env: Env): boolean {
  const isElsewhere =
    settingValue(env, 'EVENTSTORE_URL') !== undefined || settingValue(env, 'MONGODB_URL') !== undefined;
  return oneOf(env, 'SUUQ_SEAL', ['on', 'off'], isElsewhere ? 'off' : 'on') === 'on';
}

/** Reads and checks all settings. Throws `SettingsError` for the first wrong one. */
export function readSettings(env: Env): Settings {
  const host = listenHost(env, 'HOST', '127.0.0.1');
  const sandbox = usesSandbox(env, host);
  const provider = sandbox ? undefined : channel(env);
  const settings: Omit<Settings, 'inForce'> = {
    ...readEngineSettings(env),
    port: wholeNumber(env, 'PORT', 65_535, 3000),
    host,
    ...defined({ consolePort: consolePort(env, host) }),
    allowedHosts: allowedHosts(env),
    data: dataFolderOf(env),
    ...defined({ masterKeys: masterKeysOf(env) }),
    trustProxy: wholeNumber(env, 'SUUQ_TRUST_PROXY', MOST_HOPS, 0),
    rates: {
      ip: wholeNumber(env, 'SUUQ_RATE_IP', MOST_PER_MINUTE, DEFAULT_RATES.ip),
      user: wholeNumber(env, 'SUUQ_RATE_USER', MOST_PER_MINUTE, DEFAULT_RATES.user),
      key: wholeNumber(env, 'SUUQ_RATE_KEY', MOST_PER_MINUTE, DEFAULT_RATES.key),
    },
    connections: {
      all: wholeNumber(env, 'SUUQ_CONNECTIONS', MOST_CONNECTIONS, DEFAULT_CONNECTIONS.all),
      byAddress: wholeNumber(env, 'SUUQ_CONNECTIONS_IP', MOST_CONNECTIONS, DEFAULT_CONNECTIONS.byAddress),
    },
    bodyMemory: bodyMemory(env),
    allowLoopbackWebhooks: loopbackWebhooks(env, provider?.url),
    log: logLevelOf(env),
    sandbox: sandbox ? sandboxAddress(env) : false,
    demo: oneOf(env, 'SUUQ_DEMO', ['shop', 'empty'], 'shop'),
    ...defined({ channel: provider, paymentUrl: providerAddress(env, 'SUUQ_PAYMENT_URL') }),
    files: readFileSettings(env, dataFolderOf(env)),
    ...defined({ freeSpace: readFreeSpace(env) }),
    mediaHosts: readMediaHosts(env),
    statusTemplates: readStatusTemplates(env),
    treeHeads: oneOf(env, 'SUUQ_TREE_HEADS', ['public', 'private'], 'public'),
    seal: readSeal(env),
    ...defined({ publicUrl: address(env, 'SUUQ_PUBLIC_URL'), tracing: readTracingSettings(env) }),
  };
  return { ...settings, inForce: settingsInForce(settings, env) };
}

/** Name of this process in logs, leases and status; default: the names of host and process. */
export const instanceName = ({ instance }: Pick<Settings, 'instance'>): string =>
  instance ?? `${hostname()}-${process.pid}`.replace(/[^A-Za-z0-9._-]/g, '-');
