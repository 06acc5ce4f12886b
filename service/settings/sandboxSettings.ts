/** Settings of `suuq sandbox`: the simulation of channel and catalog provider as a separate process. */
import { defined } from '../../domain/defined.js';
import { mongoUrlOf } from './engineSettings.js';
import {
  address,
  allowedHosts,
  type Env,
  listenHost,
  SettingsError,
  settingValue,
  wholeNumber,
} from './environment.js';
import { dataFolderOf, type LogLevel, logLevelOf } from './settings.js';

export interface SandboxSettings {
  readonly host: string;
  /** Additional names under which it is addressed. */
  readonly allowedHosts: readonly string[];
  /** 0: any free port. */
  readonly port: number;
  /** Folder of its memory, `sandbox.jsonl`. */
  readonly data: string;
  /** The service's webhook: the only address that it ever calls. */
  readonly webhookUrl: string;
  /** The same three that the instances have as SUUQ_CHANNEL_…. */
  readonly token: string;
  readonly appSecret: string;
  readonly verifyToken: string;
  /** Source of the business numbers' names; without it the page offers the numbers that have received messages. */
  readonly mongoUrl?: string;
  readonly log: LogLevel;
}

const DEFAULT_PORT = 4010;

function required(env: Env, name: string, what: string): string {
  const value = settingValue(env, name);
  if (value === undefined) throw new SettingsError(`${name} must be set for suuq sandbox: ${what}.`);
  return value;
}

/** Reads and checks all settings. Throws `SettingsError` for the first wrong one. */
export function readSandboxSettings(env: Env): SandboxSettings {
  required(
    env,
    'SUUQ_SANDBOX_WEBHOOK_URL',
    "the service's webhook address, such as http://127.0.0.1:3000/channel/webhook",
  );
  const same = 'the same value as for the instances of the service';
  return {
    host: listenHost(env, 'SUUQ_SANDBOX_HOST', '127.0.0.1'),
    allowedHosts: allowedHosts(env),
    port: wholeNumber(env, 'SUUQ_SANDBOX_PORT', 65_535, DEFAULT_PORT),
    data: dataFolderOf(env),
    webhookUrl: address(env, 'SUUQ_SANDBOX_WEBHOOK_URL')!,
    token: required(env, 'SUUQ_CHANNEL_TOKEN', same),
    appSecret: required(env, 'SUUQ_CHANNEL_APP_SECRET', same),
    verifyToken: required(env, 'SUUQ_CHANNEL_VERIFY_TOKEN', same),
    ...defined({ mongoUrl: mongoUrlOf(env) }),
    log: logLevelOf(env),
  };
}
