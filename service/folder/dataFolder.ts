/** The folder of an instance: taken by one process, with the card of who has it and the keys that are kept in it. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { closeToOthers, type Openness } from '../../infrastructure/files/privateFolder.js';
import { type FolderLock, isLocked, lockFolder } from '../../infrastructure/sqlite/folderLock.js';
import type { Settings } from '../settings/settings.js';
import { refuseNewer } from './folderFormat.js';
import { writePrivateFile } from './privateFile.js';

/** What a running service says of itself in `service.json`, for the command line and for a second start. */
export interface ServiceCard {
  readonly pid: number;
  readonly startedAt: string;
  /** Of the release that runs. */
  readonly version?: string;
  /** Absent while a command works on the folder without a service. */
  readonly baseUrl?: string;
  /** Where /readyz is, when it is not below `baseUrl`: on the console's port. */
  readonly readinessUrl?: string;
  readonly sandboxUrl?: string;
  /** Path of the Unix domain socket that takes administration commands. */
  readonly socket?: string;
}

export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
  readonly card: ServiceCard | undefined;
  constructor(folder: string, card: ServiceCard | undefined) {
    const who =
      card === undefined
        ? 'another process'
        : `process ${card.pid}, started ${card.startedAt}${card.baseUrl === undefined ? '' : `, at ${card.baseUrl}`}`;
    super(`The data folder ${folder} is in use by ${who}. Stop it first, or set SUUQ_DATA to another folder.`);
    this.card = card;
  }
}

/** A command was given a folder without an installation, by mistake as a rule: only a start founds one. */
export class NoInstallation extends Error {
  override readonly name = 'NoInstallation';
  constructor(folder: string) {
    super(
      `There is no installation in ${folder}. Set SUUQ_DATA to the folder of yours; 'suuq start' makes a new one where there is none.`,
    );
  }
}

/**
 * Throws NoInstallation, and makes nothing, unless a start has been there; FolderInUse while one, or another command, is
 * just there. `file`: what the first start makes.
 */
export function requireInstallation(folder: string, file: string): void {
  const path = resolve(folder);
  if (existsSync(join(path, file))) return;
  throw isLocked(path) ? new FolderInUse(path, readServiceCard(path)) : new NoInstallation(path);
}

/** Stands in a folder that a restore has begun to fill. */
export const RESTORE_MARK = 'restore.unfinished';

/** What is in the folder is a part of a backup only. */
export class RestoreUnfinished extends Error {
  override readonly name = 'RestoreUnfinished';
  constructor(folder: string) {
    super(`A restore into ${folder} ended early. Give the same 'suuq restore' again: it begins anew.`);
  }
}

function refuseUnusable(path: string): void {
  if (existsSync(join(path, RESTORE_MARK))) throw new RestoreUnfinished(path);
  refuseNewer(path);
}

export interface DataFolder {
  readonly path: string;
  /** What others could do in it before it was taken. */
  readonly openness: Openness;
  file(name: string): string;
  publish(card: Omit<ServiceCard, 'pid' | 'startedAt'>): void;
  release(): void;
}

const CARD = 'service.json';

export function readServiceCard(folder: string): ServiceCard | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, CARD), 'utf8')) as ServiceCard;
  } catch {
    return undefined;
  }
}

/** One level at a time: Node's own recursive way never ends where nothing can be made, such as below /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** The folder without taking it, beside a process that may have it: nothing that others find is changed. Throws as below. */
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

/** What the service and the channel's provider know of each other. */
export interface ChannelKeys {
  /** Bearer token of outward calls. */
  readonly token: string;
  /** Key of the signatures on the channel's webhooks. */
  readonly appSecret: string;
  readonly verifyToken: string;
}

/** Kept in `name` of the folder (mode 0600), made when it is first asked for. */
export function keptIn<T>(folder: DataFolder, name: string, make: () => T): T {
  const path = folder.file(name);
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as T;
  const made = make();
  writePrivateFile(path, `${JSON.stringify(made)}\n`);
  return made;
}

const KEYS = 'sandbox-keys.json';

const secret = (prefix = ''): string => `${prefix}${randomBytes(24).toString('base64url')}`;

/** The provider's, from the settings; the sandbox's are made once and kept in the data folder (mode 0600). */
export function channelKeys(settings: Settings, folder: DataFolder): ChannelKeys {
  if (settings.channel !== undefined) return settings.channel;
  return keptIn(folder, KEYS, () => ({ token: secret('sandbox_'), appSecret: secret(), verifyToken: secret() }));
}
