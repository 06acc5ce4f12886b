/** Which command is meant by the words of a command line, and what may have been meant. */
import { nearest } from '../nearest.js';
import type { CliCommand, CliHost } from './command.js';
import { cliCommands } from './commands/index.js';

/** What runs until it is told to end. */
export const PROCESSES = {
  start: 'Runs the service on the data folder (SUUQ_DATA, ./data when absent).',
  sandbox: 'Runs the stand-in for the channel alone, for instances without their own.',
} as const satisfies Partial<Record<keyof CliHost, string>>;

export type ProcessWord = keyof typeof PROCESSES;

export const isProcess = (word: string | undefined): word is ProcessWord =>
  word !== undefined && Object.hasOwn(PROCESSES, word);

/** Words of the command line itself. */
export const OWN = {
  version: 'Prints the version.',
  help: 'Shows the commands, or how the ones that begin with the words behind it are used.',
  completion: 'Prints what completes commands in a shell: bash, zsh or fish.',
} as const;

const isOption = (word: string): boolean => word.startsWith('-');

/** The words before the first option. */
export function leading(argv: readonly string[]): readonly string[] {
  const option = argv.findIndex(isOption);
  return option === -1 ? argv : argv.slice(0, option);
}

export const startsWith = (words: readonly string[], argv: readonly string[]): boolean =>
  words.every((word, i) => argv[i] === word);

/** The command that these words name; what follows its words is its own. */
export const commandOf = (argv: readonly string[]): CliCommand | undefined =>
  cliCommands.find(({ words }) => startsWith(words, argv));

/** All commands that begin with these words, such as those of a group. */
export const groupOf = (words: readonly string[]): readonly CliCommand[] =>
  cliCommands.filter((command) => startsWith(words, command.words));

/** What may follow these words: the next word of every command that begins with them. */
export function nextWords(words: readonly string[]): readonly string[] {
  const next = groupOf(words).flatMap((command) => command.words[words.length] ?? []);
  const first = words.length === 0 ? [...Object.keys(PROCESSES), ...Object.keys(OWN)] : [];
  return [...new Set([...first, ...next])];
}

/** How many of the words lead somewhere. */
function known(typed: readonly string[]): number {
  let count = 0;
  while (count < typed.length && nextWords(typed.slice(0, count)).includes(typed[count]!)) count += 1;
  return count;
}

/** The commands that begin with as many of these words as any does; none when not even the first is known. */
export function nearestGroup(typed: readonly string[]): readonly CliCommand[] {
  const count = known(typed);
  return count === 0 ? [] : groupOf(typed.slice(0, count));
}

/** What may have been meant: the first word that leads nowhere is replaced by those like it. */
export function meant(typed: readonly string[]): readonly (readonly string[])[] {
  const count = known(typed);
  const wrong = typed[count];
  if (wrong === undefined) return [];
  const right = typed.slice(0, count);
  return nearest(wrong, nextWords(right)).map((word) => [...right, word, ...typed.slice(count + 1)]);
}
