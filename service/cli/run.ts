import { DomainError, type FieldProblem } from '../../domain/decider.js';
import { MoveError } from '../../engine/moving/moveError.js';
import { LogDamaged, PayloadTooLarge, StoreRefused, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { MasterKeyMissing } from '../../infrastructure/secrets/masterKey.js';
import { UsageError } from '../admin/declaration.js';
import { FolderInUse, NoInstallation, RestoreUnfinished } from '../composition/dataFolder.js';
import { OtherLog } from '../composition/engineChecks.js';
import { WorkRefused } from '../composition/workChecks.js';
import { SettingsError } from '../settings/settings.js';
import { type CliCommand, type CliHost, parseTyped, type Terminal, type Typed, usage, usageLine } from './command.js';
import { cliCommands } from './commands/index.js';

const WRONG_USE = 2;
const FAILED = 1;

/** What runs until it is told to end. */
const PROCESSES = {
  start: 'Runs the service on the data folder (SUUQ_DATA, ./data when absent).',
  sandbox: 'Runs the stand-in for the channel alone, for instances without their own.',
} as const satisfies Partial<Record<keyof CliHost, string>>;

const isProcess = (word: string | undefined): word is keyof typeof PROCESSES =>
  word !== undefined && Object.hasOwn(PROCESSES, word);

function help(commands: readonly CliCommand[]): string {
  const own: readonly (readonly [string, string])[] = [
    ...Object.entries(PROCESSES).map(([word, about]) => [`suuq ${word}`, about] as const),
    ['suuq version', 'Prints the version.'],
    ['suuq help', 'Prints this.'],
  ];
  const rows = [...own, ...commands.map((each) => [`suuq ${each.words.join(' ')}`, each.about] as const)];
  const width = Math.max(...rows.map(([left]) => left.length));
  const lines = rows.map(([left, about]) => `  ${left.padEnd(width)}  ${about}`);
  return ['Usage: suuq COMMAND …', '', ...lines, '', "'--help' after a command shows its options."].join('\n');
}

const startsWith = (words: readonly string[], argv: readonly string[]): boolean =>
  words.every((word, i) => argv[i] === word);

const wordsOf = (argv: readonly string[]): string[] => argv.filter((word) => !word.startsWith('-'));

/** The commands that begin with as many of these words as any does. */
function nearest(typed: readonly string[]): readonly CliCommand[] {
  for (let count = typed.length; count > 0; count -= 1) {
    const near = cliCommands.filter(({ words }) => startsWith(typed.slice(0, count), words));
    if (near.length > 0) return near;
  }
  return [];
}

const usageOf = (commands: readonly CliCommand[]): string => `Usage: ${commands.map(usageLine).join('\n       ')}`;

/** What is said of a command line that names no command: the commands that are like it, or all. */
function unknown(argv: readonly string[]): string {
  const typed = wordsOf(argv);
  const near = nearest(typed);
  const told =
    typed.length === 0 ? 'a command is missing' : `there is no command 'suuq ${typed.slice(0, 3).join(' ')}'`;
  return near.length === 0 ? `suuq: ${told}\n\n${help(cliCommands)}` : `suuq: ${told}\n\n${usageOf(near)}`;
}

/** `suuq admin members --help`: the commands of a group. */
function groupHelp(argv: readonly string[]): string | undefined {
  const typed = wordsOf(argv);
  const isAsked = typed.length > 0 && (argv.includes('--help') || argv.includes('-h'));
  const group = isAsked ? cliCommands.filter(({ words }) => startsWith(typed, words)) : [];
  return group.length === 0 ? undefined : usageOf(group);
}

/** As the file system and the driver say it, from whichever thread. A full disk may look like a failing one to the driver. */
const NO_ROOM = /\b(?:ENOSPC|EDQUOT|SQLITE_FULL\w*|SQLITE_IOERR\w*|disk I\/O error|database or disk is full)/;

function roomSentence({ message, code = '' }: NodeJS.ErrnoException): string | undefined {
  const said = NO_ROOM.exec(code) ?? NO_ROOM.exec(message);
  if (said === null) return undefined;
  return `storage_full: The disk of the data folder is full, or fails (${said[0]}). Make room on it and start again; what was acknowledged is there.`;
}

/** What keeps a service from starting on this machine, or a command from its folder. Undefined for other errors. */
function machineSentence({ message, code }: NodeJS.ErrnoException): string | undefined {
  if (/endpoint cannot listen/.test(message))
    return `port_taken: ${message}. Set EVENTSTORE_ENDPOINT to another address, or leave it out.`;
  const taken = /EADDRINUSE.* (\S+):(\d+)$/.exec(message);
  if (taken !== null)
    return `port_taken: Port ${taken[2]} of ${taken[1]} is taken by another program. Set PORT (or SUUQ_SANDBOX_PORT, when it is the sandbox's) to another port, or to 0 for any free one.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `wrong_setting: HOST is no address of this machine (${message}); it is such as 127.0.0.1, or 0.0.0.0 for all of them.`;
  if (/^(EACCES|EEXIST|ENOENT|ENOTDIR|EROFS): |^ConnectionFailed/.test(message))
    return `data_folder_unusable: ${message}. Set SUUQ_DATA to a folder that this user may write to.`;
  return undefined;
}

const problemLine = ({ location, message }: FieldProblem): string =>
  location === undefined ? `  ${message}` : `  ${location} ${message}`;

/** What an error says to the person who typed the command: its code and what to do, never a stack. */
function sentence(error: unknown): string {
  if (error instanceof DomainError)
    return [`${error.code}: ${error.message}`, ...error.problems.map(problemLine)].join('\n');
  if (error instanceof FolderInUse) return `data_folder_in_use: ${error.message}`;
  if (error instanceof NoInstallation) return `no_installation: ${error.message}`;
  if (error instanceof RestoreUnfinished) return `restore_unfinished: ${error.message}`;
  if (error instanceof MasterKeyMissing) return `master_key_missing: ${error.message}`;
  if (error instanceof OtherLog) return `other_log: ${error.message}`;
  if (error instanceof WorkRefused) return `${error.code}: ${error.message}`;
  if (error instanceof MoveError) return `${error.code}: ${error.message}`;
  if (error instanceof SettingsError) return `wrong_setting: ${error.message}`;
  const roomless = error instanceof Error ? roomSentence(error) : undefined;
  if (roomless !== undefined) return roomless;
  if (error instanceof LogDamaged)
    return `log_damaged: ${error.message}. 'suuq verify' names all that is wrong; 'suuq restore' makes a data folder of a backup.`;
  if (error instanceof StoreRefused) return `engine_refused: ${error.message}`;
  if (error instanceof StoreUnavailable) return `unavailable: ${error.message}`;
  if (error instanceof PayloadTooLarge) return `payload_too_large: ${error.message}`;
  if (error instanceof Error) return machineSentence(error) ?? `internal_error: ${error.message}`;
  return `internal_error: ${String(error)}`;
}

function resultOf(declared: CliCommand, typed: Typed, host: CliHost, terminal: Terminal): Promise<object> {
  if ('direct' in declared) return declared.direct(typed, host, terminal);
  const { command, input } = declared.admin;
  const sent = input(typed);
  return host.withExecute(async (execute) => {
    const first = await execute(command, sent);
    return declared.follow === undefined ? first : declared.follow(first as never, execute, terminal);
  });
}

async function runCommand(declared: CliCommand, args: readonly string[], host: CliHost): Promise<number> {
  const { typed, json, help: wanted } = parseTyped(declared, args);
  if (wanted) {
    host.out(`${declared.about}\n\n${usage(declared)}\n`);
    return 0;
  }
  const terminal: Terminal = {
    out: host.out,
    note: json ? () => {} : host.err,
    watched: host.watched && !json,
  };
  const result = await resultOf(declared, typed, host, terminal);
  host.out(`${json ? JSON.stringify(result) : declared.text(result as never)}\n`);
  return declared.failed?.(result as never) === true ? FAILED : 0;
}

async function dispatch(argv: readonly string[], host: CliHost): Promise<number> {
  const [first, ...rest] = argv;
  if (first === 'help' || first === '--help' || first === '-h') {
    host.out(`${help(cliCommands)}\n`);
    return 0;
  }
  if (first === 'version' || first === '--version') {
    host.out(`${host.version}\n`);
    return 0;
  }
  if (isProcess(first)) {
    if (rest.length > 0) throw new UsageError(`'${rest[0]}' is one word too many; settings come from the environment`);
    return host[first]();
  }
  const found = cliCommands.find(({ words }) => startsWith(words, argv));
  if (found === undefined) {
    const group = groupHelp(argv);
    if (group === undefined) host.err(`${unknown(argv)}\n`);
    else host.out(`${group}\n`);
    return group === undefined ? WRONG_USE : 0;
  }
  return runCommand(found, argv.slice(found.words.length), host);
}

/** Runs a command line (without `node` and the script); answers the exit code: 0 done, 1 failed, 2 used wrongly. */
export async function runCli(argv: readonly string[], host: CliHost): Promise<number> {
  try {
    return await dispatch(argv, host);
  } catch (error) {
    if (!(error instanceof UsageError)) {
      host.err(`${sentence(error)}\n`);
      return FAILED;
    }
    const found = cliCommands.find(({ words }) => startsWith(words, argv));
    host.err(`suuq: ${error.message}\n\n${found === undefined ? help(cliCommands) : usage(found)}\n`);
    return WRONG_USE;
  }
}
