/** The settings that a process runs with, for people: no secret is among them. */
import { hostsOf } from './engineSettings.js';
import { type Env, settingValue } from './environment.js';
import { SETTINGS } from './settingNames.js';

export interface SettingInForce {
  /** Name of the environment variable. */
  readonly name: string;
  /** Value in force, set or not; for a secret, only the fact that it is set. */
  readonly value: string;
  /** True if it is set. */
  readonly isSet: boolean;
}

/** Only ever read by commands of their own. */
const ELSEWHERE = /^SUUQ_(?:PROFILE|BACKUP_.*|SANDBOX_WEBHOOK_URL)$/;
/** A new name counts as a secret if it sounds like one. */
const SECRET = /(?:KEY|TOKEN|SECRET|PASSWORD|USER|HEADERS)$/;
const NO_SECRET = new Set(['SUUQ_RATE_KEY', 'SUUQ_RATE_USER']);
/** Only the hosts of these addresses are shown: options may contain secrets too. */
const ENGINES = new Set(['EVENTSTORE_URL', 'MONGODB_URL']);
const NOT_SHOWN = 'set, not shown';
const MIB = 1024 * 1024;

/** Settings that are shown with their defaults. */
interface Resolved {
  readonly port: number;
  readonly host: string;
  readonly data: string;
  readonly roles: readonly string[];
  readonly masterKeys?: object;
  readonly trustProxy: number;
  readonly rates: Readonly<Record<'ip' | 'user' | 'key', number>>;
  readonly connections: { readonly all: number; readonly byAddress: number };
  /** In bytes. */
  readonly bodyMemory: number;
  readonly log: string;
  readonly sandbox: { readonly host: string } | false;
  readonly demo: string;
  readonly allowLoopbackWebhooks: boolean;
  readonly mediaHosts: readonly string[];
  readonly files: { readonly folder: string } | { readonly bucket: string };
  readonly treeHeads: string;
  readonly seal: boolean;
}

/** Defaults of the settings. */
const DEFAULTS: Readonly<Record<string, (settings: Resolved) => string | number | undefined>> = {
  PORT: ({ port }) => port,
  HOST: ({ host }) => host,
  SUUQ_DATA: ({ data }) => data,
  EVENTSTORE_URL: () => 'embedded',
  MONGODB_URL: () => 'embedded',
  SUUQ_ROLES: ({ roles }) => roles.join(','),
  SUUQ_INSTANCE: () => 'host and process id',
  SUUQ_THREADS: () => 'number of CPU cores',
  EVENTSTORE_ENDPOINT: () => 'off',
  SUUQ_MASTER_KEY: ({ masterKeys }) => (masterKeys === undefined ? 'the file master.key' : 'in a file'),
  SUUQ_PUBLIC_URL: () => 'the listening address',
  SUUQ_TRUST_PROXY: ({ trustProxy }) => trustProxy,
  SUUQ_RATE_IP: ({ rates }) => rates.ip,
  SUUQ_RATE_USER: ({ rates }) => rates.user,
  SUUQ_RATE_KEY: ({ rates }) => rates.key,
  SUUQ_CONNECTIONS: ({ connections }) => connections.all,
  SUUQ_CONNECTIONS_IP: ({ connections }) => connections.byAddress,
  SUUQ_BODY_MEMORY: ({ bodyMemory }) => bodyMemory / MIB,
  SUUQ_LOG: ({ log }) => log,
  SUUQ_SANDBOX: ({ sandbox }) => (sandbox === false ? 'off' : 'on'),
  SUUQ_DEMO: ({ demo }) => demo,
  SUUQ_CONSOLE_PORT: () => 'same as PORT',
  SUUQ_SANDBOX_PORT: () => 'any free port',
  SUUQ_SANDBOX_HOST: ({ sandbox }) => (sandbox === false ? undefined : sandbox.host),
  SUUQ_ALLOW_LOOPBACK_WEBHOOKS: ({ allowLoopbackWebhooks }) => Number(allowLoopbackWebhooks),
  SUUQ_PAYMENT_URL: ({ sandbox }) => (sandbox === false ? undefined : 'the sandbox'),
  SUUQ_CHANNEL_URL: ({ sandbox }) => (sandbox === false ? undefined : 'the sandbox'),
  SUUQ_CHANNEL_MEDIA_HOSTS: ({ mediaHosts }) => mediaHosts.join(','),
  SUUQ_FILES: ({ files }) => ('folder' in files ? files.folder : files.bucket),
  SUUQ_FREE_SPACE: () => 'the smaller of 1 GiB and 5 %',
  SUUQ_TREE_HEADS: ({ treeHeads }) => treeHeads,
  SUUQ_SEAL: ({ seal }) => (seal ? 'on' : 'off'),
};

/** User part of any address, up to the last @: a password may contain any character. */
const USER = /(?<=:\/\/)\S*@/g;

function shown(name: string, text: string): string {
  if (SECRET.test(name) && !NO_SECRET.has(name)) return NOT_SHOWN;
  return ENGINES.has(name) ? `${text.slice(0, text.indexOf('://'))}://${hostsOf(text)}` : text.replace(USER, '');
}

/** Every setting of the service, in the order of docs/operating/settings.md. `env`: what `settings` were read from. */
export const settingsInForce = (settings: Resolved, env: Env): readonly SettingInForce[] =>
  SETTINGS.filter((name) => !ELSEWHERE.test(name)).map((name) => {
    const text = settingValue(env, name);
    if (text !== undefined) return { name, value: shown(name, text), isSet: true };
    return { name, value: String(DEFAULTS[name]?.(settings) ?? 'none'), isSet: false };
  });
