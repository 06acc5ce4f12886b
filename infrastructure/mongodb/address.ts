/** MONGODB_URL, read without ever repeating it: it may hold a password, and the driver's own errors quote it. */
import { accessSync, constants } from 'node:fs';
import { MongoClient } from 'mongodb';
import { BadEngineUrl } from '../engineUrl.js';

export interface Address {
  /** Host and port, for messages. */
  readonly server: string;
  readonly database: string;
}

/** A dead connection of the monitor is noticed by then, so that it does not hide that the server is back. */
const LONGEST_CONNECT_MS = 3000;
const HEARTBEAT_MS = 3000;
/** The driver's own limits end a call before ours, so that our time-out means that the driver is stuck. */
const DRIVERS_SHARE = 0.9;
const SETTING = 'MONGODB_URL';
const FILES = ['tlsCAFile', 'tlsCRLFile', 'tlsCertificateKeyFile'] as const;

/** Never contains the user or the password. Throws BadEngineUrl. */
export function addressOf(url: string): Address {
  const match = /^mongodb(?:\+srv)?:\/\/(?:[^@/]*@)?([^@/?]+)(?:\/([^?]*))?/.exec(url);
  if (match === null) throw badUrl();
  return { server: match[1]!, database: match[2] === undefined || match[2] === '' ? 'suuq' : match[2] };
}

const badUrl = (): BadEngineUrl =>
  new BadEngineUrl(SETTING, 'is not an address of MongoDB; it looks like mongodb://user:password@host:27017/suuq');

/** Names of the options in the URL; none if a part of the password may follow a question mark. */
function optionsIn(url: string): string[] {
  const query = /^mongodb(?:\+srv)?:\/\/(?:[^@/?]*@)?[^@/?]+(?:\/[^@/?]*)?\?([^@]*)$/.exec(url)?.[1] ?? '';
  return query.split('&').map((pair) => pair.split('=', 1)[0]!);
}

/** Names the options that the driver's error is about; it may also quote values, which are never repeated. */
function wrongUrl(url: string, error: unknown): BadEngineUrl {
  const words = new Set((error as Error).message.split(/[^A-Za-z0-9]+/));
  const named = optionsIn(url).filter((option) => words.has(option));
  if (named.length === 0) return badUrl();
  const names = named.map((option) => `'${option}'`).join(', ');
  if (/ (?:is|are) not supported$/.test((error as Error).message))
    return new BadEngineUrl(SETTING, `has options that MongoDB's driver does not know: ${names}`);
  return new BadEngineUrl(SETTING, `has a value that MongoDB's driver does not accept for ${names}`);
}

/**
 * The driver's own limits: it has no timeout for a call as a whole. Writes are confirmed when the majority of the members
 * has them in its journal, and reads come from the primary, so that what was answered is read from then on. Throws
 * BadEngineUrl.
 */
export function clientFor(url: string, timeoutMs: number): MongoClient {
  const limitMs = Math.floor(timeoutMs * DRIVERS_SHARE);
  try {
    return new MongoClient(url, {
      appName: 'suuq',
      serverSelectionTimeoutMS: limitMs,
      connectTimeoutMS: Math.min(limitMs, LONGEST_CONNECT_MS),
      socketTimeoutMS: limitMs,
      waitQueueTimeoutMS: limitMs,
      heartbeatFrequencyMS: HEARTBEAT_MS,
      writeConcern: { w: 'majority', journal: true, wtimeoutMS: limitMs },
      readPreference: 'primary',
      ignoreUndefined: false,
    });
  } catch (error) {
    throw wrongUrl(url, error);
  }
}

/** The driver reads them at its first connection. Throws BadEngineUrl for one that cannot be read. */
export function requireFiles({ options }: MongoClient): void {
  for (const name of FILES) {
    const file: unknown = options[name];
    if (typeof file !== 'string') continue;
    try {
      accessSync(file, constants.R_OK);
    } catch (error) {
      throw new BadEngineUrl(
        SETTING,
        `names ${file} by ${name}, which cannot be read (${(error as NodeJS.ErrnoException).code})`,
      );
    }
  }
}
