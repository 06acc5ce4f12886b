/** What an error says to the person who typed the command. */
import { DomainError, type FieldProblem } from '../../domain/decider.js';
import { MoveError } from '../../engine/moving/moveError.js';
import { LogDamaged, PayloadTooLarge, StoreRefused, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { VaultIncomplete, VaultMissing } from '../../engine/sealing/vaultErrors.js';
import { MasterKeyMissing } from '../../infrastructure/secrets/masterKey.js';
import { OtherLog } from '../engines/engineChecks.js';
import { WorkRefused } from '../engines/workChecks.js';
import { NewerFolder } from '../folder/folderFormat.js';
import { FolderInUse, NoInstallation, RestoreUnfinished } from '../folder/serviceCard.js';
import { SettingsError } from '../settings/settings.js';

/** `code` is stable; `problems`: what is wrong with what was given, place by place. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly problems?: readonly FieldProblem[];
}

/** As the file system and the driver say it, from whichever thread. A full disk may look like a failing one to the driver. */
const NO_ROOM = /\b(?:ENOSPC|EDQUOT|SQLITE_FULL\w*|SQLITE_IOERR\w*|disk I\/O error|database or disk is full)/;

const failure = (code: string, message: string): Failure => ({ code, message });

function roomless({ message, code = '' }: NodeJS.ErrnoException): Failure | undefined {
  const said = NO_ROOM.exec(code) ?? NO_ROOM.exec(message);
  if (said === null) return undefined;
  return failure(
    'storage_full',
    `The disk of the data folder is full, or fails (${said[0]}). Make room on it and start again; what was acknowledged is there.`,
  );
}

/** What keeps a service from starting on this machine, or a command from its folder. Undefined for other errors. */
function ofMachine({ message, code }: NodeJS.ErrnoException): Failure | undefined {
  if (/endpoint cannot listen/.test(message))
    return failure('port_taken', `${message}. Set EVENTSTORE_ENDPOINT to another address, or leave it out.`);
  const taken = /EADDRINUSE.* (\S+):(\d+)$/.exec(message);
  if (taken !== null)
    return failure(
      'port_taken',
      `Port ${taken[2]} of ${taken[1]} is taken by another program. Set PORT (or SUUQ_SANDBOX_PORT, when it is the sandbox's) to another port, or to 0 for any free one.`,
    );
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return failure(
      'wrong_setting',
      `HOST is no address of this machine (${message}); it is such as 127.0.0.1, or 0.0.0.0 for all of them.`,
    );
  if (/^(EACCES|EEXIST|ENOENT|ENOTDIR|EROFS): |^ConnectionFailed/.test(message))
    return failure('data_folder_unusable', `${message}. Set SUUQ_DATA to a folder that this user may write to.`);
  return undefined;
}

/** Errors whose words are for people already, by their code. */
const KNOWN: readonly (readonly [new (...given: never[]) => Error, string])[] = [
  [FolderInUse, 'data_folder_in_use'],
  [NoInstallation, 'no_installation'],
  [RestoreUnfinished, 'restore_unfinished'],
  [NewerFolder, 'newer_data_folder'],
  [MasterKeyMissing, 'master_key_missing'],
  [VaultMissing, 'vault_missing'],
  [VaultIncomplete, 'vault_incomplete'],
  [OtherLog, 'other_log'],
  [SettingsError, 'wrong_setting'],
];

/** Of engines, asked last: a full disk is one of theirs too. */
const OF_ENGINES: typeof KNOWN = [
  [StoreRefused, 'engine_refused'],
  [StoreUnavailable, 'unavailable'],
  [PayloadTooLarge, 'payload_too_large'],
];

/** Its code and what to do, never a stack. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return failure('internal_error', String(error));
  const { message } = error;
  if (error instanceof DomainError)
    return { code: error.code, message, ...(error.problems.length > 0 && { problems: error.problems }) };
  if (error instanceof WorkRefused || error instanceof MoveError) return failure(error.code, message);
  const codeIn = (known: typeof KNOWN) => known.find(([kind]) => error instanceof kind)?.[1];
  const code = codeIn(KNOWN);
  if (code !== undefined) return failure(code, message);
  const full = roomless(error);
  if (full !== undefined) return full;
  if (error instanceof LogDamaged)
    return failure(
      'log_damaged',
      `${message}. 'suuq verify' names all that is wrong; 'suuq restore' makes a data folder of a backup.`,
    );
  const ofEngine = codeIn(OF_ENGINES);
  if (ofEngine !== undefined) return failure(ofEngine, message);
  return ofMachine(error) ?? failure('internal_error', message);
}

const problemLine = ({ location, message }: FieldProblem): string =>
  location === undefined ? `  ${message}` : `  ${location} ${message}`;

/** In lines for people. */
export const sentenceOf = ({ code, message, problems = [] }: Failure): string =>
  [`${code}: ${message}`, ...problems.map(problemLine)].join('\n');
