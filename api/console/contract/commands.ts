/** The operator's commands, and what they answer. */

/** One field of what an operator's command takes. */
export interface ConsoleCommandFieldBody {
  readonly name: string;
  /** The option or argument of the command line, such as `--slug` or `FILE`. */
  readonly typedAs: string;
  /** How its value is written in the usage. */
  readonly value: string;
  readonly about: string;
  readonly required: boolean;
  readonly many: boolean;
  readonly choices?: readonly string[];
  /** Its value is JSON. */
  readonly json?: true;
}

/** A command of `suuq admin`, as a form needs it. */
export interface ConsoleCommandBody {
  /** Such as `partners.create`. */
  readonly name: string;
  /** As it is typed, such as `suuq admin partners create`. */
  readonly typed: string;
  readonly about: string;
  readonly changes: boolean;
  readonly fields: readonly ConsoleCommandFieldBody[];
  /** Two fields of which one is given, with `required` exactly one. */
  readonly either?: { readonly of: readonly [string, string]; readonly required: boolean };
  /** The list in its result, whose rows are those of the table that is shown. */
  readonly list?: string;
  /** The field in whose place a file is sent, and the most bytes that it may have. */
  readonly upload?: { readonly field: string; readonly mostBytes: number };
  /** Marks a command that cannot be undone, by the field that names the thing removed. */
  readonly final?: string;
  /** Fields of the result that are shown once. */
  readonly secrets?: readonly string[];
  /** Only at the command line, since it reads or writes a file there, or goes on for long. */
  readonly machine?: true;
}

/** A result as text: lines, a table, a name with its description, or several of these. */
export type ConsoleShown =
  | string
  | {
      readonly head: readonly string[];
      readonly rows: readonly (readonly (string | number | boolean | undefined)[])[];
      readonly none: string;
    }
  | { readonly lead: string; readonly note: string }
  | readonly ConsoleShown[];

/** The answer of a command: the result as in `--json`, and its text for people. */
export interface ConsoleCommandAnswerBody {
  readonly result: Readonly<Record<string, unknown>>;
  readonly shown: ConsoleShown;
}
