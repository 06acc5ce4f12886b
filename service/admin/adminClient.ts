import { request } from 'node:http';
import { DomainError } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import type { AdminAnswer, AdminRequest } from './protocol.js';

/** Longest wait for an answer, in ms. A command itself never takes this long. */
const ANSWER_MS = 60_000;

/** No service listens at the socket (any more). */
export class NoService extends Error {
  override readonly name = 'NoService';
}

/** The connection ended without an answer. */
const ended = (): DomainError =>
  new DomainError(
    'service_ended',
    'The service ended before it answered. The command may or may not have run: check before you repeat it.',
  );

const late = (): DomainError =>
  new DomainError(
    'unavailable',
    `The service did not answer in ${ANSWER_MS / 1000} s. The command may still run: check before you repeat it.`,
  );

/** Codes of connecting to a socket that nobody serves. */
const GONE = new Set(['ENOENT', 'ECONNREFUSED']);

function exchange(socketPath: string, sent: AdminRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const outgoing = request({ socketPath, path: '/', method: 'POST', headers, timeout: ANSWER_MS }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
      response.on('error', () => reject(ended()));
    });
    outgoing.on('timeout', () => outgoing.destroy(late()));
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (error instanceof DomainError) reject(error);
      else reject(GONE.has(error.code ?? '') ? new NoService(error.message) : ended());
    });
    outgoing.end(JSON.stringify(sent));
  });
}

/**
 * Runs a command in the service that listens at the socket. `operator`: the account of the caller. Throws its refusal as DomainError,
 * NoService if there is none.
 */
export async function callService(
  socketPath: string,
  command: string,
  input: unknown,
  operator?: string,
): Promise<object> {
  const answer = JSON.parse(await exchange(socketPath, { command, input, ...defined({ operator }) })) as AdminAnswer;
  if ('error' in answer) throw new DomainError(answer.error.code, answer.error.detail, answer.error.problems);
  return answer.result;
}
