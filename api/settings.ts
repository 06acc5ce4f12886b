/** The only reader of the environment. Every setting is checked once, at the start. */
import { Buffer } from 'node:buffer';

/** Requests a minute; 0: no limit. */
export interface RateSettings {
  readonly ip: number;
  readonly user: number;
  readonly key: number;
}

/** How the service reaches the channel and its catalog provider when no sandbox stands in for them. */
export interface ChannelSettings {
  /** Base address without a slash at its end. */
  readonly url: string;
  readonly token: string;
  readonly appSecret: string;
  readonly verifyToken: string;
}

export type LogLevel = (typeof LEVELS)[number];

export interface Settings {
  /** 0: any free port. */
  readonly port: number;
  readonly host: string;
  /** Folder of the embedded engines. */
  readonly data: string;
  /** 32 bytes. Absent: one is made in the data folder. */
  readonly masterKey?: Uint8Array;
  /** How many proxies in front of the service add to X-Forwarded-For. */
  readonly trustProxy: number;
  readonly rates: RateSettings;
  readonly allowLoopbackWebhooks: boolean;
  readonly log: LogLevel;
  /** The built-in sandbox: its port (0: any free), or false. */
  readonly sandbox: { readonly port: number } | false;
  /** Absent with the sandbox. */
  readonly channel?: ChannelSettings;
  /** Base address in links, without a slash at its end. Absent: http://host:port as listened on. */
  readonly publicUrl?: string;
}

/** A wrong setting. The message is one sentence that names the variable, and never holds a secret. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

type Env = Readonly<Record<string, string | undefined>>;

const LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
const MOST_HOPS = 10;
const MOST_PER_MINUTE = 1_000_000_000;
/** Well above one busy client: limits are there against floods and runaway loops, not for selling more. */
const DEFAULT_RATES: RateSettings = { ip: 6000, user: 600, key: 6000 };

/** An empty value is no value, as compose files write it. */
const given = (env: Env, name: string): string | undefined => env[name]?.trim() || undefined;

function wholeNumber(env: Env, name: string, most: number, otherwise: number): number {
  const text = given(env, name);
  if (text === undefined) return otherwise;
  if (!/^\d{1,15}$/.test(text) || Number(text) > most)
    throw new SettingsError(`${name} is ${JSON.stringify(text)}, but must be a whole number from 0 to ${most}.`);
  return Number(text);
}

function oneOf<T extends string>(env: Env, name: string, values: readonly T[], otherwise: T): T {
  const text = given(env, name);
  if (text === undefined) return otherwise;
  const found = values.find((value) => value === text);
  if (found === undefined)
    throw new SettingsError(`${name} is ${JSON.stringify(text)}, but must be one of ${values.join(', ')}.`);
  return found;
}

function address(env: Env, name: string): string | undefined {
  const text = given(env, name);
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const accepted = url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  // The value may hold a password, so it is not repeated.
  if (!accepted || url.username !== '' || url.password !== '')
    throw new SettingsError(
      `${name} is no base address: it must be an http or https URL without user, query and fragment, such as https://api.example.com.`,
    );
  return url.href.replace(/\/+$/, '');
}

function host(env: Env): string {
  const text = given(env, 'HOST') ?? '127.0.0.1';
  if (!/^[A-Za-z0-9.:_-]{1,255}$/.test(text))
    throw new SettingsError(
      `HOST is ${JSON.stringify(text)}, but must be a host name or an IP address to listen on, such as 127.0.0.1 or 0.0.0.0.`,
    );
  return text;
}

function masterKey(env: Env): Uint8Array | undefined {
  const text = given(env, 'SUUQ_MASTER_KEY');
  if (text === undefined) return undefined;
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  const bytes = /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : undefined;
  if (bytes?.length !== 32)
    throw new SettingsError(
      `SUUQ_MASTER_KEY (${text.length} characters) is no key: it must be 32 bytes as base64 (44 characters) or hex (64 characters), as \`openssl rand -base64 32\` makes them.`,
    );
  return bytes;
}

function required(env: Env, name: string): string {
  const value = given(env, name);
  if (value === undefined)
    throw new SettingsError(`${name} is not set, but is required when the sandbox is off (SUUQ_SANDBOX=off).`);
  return value;
}

function channel(env: Env): ChannelSettings {
  required(env, 'SUUQ_CHANNEL_URL');
  return {
    url: address(env, 'SUUQ_CHANNEL_URL')!,
    token: required(env, 'SUUQ_CHANNEL_TOKEN'),
    appSecret: required(env, 'SUUQ_CHANNEL_APP_SECRET'),
    verifyToken: required(env, 'SUUQ_CHANNEL_VERIFY_TOKEN'),
  };
}

function loopbackWebhooks(env: Env, sandbox: boolean): boolean {
  const allowed = oneOf(env, 'SUUQ_ALLOW_LOOPBACK_WEBHOOKS', ['0', '1'], '0') === '1';
  if (allowed && !sandbox)
    throw new SettingsError(
      'SUUQ_ALLOW_LOOPBACK_WEBHOOKS is 1, but is refused when the sandbox is off: in production it would let webhook endpoints reach services on this machine.',
    );
  return allowed;
}

const optional = <K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> =>
  value === undefined ? {} : ({ [key]: value } as Record<K, V>);

/** Reads and checks all settings. Throws `SettingsError` for the first wrong one. */
export function readSettings(env: Env): Settings {
  const sandbox = oneOf(env, 'SUUQ_SANDBOX', ['on', 'off'], 'on') === 'on';
  return {
    port: wholeNumber(env, 'PORT', 65_535, 3000),
    host: host(env),
    data: given(env, 'SUUQ_DATA') ?? './data',
    ...optional('masterKey', masterKey(env)),
    trustProxy: wholeNumber(env, 'SUUQ_TRUST_PROXY', MOST_HOPS, 0),
    rates: {
      ip: wholeNumber(env, 'SUUQ_RATE_IP', MOST_PER_MINUTE, DEFAULT_RATES.ip),
      user: wholeNumber(env, 'SUUQ_RATE_USER', MOST_PER_MINUTE, DEFAULT_RATES.user),
      key: wholeNumber(env, 'SUUQ_RATE_KEY', MOST_PER_MINUTE, DEFAULT_RATES.key),
    },
    allowLoopbackWebhooks: loopbackWebhooks(env, sandbox),
    log: oneOf(env, 'SUUQ_LOG', LEVELS, 'info'),
    sandbox: sandbox ? { port: wholeNumber(env, 'SUUQ_SANDBOX_PORT', 65_535, 0) } : false,
    ...(sandbox ? {} : { channel: channel(env) }),
    ...optional('publicUrl', address(env, 'SUUQ_PUBLIC_URL')),
  };
}
