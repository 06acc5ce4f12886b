/** The folder of an instance: locked by one process, with the card of its owner and the stored keys. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { closeToOthers, type Openness } from '../../infrastructure/files/privateFolder.js';
import { type FolderLock, isLocked, lockFolder } from '../../infrastructure/sqlite/folderLock.js';
import type { Settings } from '../settings/settings.js';
import { parsedFile } from './damagedFiles.js';
import { refuseNewer } from './folderFormat.js';
import { writePrivateFile } from './privateFile.js';
import {
  CARD,
  FolderInUse,
  NoInstallation,
  RestoreUnfinished,
  readServiceCard,
  type ServiceCard,
} from './serviceCard.js';

/**
 * Throws NoInstallation, and makes nothing, unless a start has been there; FolderInUse while one, or another command, is
 * just there. `file`: what the first start makes.
 */
export function requireInstallation(folder: string, file: string): void {
  const path = resolve(folder);
  if (existsSync(join(path, file))) return;
  throw isLocked(path) ? new FolderInUse(path, readServiceCard(path)) : new NoInstallation(path);
}

/** Exists in a folder that a restore has begun to fill. */
export const RESTORE_MARK = 'restore.unfinished';

function refuseUnusable(path: string): void {
  if (existsSync(join(path, RESTORE_MARK))) throw new RestoreUnfinished(path);
  refuseNewer(path);
}

export interface DataFolder {
  readonly path: string;
  /** Access of other users before the folder was locked. */
  readonly openness: Openness;
  file(name: string): string;
  publish(card: Omit<ServiceCard, 'pid' | 'startedAt'>): void;
  release(): void;
}

/** One level at a time: Node's own recursive way never ends where nothing can be made, such as below /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** Opens the folder without a lock, next to a process that may own it: nothing visible is changed. Throws as below. */
export function visitDataFolder(folder: string): DataFolder {
  const path = resolve(folder);
  makeFolder(path);
  refuseUnusable(path);
  const openness = { mended: [], left: [] };
  return { path, openness, file: (name) => join(path, name), publish() {}, release() {} };
}

/**
 * Makes the folder (mode 0700) when it is missing, takes it for this process, and closes it to others. Throws FolderInUse,
 * RestoreUnfinished, NewerFolder.
 */
export function takeDataFolder(folder: string): DataFolder {
  const path = resolve(folder);
  makeFolder(path);
  const lock: FolderLock | undefined = lockFolder(path);
  if (lock === undefined) throw new FolderInUse(path, readServiceCard(path));
  try {
    refuseUnusable(path);
  } catch (error) {
    lock.release();
    throw error;
  }
  const openness = closeToOthers(path);
  const startedAt = new Date().toISOString();
  const publish = (card: Omit<ServiceCard, 'pid' | 'startedAt'>): void =>
    writePrivateFile(join(path, CARD), `${JSON.stringify({ pid: process.pid, startedAt, ...card })}\n`);
  publish({});
  return {
    path,
    openness,
    file: (name) => join(path, name),
    publish,
    release() {
      rmSync(join(path, CARD), { force: true });
      lock.release();
    },
  };
}

/** Secrets shared by the service and the channel's provider. */
export interface ChannelKeys {
  /** Bearer token of outward calls. */
  readonly token: string;
  /** Key of the signatures on the channel's webhooks. */
  readonly appSecret: string;
  readonly verifyToken: string;
}

/** Stored in `name` of the folder (mode 0600), created on first use. Throws FileDamaged. */
export function storedIn<T extends object>(folder: DataFolder, name: string, make: () => T): T {
  const path = folder.file(name);
  const made = make();
  const isWhole = (value: T): boolean => Object.keys(made).every((field) => field in value);
  if (existsSync(path)) return parsedFile(name, readFileSync(path, 'utf8'), isWhole);
  writePrivateFile(path, `${JSON.stringify(made)}\n`);
  return made;
}

const KEYS = 'sandbox-keys.json';

const secret = (prefix = ''): string => `${prefix}${randomBytes(24).toString('base64url')}`;

/** The provider's, from the settings; the sandbox's are created once and stored in the data folder (mode 0600). */
export function channelKeys(settings: Settings, folder: DataFolder): ChannelKeys {
  if (settings.channel !== undefined) return settings.channel;
  return storedIn(folder, KEYS, () => ({ token: secret('sandbox_'), appSecret: secret(), verifyToken: secret() }));
}
