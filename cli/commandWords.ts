/** Which command is meant by the words of a command line, and what may have been meant. */
import { suggestionsFor } from '../service/suggestions.js';
import type { CliCommand, CliHost } from './command.js';
import { cliCommands } from './commands/index.js';

/** Processes that run until they are stopped. */
export const PROCESSES = {
  start: 'Run the service on the data folder (SUUQ_DATA, default ./data).',
  sandbox: 'Run the sandbox alone, for several instances of the service.',
} as const satisfies Partial<Record<keyof CliHost, string>>;

export type ProcessWord = keyof typeof PROCESSES;

export const isProcess = (word: string | undefined): word is ProcessWord =>
  word !== undefined && Object.hasOwn(PROCESSES, word);

/** Words of the command line itself. */
export const OWN = {
  version: 'Print the version.',
  help: 'List the commands, or show the usage of a command.',
  completion: 'Print the completion script for bash, zsh or fish.',
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

/** Possible next words: the next word of every command that begins with these. */
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

/** More places than these are no hint: `list` is in every group. */
const MOST_PLACES = 3;

/** The words with their groups, such as `admin keys list` for `keys list`, if most of them are found there. */
function furtherIn(typed: readonly string[]): readonly (readonly string[])[] {
  const places = cliCommands.flatMap(({ words }) => {
    const at = words.indexOf(typed[0]!, 1);
    return at === -1 ? [] : [words.slice(0, at).join(' ')];
  });
  const leads = [...new Set(places)].map((place) => [...place.split(' '), ...typed]);
  const led = leads.map((words) => words.slice(0, known(words)));
  const most = Math.max(...led.map(({ length }) => length));
  return led.length > MOST_PLACES ? [] : led.filter(({ length }) => length === most);
}

/** Suggestions: words in a deeper group, else the first unknown word is replaced by similar ones. */
export function suggestions(typed: readonly string[]): readonly (readonly string[])[] {
  const count = known(typed);
  const wrong = typed[count];
  if (wrong === undefined) return [];
  const behind = count === 0 ? furtherIn(typed) : [];
  if (behind.length > 0) return behind;
  const right = typed.slice(0, count);
  return suggestionsFor(wrong, nextWords(right)).map((word) => [...right, word, ...typed.slice(count + 1)]);
}
