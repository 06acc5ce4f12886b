import { type ParseArgsConfig, parseArgs } from 'node:util';
import { defined } from '../../domain/defined.js';
import { messageOf } from '../../engine/messageOf.js';
import { type AdminCommand, type Execute, type Option, type Terminal, UsageError } from '../admin/declaration.js';
import type { BackupResult } from '../backup/backup.js';
import type { Tell } from '../backup/progress.js';
import type { RestoreResult } from '../backup/restore.js';
import type { Diagnosis } from '../doctor/doctor.js';
import type { VerifyResult } from '../verify/verify.js';

export type { Execute, Terminal };

export interface CliOption {
  /** How the value is written in the usage, such as `ID`; absent: a switch without a value. */
  readonly value?: string;
  readonly about: string;
  readonly required?: boolean;
  /** May be given several times. */
  readonly many?: boolean;
}

export interface CliArgument {
  readonly name: string;
  readonly optional?: boolean;
}

/** What was typed after the command's words. */
export interface Typed {
  one(option: string): string | undefined;
  all(option: string): readonly string[];
  argument(index: number): string | undefined;
}

/** Where a command line runs: its output, and what stands behind its commands. */
export interface CliHost {
  out(text: string): void;
  err(text: string): void;
  /** Whether a person watches stderr. */
  readonly watched: boolean;
  readonly version: string;
  withExecute<R>(work: (execute: Execute) => Promise<R>): Promise<R>;
  /** Runs the service until it is told to end; answers the exit code. */
  start(): Promise<number>;
  /** The same for the sandbox alone. */
  sandbox(): Promise<number>;
  /** Copies the data folder's history into the EventStoreDB at `to`; `tell` is given a line now and then. */
  move(to: string | undefined, tell: (line: string) => void): Promise<object>;
  /** While no service runs: nothing that happened before is owed. */
  settle(reason: string): Promise<object>;
  /** What is done to a whole installation, in this process; loaded when it is asked for. */
  upkeep(): Promise<Upkeep>;
}

/** `tell` is told how far each is. */
export interface Upkeep {
  /** Copies the installation of the data folder to a place. */
  backup(place: string, options: { readonly withKeys: boolean }, tell: Tell): Promise<BackupResult>;
  /** Makes a data folder of a backup. */
  restore(place: string, tell: Tell): Promise<RestoreResult>;
  /** Goes through all that is stored. */
  verify(tell: Tell): Promise<VerifyResult>;
  /** Looks for what is wrong, within some 15 s. */
  doctor(): Promise<Diagnosis>;
}

interface Declared {
  readonly words: readonly string[];
  readonly about: string;
  readonly arguments?: readonly CliArgument[];
  readonly options?: Readonly<Record<string, CliOption>>;
  /** The result for people; `--json` gives it as it is. */
  text(result: never): string;
  /** Whether what it found is a failure, exit code 1; none is when absent. */
  failed?(result: never): boolean;
}

/** A command that is one of the administration, wherever the engines are open. */
interface AdminDeclared extends Declared {
  /** The administration command that it is, and its input. */
  readonly admin: { readonly command: string; input(typed: Typed): object };
  /** Goes on after the administration command has been answered, and answers what is shown instead. */
  follow?(result: never, execute: Execute, terminal: Terminal): Promise<object>;
}

/** A command that works on the data folder in this process alone. */
interface DirectDeclared extends Declared {
  direct(typed: Typed, host: CliHost, terminal: Terminal): Promise<object>;
}

/** One command of the command line, from this declaration: parsing, usage, help. */
export type CliCommand = AdminDeclared | DirectDeclared;

/** Gives `text` the result's type. */
export const directCommand = <R extends object>(
  declared: Omit<DirectDeclared, 'text' | 'failed' | 'direct'> & {
    text(result: R): string;
    failed?(result: R): boolean;
    direct(typed: Typed, host: CliHost, terminal: Terminal): Promise<R>;
  },
): CliCommand => declared as unknown as CliCommand;

const dashed = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function sent(option: Option, typed: Typed, name: string, place: number): unknown {
  if (option.many) return option.sendMany === undefined ? typed.all(name) : option.sendMany(typed.all(name));
  const one = option.argument === undefined ? typed.one(name) : typed.argument(place);
  return option.send === undefined ? one : option.send(one);
}

function eitherOf({ either, options }: AdminCommand, typed: Typed): void {
  if (either === undefined) return;
  const names = either.of.map((name) => nameOf(name, options[name]!));
  const given = names.filter((name) => typed.one(name) !== undefined).length;
  if (given > 1) throw new UsageError(`--${names.join(' and --')} must not be given together`);
  if (given === 0 && either.required) throw new UsageError(`--${names.join(' or --')} is missing`);
}

const nameOf = (field: string, { typedAs }: Option): string => typedAs ?? dashed(field);

/** A command of the operator as it is typed. */
export function typedCommand(declared: AdminCommand): CliCommand {
  const fields = Object.entries(declared.options);
  const byPlace = fields.filter(([, { argument }]) => argument !== undefined);
  const byName = fields.filter(([, { argument }]) => argument === undefined);
  return {
    words: declared.words,
    about: declared.about,
    arguments: byPlace.map(([, { argument, required }]) => ({ name: argument!, optional: required !== true })),
    options: Object.fromEntries(byName.map(([field, option]) => [nameOf(field, option), option as CliOption])),
    admin: {
      command: declared.name,
      input(typed) {
        eitherOf(declared, typed);
        const place = (field: string): number => byPlace.findIndex(([name]) => name === field);
        return Object.fromEntries(
          fields.map(([field, option]) => [field, sent(option, typed, nameOf(field, option), place(field))]),
        );
      },
    },
    text: declared.text,
    ...defined({ follow: declared.follow }),
  };
}

const argumentText = ({ name, optional }: CliArgument): string => (optional ? `[${name}]` : `<${name}>`);

function optionText(name: string, { value, required, many }: CliOption): string {
  const text = `--${name}${value === undefined ? '' : ` ${value}`}`;
  return `${required ? text : `[${text}]`}${many ? ' …' : ''}`;
}

/** One line: the words, the arguments, the options. */
export function usageLine({ words, arguments: names = [], options = {} }: CliCommand): string {
  const optional = Object.entries(options).map(([name, option]) => optionText(name, option));
  return ['suuq', ...words, ...names.map(argumentText), ...optional, '[--json]'].join(' ');
}

/** The usage with every option explained. */
export function usage(declared: CliCommand): string {
  const rows = Object.entries(declared.options ?? {}).map(
    ([name, { value, about }]) => [`--${name}${value === undefined ? '' : ` ${value}`}`, about] as const,
  );
  const all = [...rows, ['--json', 'One JSON document on stdout, for scripts.'] as const];
  const width = Math.max(...all.map(([left]) => left.length));
  return [`Usage: ${usageLine(declared)}`, ...all.map(([left, about]) => `  ${left.padEnd(width)}  ${about}`)].join(
    '\n',
  );
}

function parserOptions(declared: CliCommand): ParseArgsConfig['options'] {
  const options: NonNullable<ParseArgsConfig['options']> = { json: { type: 'boolean' }, help: { type: 'boolean' } };
  for (const [name, { value, many }] of Object.entries(declared.options ?? {}))
    options[name] = { type: value === undefined ? 'boolean' : 'string', ...(many ? { multiple: true } : {}) };
  return options;
}

function parsed(declared: CliCommand, args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: parserOptions(declared) ?? {}, allowPositionals: true, strict: true });
  } catch (error) {
    // The parser's first sentence names the option; what follows is advice about its own syntax.
    throw new UsageError(messageOf(error).split(/\. |\n/)[0]!);
  }
}

/** Reads what was typed after the command's words. Throws UsageError. */
export function parseTyped(
  declared: CliCommand,
  args: readonly string[],
): { typed: Typed; json: boolean; help: boolean } {
  const { values, positionals } = parsed(declared, args);
  const typed: Typed = {
    one: (option) => (values[option] === undefined ? undefined : String(values[option])),
    all: (option) => (values[option] as string[] | undefined) ?? [],
    argument: (index) => positionals[index],
  };
  const help = values.help === true;
  if (!help) checkComplete(declared, typed, positionals);
  return { typed, json: values.json === true, help };
}

function checkComplete(declared: CliCommand, typed: Typed, positionals: readonly string[]): void {
  const names = declared.arguments ?? [];
  const missing = names.find((argument, i) => !argument.optional && positionals[i] === undefined);
  if (missing !== undefined) throw new UsageError(`<${missing.name}> is missing`);
  if (positionals.length > names.length) throw new UsageError(`'${positionals[names.length]}' is one word too many`);
  for (const [name, option] of Object.entries(declared.options ?? {}))
    if (option.required && typed.one(name) === undefined) throw new UsageError(`--${name} is missing`);
}
