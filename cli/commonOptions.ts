/** Options that commands have without declaring them. */
import type { CliCommand, CliOption } from './command.js';

/** Option of every command. */
const JSON_OPTION: CliOption = { about: 'Print JSON on stdout, and errors as JSON on stderr.' };

/** Options of commands that can be repeated, and of lists. */
const LOOKING: Readonly<Record<string, CliOption>> = {
  watch: {
    value: 'SECONDS',
    bare: true,
    about: 'Refresh every SECONDS until interrupted. Default: 2.',
  },
};
const LISTING: Readonly<Record<string, CliOption>> = {
  limit: { value: 'N', about: 'Maximum number of rows.' },
  columns: { value: 'A,B', about: 'Columns to show, in this order.' },
};

/** All options of a command by what is typed after `--`, in the order of the help. */
export const optionsOf = ({ options = {}, watchable, list }: CliCommand): Readonly<Record<string, CliOption>> => ({
  ...options,
  ...(list === undefined ? {} : LISTING),
  ...(watchable ? LOOKING : {}),
  json: JSON_OPTION,
});

/** True if errors are for a script, even if the rest of the line is invalid. */
export function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).includes('--json');
}
