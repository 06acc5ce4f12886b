/** Error messages for the person who typed the command. */
import { resolve, sep } from 'node:path';
import { DomainError, type FieldProblem } from '../domain/decider.js';
import { MoveError } from '../engine/moving/moveError.js';
import { LogDamaged, PayloadTooLarge, StoreRefused, StoreUnavailable } from '../engine/ports/eventStore.js';
import { FileDamaged } from '../engine/ports/fileDamaged.js';
import { VaultIncomplete, VaultMissing } from '../engine/sealing/vaultErrors.js';
import { BadEngineUrl } from '../infrastructure/engineUrl.js';
import { EndpointCannotListen } from '../infrastructure/eventstoreEndpoint/endpointCannotListen.js';
import { CannotListen } from '../infrastructure/http/cannotListen.js';
import { MasterKeyMissing } from '../infrastructure/secrets/masterKey.js';
import { OtherLog } from '../service/engines/engineChecks.js';
import { WorkRefused } from '../service/engines/workChecks.js';
import { damageOf } from '../service/folder/damagedFiles.js';
import { NewerFolder } from '../service/folder/folderFormat.js';
import { FolderInUse, NoInstallation, RestoreUnfinished } from '../service/folder/serviceCard.js';
import { noRoomIn } from '../service/fullDisks.js';
import { dataFolderOf, SettingsError } from '../service/settings/settings.js';

/** `code` is stable; `problems`: what is wrong with what was given, place by place. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly problems?: readonly FieldProblem[];
}

const failure = (code: string, message: string): Failure => ({ code, message });

function roomless(error: Error): Failure | undefined {
  const reason = noRoomIn(error);
  if (reason === undefined) return undefined;
  return failure(
    'storage_full',
    `The disk of the data folder is full or failing (${reason}). Free some space and start again. Acknowledged changes are stored.`,
  );
}

/** A port that cannot be opened, and which setting names it. */
function portless({ code, host, port, message }: CannotListen): Failure {
  if (code === 'EADDRINUSE')
    return failure(
      'port_taken',
      `Port ${port} of ${host} is used by another program. Set PORT (for the sandbox: SUUQ_SANDBOX_PORT) to another port, or to 0 for any free port.`,
    );
  if (code === 'EACCES')
    return failure('wrong_setting', `This user may not listen at port ${port} of ${host}. Set PORT to 1024 or higher.`);
  return failure(
    'wrong_setting',
    `HOST is not an address of this machine (${message}). Use an address such as 127.0.0.1, or 0.0.0.0 for all of them.`,
  );
}

const OF_FILES = new Set(['EACCES', 'EEXIST', 'EISDIR', 'ENOENT', 'ENOTDIR', 'EPERM', 'EROFS']);

/** Failure of a file or folder of this machine. `dataFolder`: files in it, or above it, are named by its setting. */
function fileless({ message, code = '', path }: NodeJS.ErrnoException, dataFolder: string): Failure | undefined {
  // The database driver's error has no path; all files that it opens for writing are in the data folder.
  const isDatabase = message.startsWith('ConnectionFailed');
  if (!isDatabase && (path === undefined || !OF_FILES.has(code))) return undefined;
  if (isDatabase || isWithin(path!, dataFolder) || isWithin(dataFolder, path!))
    return failure('data_folder_unusable', `${message}. Set SUUQ_DATA to a folder that this user may write to.`);
  return failure('file_unusable', `${message}. Name another file or folder, or let this user read and write it.`);
}

const isWithin = (path: string, folder: string): boolean => `${resolve(path)}${sep}`.startsWith(`${folder}${sep}`);

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
  [BadEngineUrl, 'wrong_setting'],
];

/** Errors of engines, checked last: a full disk is one of theirs too. */
const OF_ENGINES: typeof KNOWN = [
  [StoreRefused, 'engine_refused'],
  [StoreUnavailable, 'unavailable'],
  [PayloadTooLarge, 'payload_too_large'],
];

/** Its code and what to do, never a stack. */
export function failureOf(error: unknown, dataFolder = resolve(dataFolderOf(process.env))): Failure {
  if (!(error instanceof Error)) return failure('internal_error', String(error));
  const { message } = error;
  if (error instanceof DomainError)
    return { code: error.code, message, ...(error.problems.length > 0 && { problems: error.problems }) };
  if (error instanceof WorkRefused || error instanceof MoveError) return failure(error.code, message);
  const codeIn = (known: typeof KNOWN) => known.find(([kind]) => error instanceof kind)?.[1];
  if (error instanceof FileDamaged) {
    const { code, sentence, remedy } = damageOf(error);
    return failure(code, `${sentence} ${remedy}`);
  }
  const code = codeIn(KNOWN);
  if (code !== undefined) return failure(code, message);
  const full = roomless(error);
  if (full !== undefined) return full;
  if (error instanceof LogDamaged)
    return failure(
      'log_damaged',
      `${message}. Run 'suuq verify' to list all damage, or 'suuq restore' to restore a backup.`,
    );
  const ofEngine = codeIn(OF_ENGINES);
  if (ofEngine !== undefined) return failure(ofEngine, message);
  if (error instanceof CannotListen) return portless(error);
  if (error instanceof EndpointCannotListen)
    return failure('port_taken', `${message}. Set EVENTSTORE_ENDPOINT to another address, or remove it.`);
  return fileless(error, dataFolder) ?? failure('internal_error', message);
}

const problemLine = ({ location, message }: FieldProblem): string =>
  location === undefined ? `  ${message}` : `  ${location} ${message}`;

/** In lines for people. */
export const sentenceOf = ({ code, message, problems = [] }: Failure): string =>
  [`${code}: ${message}`, ...problems.map(problemLine)].join('\n');
