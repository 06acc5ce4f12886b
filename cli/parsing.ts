/** Parses the arguments and options behind a command's words with commander. */
import { Command, CommanderError, Option } from 'commander';
import { UsageError } from '../service/admin/declaration.js';
import type { CliCommand, CliOption, Typed } from './command.js';
import { optionsOf } from './commonOptions.js';

const gather = (value: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), value];

function parserOption(name: string, { value, short, many, pair, bare }: CliOption): Option {
  const text = pair ? 'value' : value?.replace(/[<>[\]]/g, '');
  const flags = short === undefined ? `--${name}` : `-${short}, --${name}`;
  const option = new Option(`${flags}${text === undefined ? '' : bare ? ` [${text}]` : ` <${text}>`}`);
  return many || pair ? option.argParser(gather) : option;
}

/** Sentences for what commander finds wrong; its own begin with 'error: '. */
function usageError({ code, message }: CommanderError): UsageError {
  const text = message.replace(/^error: /, '').replace(/\n\(Did you mean (.*)\?\)$/s, '; did you mean $1?');
  const option = /'(--[\w-]+)/.exec(text)?.[1];
  return new UsageError(
    code === 'commander.optionMissingArgument' && option !== undefined ? `${option} needs a value` : text,
  );
}

/** `--name ONE TWO` as the parser reads it, for options that take two. */
function splitPairs(args: readonly string[], options: Readonly<Record<string, CliOption>>): string[] {
  const rest = [...args];
  const all: string[] = [];
  while (rest.length > 0) {
    const word = rest.shift()!;
    if (word === '--') return [...all, word, ...rest];
    all.push(word);
    if (!options[word.slice(2)]?.pair || !word.startsWith('--')) continue;
    const [one, two] = rest;
    if (one === undefined || two === undefined || two.startsWith('--'))
      throw new UsageError(`${word} needs two values`);
    all.push(one, word, two);
    rest.splice(0, 2);
  }
  return all;
}

/** Reads what was typed after the command's words. Throws UsageError. */
export function parseTyped(declared: CliCommand, args: readonly string[]): { typed: Typed; help: boolean } {
  const parser = new Command()
    .exitOverride()
    .helpOption(false)
    .configureOutput({ writeErr: () => {} })
    .option('-h, --help')
    .argument('[words...]');
  for (const [name, option] of Object.entries(optionsOf(declared))) parser.addOption(parserOption(name, option));
  try {
    parser.parse(splitPairs(args, optionsOf(declared)), { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) throw usageError(error);
    throw error;
  }
  const values = parser.opts<Record<string, string | boolean | readonly string[]>>();
  const given = (name: string) => values[new Option(`--${name}`).attributeName()];
  const typed: Typed = {
    one: (name) => (given(name) === undefined ? undefined : String(given(name))),
    all: (name) => (given(name) as readonly string[] | undefined) ?? [],
    argument: (index) => parser.args[index],
  };
  const help = values.help === true;
  if (!help) {
    checkNotBlank(values, parser.args, declared);
    checkComplete(declared, typed, parser.args);
  }
  return { typed, help };
}

/** A script with an unset variable passes an empty word: it must not be taken for the current folder. */
function checkNotBlank(
  values: Readonly<Record<string, string | boolean | readonly string[]>>,
  positionals: readonly string[],
  declared: CliCommand,
): void {
  const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';
  const place = positionals.findIndex(isBlank);
  if (place !== -1) throw new UsageError(`<${declared.arguments?.[place]?.name ?? 'word'}> must not be empty`);
  for (const name of Object.keys(optionsOf(declared)))
    if ([values[new Option(`--${name}`).attributeName()]].flat().some(isBlank))
      throw new UsageError(`--${name} must not be empty`);
}

function checkComplete(declared: CliCommand, typed: Typed, positionals: readonly string[]): void {
  const names = declared.arguments ?? [];
  const missing = names.find((argument, i) => !argument.optional && positionals[i] === undefined);
  if (missing !== undefined) throw new UsageError(`<${missing.name}> is missing`);
  if (positionals.length > names.length)
    throw new UsageError(`'${positionals[names.length]}' is an unexpected argument`);
  for (const [name, option] of Object.entries(declared.options ?? {}))
    if (option.required && typed.one(name) === undefined) throw new UsageError(`--${name} is missing`);
}
