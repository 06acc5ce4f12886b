/**
 * The commands of `suuq admin`, by the same names: GET for commands that only read, POST for those that change
 * something. Operators may run all of them, auditors those that only read, members of a store those with `forStore`,
 * for that store.
 */
import type { Viewer } from '../../application/console/access.js';
import { DomainError } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { isProblemCode, Refusal } from '../contract/problems.js';
import type { ConsoleCommandAnswerBody, ConsoleCommandBody } from './contract.js';
import {
  type ConsoleOperation,
  type ConsoleRequest,
  consoleAct,
  consoleRead,
  notFound,
  OPERATOR,
  onlyStoreOf,
  wrong,
} from './request.js';

/** A command of `suuq admin`, with its access for members of a store. */
export interface ConsoleCommand extends ConsoleCommandBody {
  readonly forStore: boolean;
}

export interface ConsoleCommands {
  readonly all: readonly ConsoleCommand[];
  /**
   * Runs one by what was typed. `operator`: who gave it, for the events; `seed`: as ConsoleRequest has it; `file`: where it takes one.
   * Refuses as the command does.
   */
  run(
    name: string,
    typed: Readonly<Record<string, unknown>>,
    caller: { readonly operator: string; readonly seed?: string },
    file?: Buffer,
  ): Promise<ConsoleCommandAnswerBody>;
}

/** The field by which a command is about one store. */
const STORE = 'workspace';

const shown = ({ forStore: _, ...body }: ConsoleCommand): ConsoleCommandBody => body;

/** Without the choice of a store, and of whom else it could be about. */
function ofOneStore({ either, ...body }: ConsoleCommandBody): ConsoleCommandBody {
  const taken: readonly string[] = [STORE, ...(either?.of ?? [])];
  return { ...body, fields: body.fields.filter(({ name }) => !taken.includes(name)) };
}

/** Returns the commands that this person may run. */
function offeredTo({ role }: Viewer, all: readonly ConsoleCommand[]): readonly ConsoleCommandBody[] {
  if (role === 'operator') return all.map(shown);
  const reads = all.filter(({ changes }) => !changes);
  return role === 'auditor'
    ? reads.map(shown)
    : reads
        .filter(({ forStore }) => forStore)
        .map(shown)
        .map(ofOneStore);
}

/** Reads the fields of a command from a query. Refuses a field that the command does not have. */
function typedIn(query: URLSearchParams, { fields }: ConsoleCommandBody): Record<string, string | readonly string[]> {
  const typed: Record<string, string | readonly string[]> = {};
  for (const name of new Set(query.keys())) {
    const field = fields.find((one) => one.name === name) ?? wrong(name, 'is not known');
    typed[name] = field.many ? query.getAll(name) : query.get(name)!;
  }
  return typed;
}

/** As events name who gave a command in the console. */
const accountOf = ({ role, sessionId }: Viewer): string => `console-${role}-${sessionId.slice(0, 8)}`;

/**
 * Rethrows an error of a command. A code that the API does not have is the command's own, and the console shows its
 * sentence.
 */
export function refused(error: unknown): never {
  if (error instanceof DomainError && !isProblemCode(error.code))
    throw new Refusal('command_refused', error.message, { problems: error.problems, members: { reason: error.code } });
  throw error;
}

export function commandOperations(commands: ConsoleCommands): readonly ConsoleOperation[] {
  const commandOf = (name: string, viewer: Viewer): ConsoleCommandBody =>
    offeredTo(viewer, commands.all).find((one) => one.name === name) ?? notFound('command');
  const run = (
    name: string,
    typed: Readonly<Record<string, unknown>>,
    { viewer, seed }: Pick<ConsoleRequest, 'viewer' | 'seed'>,
    file?: Buffer,
  ) => commands.run(name, typed, { operator: accountOf(viewer), ...defined({ seed }) }, file).catch(refused);
  return [
    consoleRead({
      id: 'console.listCommands',
      path: '/commands',
      silent: true,
      answer: async ({ viewer }) => ({ commands: offeredTo(viewer, commands.all) }),
    }),
    consoleRead({
      id: 'console.askCommand',
      path: '/commands/{name}',
      async answer({ params, query, viewer }) {
        const command = commandOf(params.name!, viewer);
        if (command.changes) return notFound('command that only reads');
        const own = defined({ [STORE]: onlyStoreOf(viewer) });
        return run(command.name, { ...typedIn(query, command), ...own }, { viewer });
      },
    }),
    consoleAct({
      id: 'console.giveCommand',
      path: '/commands/{name}',
      roles: OPERATOR,
      async answer(request) {
        const { params, body, viewer } = request;
        const { name, changes, secrets = [] } = commandOf(params.name!, viewer);
        if (!changes) return notFound('command that changes something');
        const answer = await run(name, body, request);
        if (secrets.length === 0) return { answer };
        const retained = Object.entries(answer.result).filter(([field]) => !secrets.includes(field));
        // Secrets are shown once and never stored.
        const shown = 'This command already ran. Its one-time output is not stored.';
        return { answer, stored: { result: Object.fromEntries(retained), shown } };
      },
    }),
    consoleAct({
      id: 'console.giveCommandFile',
      path: '/commands/{name}/file',
      roles: OPERATOR,
      file: ({ params, viewer }) =>
        commandOf(params.name!, viewer).upload?.mostBytes ?? notFound('command that takes a file'),
      async answer(request) {
        const { params, query, body, viewer } = request;
        const command = commandOf(params.name!, viewer);
        return { answer: await run(command.name, typedIn(query, command), request, body.file as Buffer) };
      },
    }),
  ];
}
