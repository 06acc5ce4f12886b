import { defined } from '../domain/defined.js';
import {
  type AdminCommand,
  type Execute,
  type Option,
  type Terminal,
  typedName,
  UsageError,
} from '../service/admin/declaration.js';
import type { Screen } from '../service/admin/layout.js';
import type { Shown } from '../service/admin/text.js';
import type { Env } from '../service/settings/environment.js';
import type { MoveRequest } from '../service/settings/moveSettings.js';
import type { TakeRows } from '../upkeep/analysis/answer.js';
import type { ExportRequest, ExportResult } from '../upkeep/analysis/exportEvents.js';
import type { QueryDone, QueryRequest } from '../upkeep/analysis/query.js';
import type { AuditResult } from '../upkeep/audit/audit.js';
import type { AuditRequest } from '../upkeep/audit/auditLog.js';
import type { BackupResult } from '../upkeep/backup/backup.js';
import type { Report } from '../upkeep/backup/progress.js';
import type { RestoreResult } from '../upkeep/backup/restore.js';
import type { Diagnosis } from '../upkeep/doctor/doctor.js';
import type { DiffResult } from '../upkeep/projections/diffProjection.js';
import type { TryRequest, TryResult } from '../upkeep/projections/tryProjection.js';
import type { TailRequest, TailResult, TakeEvent } from '../upkeep/streams/tail.js';
import type { VerifyResult } from '../upkeep/verify/verify.js';

export type { Execute, Terminal };

export interface CliOption {
  /** How the value is written in the usage, such as `ID`; absent: a switch without a value. */
  readonly value?: string;
  /** Its letter behind one dash, such as `d`. */
  readonly short?: string;
  readonly about: string;
  /** May be given without its value. */
  readonly bare?: true;
  readonly required?: boolean;
  /** May be given several times. */
  readonly many?: boolean;
  /** Takes two values, one behind the other. */
  readonly pair?: boolean;
}

export interface CliArgument {
  readonly name: string;
  readonly optional?: boolean;
  /** Possible values, for completion; a name that lists them (`bash|zsh`) needs none. */
  values?(): Promise<readonly string[]>;
}

/** Arguments and options behind the command's words. */
export interface Typed {
  one(option: string): string | undefined;
  all(option: string): readonly string[];
  argument(index: number): string | undefined;
}

/** Environment of a command line: its output, and the functions of its commands. */
export interface CliHost {
  out(text: string): void;
  err(text: string): void;
  /** True if a person reads stderr. */
  readonly watched: boolean;
  /** Screen of results and errors. Default: no colours and no width limit. */
  readonly screen?: Screen;
  readonly errScreen?: Screen;
  /** Waits between two refreshes of `--watch`; false: interrupted. Absent: no refresh. */
  pause?(ms: number): Promise<boolean>;
  readonly version: string;
  /** The environment; empty when absent. */
  readonly env?: Env;
  /** Runs a command in the service of the data folder. Throws `not_running` where none runs; none is known when absent. */
  readonly inService?: Execute;
  withExecute<R>(work: (execute: Execute) => Promise<R>): Promise<R>;
  /** Runs the service until it is stopped; returns the exit code. */
  start(): Promise<number>;
  /** The same for the sandbox alone. */
  sandbox(): Promise<number>;
  /** Copies the data folder's history into another engine or folder; `report` receives progress lines. */
  move(requested: MoveRequest, report: (line: string) => void): Promise<object>;
  /** Declares the backlog void, while no service runs. */
  settle(reason: string): Promise<object>;
  /** Commands for a whole installation, in this process; loaded on first use. */
  upkeep(): Promise<Upkeep>;
}

/** `report` receives their progress. */
export interface Upkeep {
  /** Copies the installation of the data folder to a place. */
  backup(place: string, options: { readonly withKeys: boolean }, report: Report): Promise<BackupResult>;
  /** Makes a data folder of a backup. */
  restore(place: string, options: { readonly forgotten: string | undefined }, report: Report): Promise<RestoreResult>;
  /** Goes through all that is stored. */
  verify(report: Report): Promise<VerifyResult>;
  /** Compares the whole log with its tree and with every signed head. */
  audit(requested: AuditRequest, report: Report): Promise<AuditResult>;
  /** Looks for what is wrong, within some 15 s. */
  doctor(): Promise<Diagnosis>;
  /** Folds a projection's file over the history, and writes nothing. */
  tryProjection(requested: TryRequest, report: Report): Promise<TryResult>;
  /** Answers one statement of SQL; `from`: over an export in this folder. */
  query(requested: QueryRequest, from: string | undefined, take: TakeRows, report: Report): Promise<QueryDone>;
  /** Writes events as files. */
  exportEvents(requested: ExportRequest, report: Report): Promise<ExportResult>;
  /** Passes on events as they are appended, until it is interrupted or `take` returns false; returns the position of the last one. */
  tailEvents(requested: TailRequest, take: TakeEvent): Promise<TailResult>;
  /** Compares a read model with what the code makes of the history. */
  diffProjection(name: string, report: Report): Promise<DiffResult>;
}

interface Declared {
  readonly words: readonly string[];
  readonly about: string;
  readonly arguments?: readonly CliArgument[];
  readonly options?: Readonly<Record<string, CliOption>>;
  /** The result for people; `--json` gives it as it is. */
  text(result: never): Shown;
  /** True if it can be repeated by `--watch`, as reading commands can. */
  readonly watchable?: boolean;
  /** The list in its result, where it is one. */
  readonly list?: string;
  /** True if the result means failure, exit code 1. Default: never. */
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
    text(result: R): Shown;
    failed?(result: R): boolean;
    direct(typed: Typed, host: CliHost, terminal: Terminal): Promise<R>;
  },
): CliCommand => declared as unknown as CliCommand;

function sent(option: Option, typed: Typed, name: string, place: number): unknown {
  if (option.many || option.pair)
    return option.sendMany === undefined ? typed.all(name) : option.sendMany(typed.all(name));
  const one = option.argument === undefined ? typed.one(name) : typed.argument(place);
  return option.send === undefined ? one : option.send(one);
}

function eitherOf({ either, options }: AdminCommand, typed: Typed): void {
  if (either === undefined) return;
  const names = either.of.map((name) => typedName(name, options[name]!));
  const given = names.filter((name) => typed.one(name) !== undefined).length;
  if (given > 1) throw new UsageError(`--${names.join(' and --')} must not be given together`);
  if (given === 0 && either.required) throw new UsageError(`--${names.join(' or --')} is missing`);
}

/** A command of the operator as it is typed. */
export function typedCommand(declared: AdminCommand): CliCommand {
  const fields = Object.entries(declared.options);
  const byPlace = fields.filter(([, { argument }]) => argument !== undefined);
  const byName = fields.filter(([, { argument }]) => argument === undefined);
  return {
    words: declared.words,
    about: declared.about,
    arguments: byPlace.map(([, { argument, required }]) => ({ name: argument!, optional: required !== true })),
    options: Object.fromEntries(byName.map(([field, option]) => [typedName(field, option), option as CliOption])),
    admin: {
      command: declared.name,
      input(typed) {
        eitherOf(declared, typed);
        const place = (field: string): number => byPlace.findIndex(([name]) => name === field);
        return Object.fromEntries(
          fields.map(([field, option]) => [field, sent(option, typed, typedName(field, option), place(field))]),
        );
      },
    },
    text: declared.text,
    ...(declared.changes ? {} : { watchable: true }),
    ...defined({ follow: declared.follow, list: declared.list }),
  };
}
