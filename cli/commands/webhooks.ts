/** For who receives webhooks: commands that need neither a data folder nor a service. */

import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { verify } from '../../application/webhooks/verification.js';
import { DomainError } from '../../domain/decider.js';
import { messageOf } from '../../engine/messageOf.js';
import { UsageError } from '../../service/admin/declaration.js';
import { type CliCommand, directCommand, type Terminal, type Typed } from '../command.js';
import { untilStopped } from '../untilStopped.js';
import type { Heard } from '../webhooks/listener.js';

const PORT = 4020;

const secretOptions = {
  'secret-env': { value: 'NAME', about: 'Environment variable with the signing secret.' },
  'secret-file': { value: 'FILE', about: 'File with the signing secret.' },
} as const;

function readable(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new DomainError('file_unreadable', messageOf(error));
  }
}

/** Never an argument: those can be seen by every user of the machine. */
function secretOf(typed: Typed): string {
  const [name, path] = [typed.one('secret-env'), typed.one('secret-file')];
  if ((name === undefined) === (path === undefined)) throw new UsageError('give --secret-env or --secret-file');
  const secret = (name === undefined ? readable(path!).toString() : (process.env[name] ?? '')).trim();
  if (secret === '') throw new UsageError(`${name ?? path} contains no secret`);
  return secret;
}

function numberOf(typed: Typed, option: string, absent: number, most: number): number {
  const text = typed.one(option);
  if (text === undefined) return absent;
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= most))
    throw new UsageError(`--${option} must be from 0 to ${most}`);
  return value;
}

function heardText({ at, answered, reason, attempt, again, event }: Heard): string {
  if (event === undefined) return `${at}  ${answered}  refused: ${reason}\n`;
  const { type, id } = event as { type?: unknown; id?: unknown };
  const notes = [`attempt ${attempt}`, ...(again ? ['repeated'] : []), ...(reason === undefined ? [] : [reason])].join(
    ', ',
  );
  return `${at}  ${answered}  ${JSON.stringify(type)} ${JSON.stringify(id)}  verified (${notes})\n${JSON.stringify(event, undefined, 2)}\n`;
}

async function listen(typed: Typed, terminal: Terminal, asJson: boolean): Promise<object> {
  const port = numberOf(typed, 'port', PORT, 65_535);
  const failRate = numberOf(typed, 'fail-rate', 0, 1);
  let count = 0;
  // Its server is loaded for this command alone.
  const { startListener } = await import('../webhooks/listener.js');
  const secret = secretOf(typed);
  const listener = await startListener({
    host: '127.0.0.1',
    port,
    failRate,
    secret,
    heard(one) {
      count++;
      terminal.out(asJson ? `${JSON.stringify(one)}\n` : heardText(one));
    },
  });
  terminal.out(asJson ? `${JSON.stringify({ listening: listener.url })}\n` : `Listening at ${listener.url}\n`);
  await untilStopped();
  await listener.close();
  return { received: count };
}

const HEADER = /^service-signature\s*:/i;

/** The header's value, from lines as they were captured, in any order, or from the value alone. */
function signatureIn(headers: readonly string[]): string {
  const line = headers.find((header) => HEADER.test(header)) ?? headers.find((header) => header.startsWith('t='));
  if (line === undefined) throw new UsageError("--header 'Service-Signature: t=…,v1=…' is missing");
  return line.replace(HEADER, '').trim();
}

export const webhookCommands: readonly CliCommand[] = [
  directCommand<{ received: number }>({
    words: ['webhooks', 'listen'],
    about: 'Receive and verify webhooks, with failures on demand.',
    options: {
      ...secretOptions,
      port: { value: 'PORT', about: `Port on 127.0.0.1. Default: ${PORT}. 0: any free port.` },
      'fail-rate': { value: 'SHARE', about: 'Share of deliveries to answer with 500, from 0 to 1.' },
    },
    direct: (typed, _host, terminal) =>
      listen(typed, terminal, typed.one('json') === 'true') as Promise<{ received: number }>,
    text: ({ received }) => `${received} received.`,
  }),
  directCommand<{ valid: true; signedAt: string }>({
    words: ['webhooks', 'verify'],
    about: 'Verify the signature of a captured delivery (file or stdin).',
    arguments: [{ name: 'body', optional: true }],
    options: {
      ...secretOptions,
      header: {
        value: "'NAME: VALUE'",
        about: 'The header Service-Signature. Other headers are ignored.',
        required: true,
        many: true,
      },
    },
    async direct(typed) {
      const secret = secretOf(typed);
      const header = signatureIn(typed.all('header'));
      const path = typed.argument(0);
      const raw = path === undefined ? await buffer(process.stdin) : readable(path);
      const verdict = verify({ header, raw, secret });
      if (!verdict.valid) throw new DomainError('signature_invalid', `${verdict.reason}.`);
      return { valid: true, signedAt: new Date(verdict.signedAt * 1000).toISOString() };
    },
    text: ({ signedAt }) => `Valid, signed at ${signedAt}.`,
  }),
];
