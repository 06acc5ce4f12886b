/** How commands are used, for people. */
import { type Screen, styled } from '../service/admin/layout.js';
import type { Note, Shown } from '../service/admin/text.js';
import type { CliArgument, CliCommand, CliOption } from './command.js';
import { isProcess, OWN, PROCESSES, type ProcessWord } from './commandWords.js';
import { optionsOf } from './commonOptions.js';

const argumentText = ({ name, optional }: CliArgument): string => (optional ? `[${name}]` : `<${name}>`);

export const valueText = ({ value, bare }: CliOption): string =>
  value === undefined ? '' : bare ? ` [${value}]` : ` ${value}`;

function optionText(name: string, option: CliOption): string {
  const text = `--${name}${valueText(option)}`;
  return `${option.required ? text : `[${text}]`}${option.many ? ' …' : ''}`;
}

/** One line: the words, the arguments, the options. */
function usageLine(command: CliCommand): string {
  const optional = Object.entries(optionsOf(command)).map(([name, option]) => optionText(name, option));
  return ['suuq', ...command.words, ...(command.arguments ?? []).map(argumentText), ...optional].join(' ');
}

/** Rows of two columns. */
function pairs(rows: readonly (readonly [string, string])[]): readonly Note[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, note]) => ({ lead: `  ${left.padEnd(width)}  `, note }));
}

const usageNote = (line: string): Note => ({ lead: 'Usage: ', note: line });

export const flagsOf = (name: string, { short }: CliOption): string =>
  short === undefined ? `--${name}` : `-${short}, --${name}`;

/** The usage with every option explained. */
export const usage = (command: CliCommand): Shown => [
  usageNote(usageLine(command)),
  ...pairs([
    ...Object.entries(optionsOf(command)).map(
      ([name, option]) => [`${flagsOf(name, option)}${valueText(option)}`, option.about] as const,
    ),
    ['-h, --help', 'Show this help.'],
  ]),
];

export const commandHelp = (command: CliCommand): Shown => [{ lead: '', note: command.about }, '', usage(command)];

/** A line for each of several commands. */
export const usageOf = (commands: readonly CliCommand[]): Shown =>
  commands.map((command, i) => ({ lead: i === 0 ? 'Usage: ' : '       ', note: usageLine(command) }));

export const processHelp = (word: ProcessWord | keyof typeof OWN): Shown => [
  { lead: '', note: isProcess(word) ? PROCESSES[word] : OWN[word] },
  '',
  usageNote(`suuq ${word}${word === 'help' ? ' [WORDS]' : word === 'completion' ? ' bash|zsh|fish' : ''}`),
  ...(isProcess(word)
    ? [{ lead: '', note: 'Settings are environment variables, listed in docs/operating/settings.md.' }]
    : []),
];

/** Commands of the help by what they are for: those whose first word is one of these. The rest is administration. */
const TOPICS: readonly (readonly [string, readonly string[]])[] = [
  [
    'Inspect',
    ['status', 'settings', 'doctor', 'logs', 'projections', 'processors', 'history', 'audit', 'query', 'events'],
  ],
  ['Back up and move', ['backup', 'restore', 'verify', 'move', 'export']],
  ['Develop', ['listen', 'trigger', 'seed', 'webhooks', 'api', 'open', 'login', 'logout', 'profiles']],
];

export function topicsOf(commands: readonly CliCommand[]): readonly (readonly [string, readonly CliCommand[]])[] {
  const named = TOPICS.map(
    ([title, words]) => [title, commands.filter((one) => words.includes(one.words[0]!))] as const,
  );
  const rest = commands.filter((one) => !named.some(([, some]) => some.includes(one)));
  return [...named, ['Administer', rest]];
}

/** All commands. */
export function overview(commands: readonly CliCommand[], screen: Screen): Shown {
  const own = Object.entries({ ...PROCESSES, ...OWN }).map(([word, about]) => [`suuq ${word}`, about] as const);
  const topics = topicsOf(commands).map(([title, some]) => ({
    title,
    rows: some.map(({ words, about }) => [`suuq ${words.join(' ')}`, about] as const),
  }));
  const all = [{ title: 'Run', rows: own }, ...topics].filter(({ rows }) => rows.length > 0);
  // One width for all of them.
  const notes = pairs(all.flatMap(({ rows }) => rows));
  let at = 0;
  const blocks = all.flatMap(({ title, rows }) => {
    const some = notes.slice(at, at + rows.length);
    at += rows.length;
    return ['', styled('bold', title, screen), ...some];
  });
  return [
    'Usage: suuq COMMAND …',
    ...blocks,
    '',
    { lead: '', note: "For the options of a command, run it with '-h' or '--help', or run 'suuq help COMMAND'." },
  ];
}
