import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { Settings } from '../settings/settings.js';
import { type DataFolder, writePrivateFile } from './dataFolder.js';

/** What the service and the channel's provider know of each other. */
export interface ChannelKeys {
  /** Bearer token of outward calls. */
  readonly token: string;
  /** Key of the signatures on the channel's webhooks. */
  readonly appSecret: string;
  readonly verifyToken: string;
}

const FILE = 'sandbox-keys.json';

/** The provider's, from the settings; the sandbox's are made once and kept in the data folder (mode 0600). */
export function channelKeys(settings: Settings, folder: DataFolder): ChannelKeys {
  if (settings.channel !== undefined) return settings.channel;
  const path = folder.file(FILE);
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as ChannelKeys;
  const secret = (prefix: string): string => `${prefix}${randomBytes(24).toString('base64url')}`;
  const keys = { token: secret('sandbox_'), appSecret: secret(''), verifyToken: secret('') };
  writePrivateFile(path, `${JSON.stringify(keys)}\n`);
  return keys;
}
