import { UsageError } from '../service/admin/declaration.js';
import { FILE, styled, written } from '../service/admin/layout.js';
import type { Shown } from '../service/admin/text.js';
import type { CliCommand, CliHost, Terminal, Typed } from './command.js';
import { cliCommands } from './commands/index.js';
import {
  commandOf,
  groupOf,
  isProcess,
  leading,
  nearestGroup,
  OWN,
  type ProcessWord,
  suggestions,
} from './commandWords.js';
import { wantsJson } from './commonOptions.js';
import { type Failure, failureOf, sentenceOf } from './failures.js';
import { commandHelp, overview, processHelp, usage, usageOf } from './help.js';
import { limited, watchMs, withColumns } from './outputOptions.js';

const WRONG_USE = 2;
const FAILED = 1;

const HELP: readonly (string | undefined)[] = ['-h', '--help'];
const VERSION: readonly (string | undefined)[] = ['version', '--version', '-V'];

/** Clears the screen. */
const CLEAR = '\u001b[H\u001b[2J';

const hasHelp = (args: readonly string[]): boolean => args.some((word) => HELP.includes(word));

const isOwn = (word: string): word is ProcessWord | keyof typeof OWN => isProcess(word) || Object.hasOwn(OWN, word);

const screenOf = ({ screen = FILE }: CliHost) => screen;

const show = (host: CliHost, shown: Shown): number => {
  host.out(`${written(shown, screenOf(host))}\n`);
  return 0;
};

/** Error of a command line that names no command. */
function unknown(argv: readonly string[]): UsageError {
  const typed = leading(argv);
  if (typed.length === 0)
    return new UsageError(argv.length === 0 ? 'a command is missing' : `'${argv[0]}' must follow the command`);
  const near = suggestions(typed).map((words) => `suuq ${words.join(' ')}`);
  const hint = near.length === 0 ? '' : `; did you mean '${near.join("' or '")}'?`;
  return new UsageError(`unknown command 'suuq ${typed.slice(0, 3).join(' ')}'${hint}`);
}

/** How the commands that begin with these words are used. */
function helpOn(words: readonly string[], host: CliHost): number {
  const [first] = words;
  if (first === undefined) return show(host, overview(cliCommands, screenOf(host)));
  if (words.length === 1 && isOwn(first)) return show(host, processHelp(first));
  const command = commandOf(words);
  if (command !== undefined) return show(host, commandHelp(command));
  const group = groupOf(words);
  if (group.length === 0) throw unknown(words);
  return show(host, usageOf(group));
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
  // Loaded for this alone: help and version come sooner.
  const { parseTyped } = await import('./parsing.js');
  const { typed, help } = parseTyped(declared, args);
  if (help) return show(host, commandHelp(declared));
  const json = typed.one('json') !== undefined;
  if (json && typed.one('columns') !== undefined) throw new UsageError('--columns cannot be combined with --json');
  const every = watchMs(typed);
  const terminal: Terminal = { out: host.out, note: json ? () => {} : host.err, watched: host.watched && !json, json };
  const screen = screenOf(host);
  const clear = every !== undefined && screen.styled && !json ? CLEAR : '';
  for (;;) {
    const result = limited(await resultOf(declared, typed, host, terminal), declared.list, typed);
    const text = json ? JSON.stringify(result) : written(withColumns(declared.text(result as never), typed), screen);
    host.out(`${clear}${text}\n`);
    const goesOn = every !== undefined && (await host.pause?.(every));
    if (!goesOn) return declared.failed?.(result as never) === true ? FAILED : 0;
  }
}

async function dispatch(argv: readonly string[], host: CliHost): Promise<number> {
  const [first, ...rest] = argv;
  if (first === 'help' || HELP.includes(first))
    return helpOn(
      rest.filter((word) => !HELP.includes(word)),
      host,
    );
  const own = first === 'completion' || isProcess(first) || VERSION.includes(first);
  if (own && hasHelp(rest)) return helpOn([isProcess(first) || first === 'completion' ? first! : 'version'], host);
  if (VERSION.includes(first)) return show(host, host.version);
  if (first === 'completion') {
    const { completionFor } = await import('./completion.js');
    return show(host, await completionFor(rest[0]));
  }
  if (isProcess(first)) {
    if (rest.length > 0)
      throw new UsageError(`'${rest[0]}' is an unexpected argument; settings come from the environment`);
    return host[first]();
  }
  const found = commandOf(argv);
  if (found !== undefined) return runCommand(found, argv.slice(found.words.length), host);
  if (hasHelp(argv) && groupOf(leading(argv)).length > 0) return helpOn(leading(argv), host);
  throw unknown(argv);
}

/** Help for a wrong command line. */
function helpFor(argv: readonly string[], host: CliHost): Shown {
  const found = commandOf(argv);
  if (found !== undefined) return usage(found);
  const typed = leading(argv);
  const [first] = typed;
  if (first === undefined) return overview(cliCommands, host.errScreen ?? FILE);
  if (isOwn(first)) return processHelp(first);
  const likely = suggestions(typed).flatMap(groupOf);
  const near = likely.length > 0 ? likely : nearestGroup(typed);
  // Only the nearest ones, so that the error remains visible.
  return near.length > 0
    ? usageOf(near)
    : [{ lead: 'Usage: ', note: "suuq COMMAND …; run 'suuq help' to list the commands." }];
}

/** Writes an error for a person or as JSON. Returns the exit code. */
export function reportError(error: unknown, argv: readonly string[], host: CliHost): number {
  const screen = host.errScreen ?? FILE;
  const isUse = error instanceof UsageError;
  const failure: Failure = isUse ? { code: 'wrong_use', message: error.message } : failureOf(error);
  if (wantsJson(argv)) host.err(`${JSON.stringify({ error: failure })}\n`);
  else if (isUse)
    host.err(`${styled('red', 'suuq:', screen)} ${error.message}\n\n${written(helpFor(argv, host), screen)}\n`);
  else host.err(`${sentenceOf(failure).replace(failure.code, styled('red', failure.code, screen))}\n`);
  return isUse ? WRONG_USE : FAILED;
}

/** Runs a command line (without `node` and the script); answers the exit code: 0 done, 1 failed, 2 used wrongly. */
export async function runCli(argv: readonly string[], host: CliHost): Promise<number> {
  try {
    return await dispatch(argv, host);
  } catch (error) {
    return reportError(error, argv, host);
  }
}
