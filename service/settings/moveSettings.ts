/** Settings of `suuq move`: from the data folder into an EventStoreDB. */
import { defined } from '../../domain/defined.js';
import { eventStoreUrlOf, maxAppendSizeOf, mongoUrlOf } from './engineSettings.js';
import { type Env, SettingsError } from './environment.js';
import { dataFolderOf } from './settings.js';

export interface MoveSettings {
  readonly data: string;
  /** `esdb://…`, may hold a password. */
  readonly to: string;
  readonly maxAppendSize?: number;
  /** Where the service will keep its documents; in the data folder when absent. */
  readonly mongoUrl?: string;
}

/** `to`: as typed; EVENTSTORE_URL stands in for it. Throws SettingsError. */
export function readMoveSettings(env: Env, to: string | undefined): MoveSettings {
  const url = to === undefined ? eventStoreUrlOf(env) : eventStoreUrlOf({ '--to': to }, '--to');
  if (url === undefined)
    throw new SettingsError('--to (or EVENTSTORE_URL) must be set: where the history is moved to.');
  return {
    data: dataFolderOf(env),
    to: url,
    ...defined({ maxAppendSize: maxAppendSizeOf(env), mongoUrl: mongoUrlOf(env) }),
  };
}
