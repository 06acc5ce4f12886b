/** API calls of the command line: with a time limit, and error sentences that describe the remedy. */
import type { Suuq } from '../../client/src/client.js';
import { SuuqConnectionError, SuuqProblem } from '../../client/src/problems.js';
import type { OperationSpec, Sent, Values } from '../../client/src/request.js';
import { type CallOptions, createTransport } from '../../client/src/transport.js';
import { DomainError, type FieldProblem, refuse } from '../../domain/decider.js';
import type { ApiTarget } from './apiTarget.js';

/** Longest wait for an answer, in ms. */
const ANSWER_MS = 15_000;
/** API version of the operations. */
const API_VERSION = 'v1';

/** Advice for a key that is invalid. */
const otherKey = (profile: string | undefined): string =>
  profile === undefined
    ? "It is the demo key, which was revoked. Log in with another key: 'suuq login'."
    : `Log in with another key: 'suuq login --profile ${profile}'.`;

function reasonOf(error: unknown): string {
  const cause =
    error instanceof Error ? (error.cause as { code?: unknown; message?: unknown; cause?: unknown }) : undefined;
  if (cause === undefined) return '';
  const within = cause.cause === undefined ? '' : reasonOf(cause);
  return within || (typeof cause.code === 'string' ? cause.code : String(cause.message ?? ''));
}

/** The same as a refusal of the command line's own. */
export function errorOfCall(error: unknown, { baseUrl, profile }: Pick<ApiTarget, 'baseUrl' | 'profile'>): unknown {
  if (error instanceof SuuqConnectionError) {
    const reason = reasonOf(error) || error.message;
    if (reason === 'bad port')
      return new DomainError(
        'service_unreachable',
        `Browsers and clients refuse the port of ${baseUrl}, which belongs to another protocol. Start the service with another PORT.`,
      );
    return new DomainError(
      'service_unreachable',
      `${baseUrl} does not answer like the API (${reason}). Start the service, or set its address with 'suuq login${profile === undefined ? '' : ` --profile ${profile}`} --url URL'.`,
    );
  }
  if (!(error instanceof SuuqProblem)) return error;
  const { code, detail, errors, requestId, status } = error;
  const request = requestId === undefined ? '' : ` (request ${requestId})`;
  const advice = status === 401 ? ` ${otherKey(profile)}` : '';
  return new DomainError(code, `${detail}${advice}${request}`, errors as readonly FieldProblem[]);
}

export type ApiCalls = (spec: OperationSpec, args?: Values, options?: CallOptions) => Promise<Sent>;

/** Refuses with the API's own codes, `service_unreachable` and `other_version`. */
export function apiCalls(at: ApiTarget): ApiCalls {
  const send = createTransport({ baseUrl: at.baseUrl, credential: at.key, timeoutMs: ANSWER_MS, retries: 1 });
  return async (spec, args = {}, options = {}) => {
    try {
      const sent = await send(spec, args, options);
      checkVersion(sent, at);
      return sent;
    } catch (error) {
      throw errorOfCall(error, at);
    }
  };
}

/** A service with another version of the API would be misunderstood. */
function checkVersion({ headers }: Sent, { baseUrl }: ApiTarget): void {
  const version = headers.get('api-version');
  if (version === API_VERSION) return;
  refuse(
    'other_version',
    `${baseUrl} ${version === null ? 'is not a Suuq service' : `has version ${version} of the API`}; this command line needs ${API_VERSION}. Use the command line of that release.`,
  );
}

/** Work with the typed client, whose failures are refused as those of `calling`. */
export async function withClient<R>(at: ApiTarget, work: (client: Suuq) => Promise<R>): Promise<R> {
  const { createClient } = await import('../../client/src/client.js');
  try {
    return await work(createClient({ baseUrl: at.baseUrl, credential: at.key, timeoutMs: ANSWER_MS, retries: 1 }));
  } catch (error) {
    throw errorOfCall(error, at);
  }
}
