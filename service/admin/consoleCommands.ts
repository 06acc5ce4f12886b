/** The commands of `suuq admin` for the console: what a form needs of each, and running one by what was typed into it. */

import { Readable } from 'node:stream';
import type { ConsoleCommands } from '../../api/console/commands.js';
import type { ConsoleCommandBody, ConsoleCommandFieldBody, ConsoleShown } from '../../api/console/contract.js';
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { adminCommands, executeAdmin } from './adminCommands.js';
import type { AdminContext } from './context.js';
import { type AdminCommand, type Option, typedName, UsageError } from './declaration.js';
import { refuseInput } from './input.js';
import type { Shown } from './text.js';

const offered: readonly AdminCommand[] = adminCommands.filter(({ words }) => words[0] === 'admin');

function fieldOf([name, option]: readonly [string, Option]): ConsoleCommandFieldBody {
  const { argument, value = '', about = '', required, many, choices, from } = option;
  return {
    ...{ name, typedAs: argument ?? `--${typedName(name, option)}`, value, about },
    ...{ required: required === true, many: many === true },
    ...defined({ choices }),
    ...(from === 'json' && { json: true }),
  };
}

/** It works with a file of the machine, or goes on part by part. */
const isOfMachine = ({ options, follow, upload }: AdminCommand): boolean =>
  follow !== undefined || (upload === undefined && Object.values(options).some(({ from }) => from === 'file'));

const described = (command: AdminCommand): ConsoleCommandBody => {
  const { name, words, about, changes, options, either, list, upload, final, secrets } = command;
  return {
    ...{ name, typed: ['suuq', ...words].join(' '), about, changes },
    fields: Object.entries(options).map(fieldOf),
    ...defined({ either, list, upload, final, secrets }),
    ...(isOfMachine(command) && { machine: true }),
  };
};

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** A field's value as the command line would send it. Throws UsageError. */
function sent(name: string, { many, from, send, sendMany }: Option, typed: unknown): unknown {
  const wrong = (must: string): never => refuseInput([{ location: name, message: must }]);
  if (many === true) {
    const all = typed === undefined ? [] : isTexts(typed) ? typed : wrong('must be a list of strings');
    return sendMany === undefined ? all : sendMany(all);
  }
  if (typed !== undefined && typeof typed !== 'string') return wrong('must be a string');
  if (from !== 'json') return send === undefined ? typed : send(typed);
  try {
    return typed === undefined ? undefined : JSON.parse(typed);
  } catch {
    return wrong('must be JSON');
  }
}

function inputOf(command: AdminCommand, typed: Readonly<Record<string, unknown>>): object {
  const unknown = Object.keys(typed).filter((name) => !Object.hasOwn(command.options, name));
  if (unknown.length > 0) refuseInput(unknown.map((location) => ({ location, message: 'is not known' })));
  try {
    return Object.fromEntries(
      Object.entries(command.options).map(([name, option]) => [name, sent(name, option, typed[name])]),
    );
  } catch (error) {
    if (error instanceof UsageError) return refuse('validation_failed', `${error.message}.`);
    throw error;
  }
}

/** The same, but for the file that was sent along, which the command then reads in place of one of the machine. */
function withFile(context: AdminContext, content: Buffer): AdminContext {
  const open = async () => ({ size: content.length, content: Readable.from([content]) });
  return { ...context, localFiles: { ...context.localFiles, open } };
}

/** `context`: once the service has one. */
export function commandsForConsole(context: () => AdminContext): ConsoleCommands {
  const byName = new Map(offered.map((command) => [command.name, command]));
  return {
    all: offered.map((command) => ({ ...described(command), forStore: command.forStore === true })),
    async run(name, typed, caller, file) {
      const command = byName.get(name) ?? refuse('not_found', `Unknown command ${name}.`);
      if (isOfMachine(command))
        refuse('not_found', `${command.name} is only available on the command line of its machine.`);
      const { upload } = command;
      if (upload !== undefined && (file === undefined || Object.hasOwn(typed, upload.field)))
        refuseInput([{ location: upload.field, message: 'must be sent as a file' }]);
      if (upload === undefined && file !== undefined)
        refuse('validation_failed', `${command.name} does not accept a file.`);
      const sentAs = upload === undefined ? typed : { ...typed, [upload.field]: upload.field };
      const result = await executeAdmin(
        file === undefined ? context() : withFile(context(), file),
        name,
        inputOf(command, sentAs),
        caller,
      );
      const shown: Shown = command.text(result as never);
      return { result: result as Record<string, unknown>, shown: shown as ConsoleShown };
    },
  };
}
