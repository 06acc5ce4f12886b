/** Any request of the API, for who tries it out or writes a script. */
import { openAsBlob, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import type { FileAnswer } from '../../client/src/files.js';
import type { OperationSpec, Sent, Values } from '../../client/src/request.js';
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { UsageError } from '../../service/admin/declaration.js';
import { type CliCommand, directCommand, type Typed } from '../command.js';
import { type ApiTarget, apiTarget, PROFILE_OPTION } from '../remote/apiTarget.js';

const unreadable = (path: string, error: unknown): never =>
  refuse('file_unreadable', `${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);

/** JSON as it is typed, in a file (`@FILE`), or on standard input (`-`). Throws UsageError. */
async function jsonTyped(typed: string): Promise<unknown> {
  const path = typed.startsWith('@') ? typed.slice(1) : undefined;
  let text = typed;
  if (typed === '-') text = await textOf(process.stdin);
  else if (path !== undefined)
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      unreadable(path, error);
    }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${path ?? '-d'} is not JSON: ${(error as Error).message}`);
  }
}

/** The file to upload. Throws UsageError. */
async function fileTyped(typed: string) {
  if (!typed.startsWith('@')) throw new UsageError('this operation needs a file: -d @FILE');
  const path = typed.slice(1);
  const content = await openAsBlob(path).catch((error) => unreadable(path, error));
  return { content, filename: basename(path) };
}

async function bodyTyped(spec: OperationSpec, typed: string | undefined): Promise<Values> {
  if (typed === undefined) {
    if (spec.body === 'file') throw new UsageError('this operation needs a file: -d @FILE');
    return {};
  }
  if (spec.body === undefined) throw new UsageError(`${spec.method} ${spec.path} has no body`);
  return spec.body === 'file' ? { file: await fileTyped(typed) } : { body: await jsonTyped(typed) };
}

async function specOf(typed: Typed, at: ApiTarget): Promise<{ spec: OperationSpec; args: Values }> {
  const { METHODS, argumentsOf, operationNamed, requestTyped, valuesTyped } = await import('../remote/operations.js');
  const [first, path] = [typed.argument(0)!, typed.argument(1)];
  const values = valuesTyped(typed.all('query'));
  const data = typed.one('data');
  if (METHODS.some((method) => method === first.toLowerCase())) {
    if (path === undefined) throw new UsageError('<PATH> is missing, such as /partner/stores');
    const spec = requestTyped(first.toUpperCase(), path, Object.keys(values));
    return { spec, args: { ...values, ...(await bodyTyped(spec, data)) } };
  }
  const spec = operationNamed(first);
  if (path !== undefined)
    throw new UsageError(`'${path}' is an unexpected argument: pass parameters of ${first} as -q NAME=VALUE`);
  const args = argumentsOf(first, spec, values, at.workspaceId);
  return { spec, args: { ...args, ...(await bodyTyped(spec, data)) } };
}

interface Answered {
  readonly sent: Sent;
  readonly include: boolean;
  /** Path of the written file. */
  readonly file?: string;
}

/** Printed parts: the body, with `--include` preceded by status and header fields. */
function shownOf({ sent: { status, headers, body }, include, file }: Answered): object {
  const text = file === undefined ? body : { file };
  if (include) return { status, headers: Object.fromEntries(headers), ...defined({ body: text }) };
  return text === undefined || text === null ? { status } : (text as object);
}

async function saved(answer: FileAnswer, path: string): Promise<string> {
  const file = await open(path, 'wx').catch((error: NodeJS.ErrnoException) =>
    refuse('file_unwritable', `${path} cannot be written (${error.code}). Existing files are not overwritten.`),
  );
  try {
    for await (const chunk of answer.stream ?? []) await file.write(chunk);
  } finally {
    await file.close();
  }
  return path;
}

export const apiCommands: readonly CliCommand[] = [
  directCommand<object>({
    words: ['api'],
    about: 'Call the API, by method and path or by the name of an operation.',
    arguments: [
      {
        name: 'METHOD|OPERATION',
        async values() {
          const { METHODS, operationNames } = await import('../remote/operations.js');
          return [...METHODS, ...operationNames()];
        },
      },
      { name: 'PATH', optional: true },
    ],
    options: {
      query: {
        value: 'NAME=VALUE',
        short: 'q',
        about: 'Query parameter; for an operation, also a path parameter. Repeatable.',
        many: true,
      },
      data: { value: 'JSON|@FILE', short: 'd', about: 'Request body: JSON, @FILE, or - for standard input.' },
      'idempotency-key': { value: 'KEY', about: 'Idempotency key, one per thing to create. Default: a new one.' },
      include: { short: 'i', about: 'Also print the status and the headers.' },
      output: { value: 'FILE', short: 'o', about: 'New file to save the response to.' },
      ...PROFILE_OPTION,
    },
    async direct(typed, { env = {} }) {
      const at = apiTarget(env, typed.one('profile'));
      const { spec, args } = await specOf(typed, at);
      const output = typed.one('output');
      if ((output === undefined) === (spec.answer === 'file'))
        throw new UsageError(
          output === undefined
            ? 'the response is a file: set --output FILE'
            : 'the response is not a file: remove --output',
        );
      const { apiCalls: calling } = await import('../remote/apiCalls.js');
      const sent = await calling(at)(spec, args, defined({ idempotencyKey: typed.one('idempotency-key') }));
      const file = output === undefined ? undefined : await saved(sent.body as FileAnswer, output);
      return shownOf({ sent, include: typed.one('include') !== undefined, ...defined({ file }) });
    },
    text: (result) => JSON.stringify(result, undefined, 2),
  }),
];
