/** Settings of `suuq move`: from the data folder into an EventStoreDB, or into another folder. */
import { defined } from '../../domain/defined.js';
import { eventStoreUrlOf, maxAppendSizeOf, mongoUrlOf } from './engineSettings.js';
import { type Env, SettingsError } from './environment.js';
import { dataFolderOf, masterKeysOf, type Settings } from './settings.js';

export interface MoveSettings extends Pick<Settings, 'masterKeys'> {
  readonly data: string;
  /** `url`: `esdb://…`, may hold a password. */
  readonly to: { readonly url: string } | { readonly folder: string };
  readonly maxAppendSize?: number;
  /** Future location of the documents; absent: the data folder. Not used for a folder. */
  readonly mongoUrl?: string;
  /** True if personal data in clear text are sealed during the move. */
  readonly seal: boolean;
}

/** As typed. */
export interface MoveRequest {
  /** Default: EVENTSTORE_URL. */
  readonly to?: string;
  /** Path of another data folder: into one, people are always sealed. */
  readonly folder?: string;
  readonly seal: boolean;
}

/** Throws SettingsError. */
export function readMoveSettings(env: Env, { to, folder, seal }: MoveRequest): MoveSettings {
  const own = { data: dataFolderOf(env), ...defined({ masterKeys: masterKeysOf(env) }) };
  if (folder !== undefined) {
    if (to !== undefined) throw new SettingsError('--to and --to-folder must not be given together.');
    return { ...own, to: { folder }, seal: true };
  }
  const url = to === undefined ? eventStoreUrlOf(env) : eventStoreUrlOf({ '--to': to }, '--to');
  if (url === undefined)
    throw new SettingsError('--to (or EVENTSTORE_URL) or --to-folder must be set: the target of the move.');
  return {
    ...own,
    to: { url },
    seal,
    ...defined({ maxAppendSize: maxAppendSizeOf(env), mongoUrl: mongoUrlOf(env) }),
  };
}
