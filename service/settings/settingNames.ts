/** Names of all settings, so that one which is misspelt is found. docs/operating/settings.md lists the same, which is tested. */
import { suggestionsFor } from '../suggestions.js';
import { type Env, settingValue } from './environment.js';

export const SETTINGS: readonly string[] = [
  'PORT',
  'HOST',
  'SUUQ_DATA',
  'EVENTSTORE_URL',
  'EVENTSTORE_MAX_APPEND_SIZE',
  'MONGODB_URL',
  'SUUQ_ROLES',
  'SUUQ_INSTANCE',
  'SUUQ_THREADS',
  'EVENTSTORE_ENDPOINT',
  'EVENTSTORE_ENDPOINT_USER',
  'EVENTSTORE_ENDPOINT_PASSWORD',
  'EVENTSTORE_ENDPOINT_WRITE',
  'EVENTSTORE_ENDPOINT_OPEN',
  'SUUQ_MASTER_KEY_FILE',
  'SUUQ_MASTER_KEY',
  'SUUQ_PUBLIC_URL',
  'SUUQ_ALLOWED_HOSTS',
  'SUUQ_TRUST_PROXY',
  'SUUQ_RATE_IP',
  'SUUQ_RATE_USER',
  'SUUQ_RATE_KEY',
  'SUUQ_CONNECTIONS',
  'SUUQ_CONNECTIONS_IP',
  'SUUQ_BODY_MEMORY',
  'SUUQ_LOG',
  'SUUQ_SANDBOX',
  'SUUQ_DEMO',
  'SUUQ_CONSOLE_PORT',
  'SUUQ_SANDBOX_PORT',
  'SUUQ_SANDBOX_HOST',
  'SUUQ_SANDBOX_WEBHOOK_URL',
  'SUUQ_ALLOW_LOOPBACK_WEBHOOKS',
  'SUUQ_PAYMENT_URL',
  'SUUQ_STATUS_TEMPLATES',
  'SUUQ_CHANNEL_URL',
  'SUUQ_ALLOW_PLAIN_HTTP',
  'SUUQ_CHANNEL_TOKEN',
  'SUUQ_CHANNEL_APP_SECRET',
  'SUUQ_CHANNEL_VERIFY_TOKEN',
  'SUUQ_CHANNEL_MEDIA_HOSTS',
  'SUUQ_FILES',
  'SUUQ_FREE_SPACE',
  'SUUQ_FILES_REGION',
  'SUUQ_FILES_ENDPOINT',
  'SUUQ_FILES_PATH_STYLE',
  'SUUQ_TREE_HEADS',
  'SUUQ_SEAL',
  'SUUQ_BACKUP_REGION',
  'SUUQ_BACKUP_ENDPOINT',
  'SUUQ_BACKUP_PATH_STYLE',
  'SUUQ_PROFILE',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
  'OTEL_EXPORTER_OTLP_PROTOCOL',
  'OTEL_EXPORTER_OTLP_TIMEOUT',
  'OTEL_EXPORTER_OTLP_COMPRESSION',
  'OTEL_TRACES_EXPORTER',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_BSP_MAX_QUEUE_SIZE',
  'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
  'OTEL_BSP_SCHEDULE_DELAY',
  'OTEL_SERVICE_NAME',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_SDK_DISABLED',
];

/** Names that nobody else gives: those of EVENTSTORE_ are EventStoreDB's own, too. Tests have theirs. */
const isSettingLike = (name: string): boolean => /^SUUQ_(?!TEST)/.test(name);

const bare = (name: string): string => name.replace(/^SUUQ_/, '');

/** The setting that may have been meant. */
export function nearestSetting(name: string): string | undefined {
  const [near] = suggestionsFor(bare(name), SETTINGS.map(bare));
  return SETTINGS.find((one) => bare(one) === near);
}

/** A name that looks like a setting and is none. */
export interface UnknownSetting {
  readonly name: string;
  readonly suggestion: string | undefined;
}

export const unknownSettings = (env: Env): readonly UnknownSetting[] =>
  Object.keys(env)
    .filter((name) => isSettingLike(name) && !SETTINGS.includes(name) && settingValue(env, name) !== undefined)
    .sort()
    .map((name) => ({ name, suggestion: nearestSetting(name) }));

/** The sentence about it. */
export const unknownSettingText = ({ name, suggestion }: UnknownSetting): string =>
  `${name} is set, but it is not a setting.${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`}`;
