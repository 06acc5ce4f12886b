/** A command of the operator, declared once: its parser, its help, the check of what comes over the socket, and its use. */
import type { AdminReads, AdminWork } from './context.js';
import { Fields } from './input.js';
import type { Shown } from './text.js';

/** Used wrongly: answered with the sentence, the usage and exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** How an option is typed and explained. */
export interface OptionWords {
  /** How the value is written in the usage, such as `ID`. */
  readonly value: string;
  readonly about: string;
  readonly required?: boolean;
  /** May be given several times. */
  readonly many?: boolean;
  /** Takes two values, one behind the other; sent as `sendMany` makes it of both. */
  readonly pair?: boolean;
  /** Name behind `--`, if it is not the field's name with dashes. */
  readonly typedAs?: string;
}

/** One field of a command's input: what is typed, what of it is sent, and how what was sent is checked. */
export interface Option<T = unknown> extends Partial<OptionWords> {
  /** Typed by its place, without `--`: its name in the usage. */
  readonly argument?: string;
  readonly required?: boolean;
  /** The only values that it takes. */
  readonly choices?: readonly string[];
  /** The typed value names a file: one of the service's machine, or one whose JSON is sent. */
  readonly from?: 'file' | 'json';
  /** Converts the typed value; absent: the text itself. Throws UsageError. */
  send?(typed: string | undefined): unknown;
  /** The same for an option that may be given several times. */
  sendMany?(typed: readonly string[]): unknown;
  /** Notes in `fields` what is wrong. */
  check(fields: Fields, name: string): T;
}

/** Name of an option behind `--`. */
export const typedName = (field: string, { typedAs }: Option): string =>
  typedAs ?? field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export type Options = Readonly<Record<string, Option>>;

/** Checked input of a command. */
export type Input<O extends Options> = {
  readonly [Name in keyof O]: O[Name] extends Option<infer T> ? T : never;
};

/** Runs administration commands: in the running service, or on the data folder. */
export type Execute = (command: string, input: unknown) => Promise<object>;

export interface Terminal {
  out(text: string): void;
  /** For people, also when stdout is for a program. */
  note(text: string): void;
  /** True if a person watches: progress may then overwrite itself. */
  readonly watched: boolean;
  /** True if the output is JSON. */
  readonly json?: boolean;
}

interface Declared<O extends Options, R extends object> {
  /** On the socket. */
  readonly name: string;
  /** On the command line; `admin` and the parts of the name when absent. */
  readonly words?: readonly string[];
  readonly about: string;
  readonly options?: O;
  /** Two options of which only one may be given, which is wrong use when both are typed; with `required`, exactly one. */
  readonly either?: { readonly of: readonly [keyof O & string, keyof O & string]; readonly required: boolean };
  /** Constraints between options; faults are noted in `fields`. */
  check?(input: Input<O>, fields: Fields): void;
  /** The result for people; `--json` gives it as it is. */
  text(result: R): Shown;
  /** The list in its result, which `--limit` cuts and `--columns` chooses from. */
  readonly list?: keyof R & string;
  /** The option that names a file to read: the console sends the file itself, of at most so many bytes. */
  readonly upload?: { readonly field: keyof O & string; readonly mostBytes: number };
  /** Irreversible: the field that names the target, which the console requires a second time. */
  readonly final?: keyof O & string;
  /** Fields of the result that are shown to the caller only, and not stored. */
  readonly secrets?: readonly (keyof R & string)[];
  /** Available to a store's people in the console, for their own store: its option `workspace` is then fixed. */
  readonly forStore?: true;
  /** Goes on after the command has been answered, and answers what is shown instead. */
  follow?(result: R, execute: Execute, terminal: Terminal): Promise<object>;
}

interface AnyDeclared extends Omit<Declared<Options, never>, 'words' | 'check' | 'list' | 'secrets'> {
  readonly list?: string;
  readonly secrets?: readonly string[];
  readonly words: readonly string[];
  readonly options: Options;
  check?(input: never, fields: Fields): void;
}

/** A declared command, whatever its options and result. One that only reads has no commands at hand. */
export type AdminCommand = AnyDeclared &
  (
    | { readonly changes: true; run(work: AdminWork, input: never): Promise<object> }
    | { readonly changes: false; run(work: AdminReads, input: never): Promise<object> }
  );

const declared = (changes: boolean, given: { readonly name: string }): AdminCommand =>
  ({ words: ['admin', ...given.name.split('.')], options: {}, changes, ...given }) as unknown as AdminCommand;

/** One that may change what is stored. */
export const adminCommand = <R extends object, O extends Options = Record<never, never>>(
  given: Declared<O, R> & { run(work: AdminWork, input: Input<O>): Promise<R> },
): AdminCommand => declared(true, given);

/** One that only reads. */
export const adminQuery = <R extends object, O extends Options = Record<never, never>>(
  given: Declared<O, R> & { run(work: AdminReads, input: Input<O>): Promise<R> },
): AdminCommand => declared(false, given);

/** The input as the command is declared. Refuses `validation_failed` with every problem. */
export function checkedInput({ options, either, check }: AdminCommand, input: unknown): object {
  const declared = Object.entries(options);
  if (declared.length === 0) return {};
  const fields = new Fields(input);
  if (either !== undefined) fields.either(...either.of, either.required);
  const checked = Object.fromEntries(declared.map(([name, option]) => [name, option.check(fields, name)]));
  check?.(checked as never, fields);
  fields.check();
  return checked;
}
