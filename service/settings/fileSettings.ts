/** Settings of the storage of stores' files. */

import { join } from 'node:path';
import { defined } from '../../domain/defined.js';
import type { SpaceFloor } from '../../infrastructure/files/freeSpace.js';
import { address, type Env, oneOf, SettingsError, settingValue } from './environment.js';

/** A bucket of S3, or of a store that speaks its protocol. */
export interface BucketSettings {
  readonly bucket: string;
  /** Before every name; empty: none. */
  readonly prefix: string;
  readonly region: string;
  readonly endpoint?: string;
  readonly pathStyle: boolean;
}

export type FileSettings = { readonly folder: string } | BucketSettings;

/** Host where the channel's provider stores files, in addition to its API's address. */
const MEDIA_HOSTS = 'lookaside.fbsbx.com';
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;

const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}){0,8})\/?$/;
const REGION = /^[a-z0-9-]{1,40}$/;
const DEFAULT_REGION = 'us-east-1';
const OF_BUCKETS = ['SUUQ_FILES_REGION', 'SUUQ_FILES_ENDPOINT', 'SUUQ_FILES_PATH_STYLE'];

function region(env: Env, name: string): string {
  const text = settingValue(env, name) ?? settingValue(env, 'AWS_REGION') ?? DEFAULT_REGION;
  if (!REGION.test(text))
    throw new SettingsError(`${name} is ${JSON.stringify(text)}, but must be a region such as eu-central-1.`);
  return text;
}

/**
 * The bucket of an `s3://` address, with the settings `{settings}_REGION`, `_ENDPOINT` and `_PATH_STYLE`; undefined when
 * it is no such address. Throws SettingsError.
 */
export function readBucket(env: Env, text: string, settings: string): BucketSettings | undefined {
  const [, bucket, path = ''] = BUCKET.exec(text) ?? [];
  if (bucket === undefined) return undefined;
  return {
    bucket,
    prefix: path.slice(1),
    region: region(env, `${settings}_REGION`),
    ...defined({ endpoint: address(env, `${settings}_ENDPOINT`) }),
    pathStyle: oneOf(env, `${settings}_PATH_STYLE`, ['0', '1'], '0') === '1',
  };
}

/** Host names from which files of the channel are taken, with its token. Throws `SettingsError`. */
export function readMediaHosts(env: Env): readonly string[] {
  const text = settingValue(env, 'SUUQ_CHANNEL_MEDIA_HOSTS') ?? MEDIA_HOSTS;
  const hosts = text.split(',').map((one) => one.trim().toLowerCase());
  if (!hosts.every((one) => one.length <= 253 && HOST.test(one)))
    throw new SettingsError(
      `SUUQ_CHANNEL_MEDIA_HOSTS is ${JSON.stringify(text)}, but must be a comma-separated list of host names such as ${MEDIA_HOSTS}.`,
    );
  return hosts;
}

/** `data`: the data folder. Throws `SettingsError`. */
export function readFileSettings(env: Env, data: string): FileSettings {
  const text = settingValue(env, 'SUUQ_FILES');
  if (text === undefined || !/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    const idle = OF_BUCKETS.find((name) => settingValue(env, name) !== undefined);
    if (idle !== undefined) throw new SettingsError(`${idle} is for a bucket, but SUUQ_FILES is not an s3:// address.`);
    return { folder: text ?? join(data, 'files') };
  }
  const found = readBucket(env, text, 'SUUQ_FILES');
  if (found !== undefined) return found;
  // The value may be a password, so the message omits it.
  throw new SettingsError('SUUQ_FILES must be a folder, or a bucket such as s3://suuq-files/production.');
}

const UNITS: Readonly<Record<string, number>> = { '': 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3, TiB: 1024 ** 4 };
const SPACE = /^(\d{1,6}(?:\.\d{1,3})?)(%|KiB|MiB|GiB|TiB)?$/;
const MOST_PERCENT = 90;

/** Space that files leave free on their disk; undefined: the default. Throws `SettingsError`. */
export function readFreeSpace(env: Env): SpaceFloor | undefined {
  const text = settingValue(env, 'SUUQ_FREE_SPACE');
  if (text === undefined) return undefined;
  const [, number, unit = ''] = SPACE.exec(text.replace(/ /g, '')) ?? [];
  const value = Number(number);
  const isBare = unit === '' && value !== 0;
  if (number === undefined || isBare || (unit === '%' && value > MOST_PERCENT))
    throw new SettingsError(
      `SUUQ_FREE_SPACE is ${JSON.stringify(text)}, but must be a size such as 2GiB or 500MiB, a part of the disk such as 10% (at most ${MOST_PERCENT}%), or 0.`,
    );
  return unit === '%' ? { percent: value } : { bytes: Math.round(value * UNITS[unit]!) };
}
