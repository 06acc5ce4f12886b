/** A secret from the user, never as an argument, which every user of the machine could see. */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { refuse } from '../../domain/decider.js';
import { boundedBytes } from '../../infrastructure/http/boundedBytes.js';
import { UsageError } from '../../service/admin/declaration.js';
import type { Env } from '../../service/settings/environment.js';
import type { CliOption, Typed } from '../command.js';

export const KEY_OPTIONS = {
  'key-env': { value: 'NAME', about: 'Environment variable with the key.' },
  'key-file': {
    value: 'FILE',
    about: 'File with the key. Default: a prompt, or standard input.',
  },
} as const satisfies Readonly<Record<string, CliOption>>;

/** More is no key, in bytes. */
const MOST_BYTES = 4_096;

/** Reads a line without echo. */
async function readSecret(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  process.stderr.write(question);
  const reader = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await new Promise<string>((resolve, reject) => {
      reader.question('').then(resolve, reject);
      reader.once('SIGINT', () => reject(new UsageError('the key is missing')));
      reader.once('close', () => reject(new UsageError('the key is missing')));
    });
  } finally {
    reader.close();
    process.stderr.write('\n');
  }
}

async function fromInput(): Promise<string> {
  const bytes = await boundedBytes(process.stdin, MOST_BYTES);
  if (bytes === undefined) throw new UsageError('standard input is not a key');
  return bytes.toString('utf8');
}

function fromFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    return refuse('file_unreadable', `${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** A secret key. Throws UsageError for what is none. */
export async function readKey(typed: Typed, env: Env): Promise<string> {
  const [name, path] = [typed.one('key-env'), typed.one('key-file')];
  if (name !== undefined && path !== undefined) throw new UsageError('give --key-env or --key-file, not both');
  const given = (): Promise<string> => (process.stdin.isTTY ? readSecret('Secret key (psk_… or sk_…): ') : fromInput());
  const text = name !== undefined ? (env[name] ?? '') : path !== undefined ? fromFile(path) : await given();
  const key = text.trim();
  if (key === '') throw new UsageError(`${name ?? path ?? 'standard input'} contains no key`);
  if (!/^p?sk_(live|test)_[\w-]+$/.test(key))
    throw new UsageError('not a secret key: it must begin with psk_ (partner) or sk_ (store)');
  return key;
}
