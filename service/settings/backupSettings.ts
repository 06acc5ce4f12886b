/** Settings of `suuq backup`, `suuq restore` and `suuq verify`: source and location of backups. */
import { resolve } from 'node:path';
import { defined } from '../../domain/defined.js';
import type { MasterKeys } from '../../infrastructure/secrets/masterKey.js';
import { eventStoreUrlOf, hostsOf, mongoUrlOf } from './engineSettings.js';
import { type Env, SettingsError, settingValue } from './environment.js';
import { type BucketSettings, type FileSettings, readBucket, readFileSettings } from './fileSettings.js';
import { dataFolderOf, masterKeysOf } from './settings.js';

export interface BackupSettings {
  readonly data: string;
  readonly files: FileSettings;
  /** 32 bytes, where the environment holds it: the one that seals. */
  readonly masterKeys?: MasterKeys;
  /** Hosts of engines that are not in the data folder; without credentials. */
  readonly eventStore?: string;
  readonly documents?: string;
}

/** Location of a backup: a folder by its absolute path, or a bucket. */
export type PlaceSettings = { readonly folder: string } | BucketSettings;

/** Throws SettingsError. */
export function readBackupSettings(env: Env): BackupSettings {
  const eventStore = eventStoreUrlOf(env);
  const mongo = mongoUrlOf(env);
  const data = dataFolderOf(env);
  return {
    data,
    files: readFileSettings(env, data),
    ...defined({
      masterKeys: masterKeysOf(env),
      eventStore: eventStore && hostsOf(eventStore),
      documents: mongo && hostsOf(mongo),
    }),
  };
}

/** `typed`: a folder, or `s3://bucket/prefix` with the settings SUUQ_BACKUP_…, or else those of SUUQ_FILES_…. Throws SettingsError. */
export function readPlace(env: Env, typed: string): PlaceSettings {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(typed)) return { folder: resolve(typed) };
  const value = (name: string): string | undefined =>
    settingValue(env, `SUUQ_BACKUP_${name}`) ?? settingValue(env, `SUUQ_FILES_${name}`);
  const found = readBucket(
    {
      AWS_REGION: env.AWS_REGION,
      SUUQ_BACKUP_REGION: value('REGION'),
      SUUQ_BACKUP_ENDPOINT: value('ENDPOINT'),
      SUUQ_BACKUP_PATH_STYLE: value('PATH_STYLE'),
    },
    typed,
    'SUUQ_BACKUP',
  );
  if (found === undefined)
    throw new SettingsError('The backup location must be a folder or a bucket such as s3://suuq-backups/production.');
  return found;
}
