/**
 * The customer's phone of the sandbox. Requests of its page are forwarded to the sandbox if the viewer may see the
 * store of the number. It exists only with the sandbox as channel, and not for auditors, who change nothing.
 */

import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Viewer } from '../../application/console/access.js';
import type { ConsoleRole } from '../../domain/console/consoleEvents.js';
import { defined } from '../../domain/defined.js';
import { sendContinue } from '../../infrastructure/http/expectation.js';
import { type ChannelNumberBody, channelNumbers } from '../../projections/channelNumbers.js';
import { Refusal } from '../contract/problems.js';
import type { Services } from '../contract/services.js';
import type { Exchange } from '../http/exchange.js';
import { disposition } from '../http/fileAnswer.js';
import type { ConsoleNumberBody } from './contract.js';
import { type ConsoleOperation, consoleRead, notFound, seesStore, textOf } from './request.js';

export const PHONES: readonly ConsoleRole[] = ['operator', 'store', 'member'];
/** Longest wait for the sandbox, which waits for the service's webhook itself, in ms. */
const WITHIN_MS = 20_000;
/** A file of 16 MB as base64 in JSON, and the rest: what the sandbox takes. */
const MOST_BYTES = 24 * 1024 * 1024;
/** Longest error message of the sandbox that is passed on, in characters. */
const LONGEST_REASON = 300;
const MOST_NUMBERS = 20;

type Params = Readonly<Record<string, string>>;
type Found = Pick<ChannelNumberBody, 'phoneNumberId' | 'catalogId'>;

interface PhoneRoute {
  readonly method: 'GET' | 'POST';
  /** Below `/sandbox/numbers/{number}`. */
  readonly path: string;
  /** Returns the path of the sandbox. */
  target(number: Found, params: Params): string;
}

const part = (params: Params, name: string): string => encodeURIComponent(params[name] ?? '');
const chat = ({ phoneNumberId }: Found, params: Params): string =>
  `/sandbox/numbers/${encodeURIComponent(phoneNumberId)}/customers/${part(params, 'customer')}`;
const acting = (act: string): PhoneRoute => ({
  method: 'POST',
  path: `/customers/:customer/${act}`,
  target: (number, params) => `${chat(number, params)}/${act}`,
});

/** The sandbox's routes that the page may use. All others are refused. */
const ROUTES: readonly PhoneRoute[] = [
  {
    method: 'GET',
    path: '/items',
    target: ({ catalogId }) => `/sandbox/catalogs/${encodeURIComponent(catalogId)}/items`,
  },
  {
    method: 'GET',
    path: '/customers',
    target: ({ phoneNumberId }) => `/sandbox/numbers/${encodeURIComponent(phoneNumberId)}/customers`,
  },
  {
    method: 'GET',
    path: '/customers/:customer/messages',
    target: (number, params) => `${chat(number, params)}/messages?all=1`,
  },
  acting('messages'),
  acting('read'),
  acting('calls'),
];

const MEDIA = '/customers/:customer/media/:media';

export interface Phone {
  /** Returns the numbers of a store. */
  numbers(viewer: Viewer, workspaceId: string): Promise<{ readonly numbers: readonly ConsoleNumberBody[] }>;
  readonly routes: readonly {
    readonly method: 'GET' | 'POST';
    readonly path: string;
    readonly id: string;
    answer(exchange: Exchange, params: Params, viewer: Viewer): Promise<number>;
  }[];
}

/** The body as it comes; refuses what is larger than the sandbox takes, announced or not. */
async function* bounded(request: IncomingMessage): AsyncGenerator<Buffer> {
  let bytes = 0;
  sendContinue(request);
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw tooLarge();
    yield chunk;
  }
}

const tooLarge = (): Refusal => new Refusal('payload_too_large', `The body is larger than ${MOST_BYTES} bytes.`);

/** Converts an error answer of the sandbox to a refusal. */
async function refusalOf(answer: Response): Promise<Refusal> {
  const body = (await answer.json().catch(() => ({}))) as { readonly error?: string | { readonly message?: string } };
  const text = typeof body.error === 'string' ? body.error : body.error?.message;
  const reason = String(text ?? `The sandbox answered ${answer.status}.`).slice(0, LONGEST_REASON);
  if (answer.status === 404) return new Refusal('not_found', reason);
  return answer.status < 500 ? new Refusal('validation_failed', reason) : new Refusal('unavailable', reason);
}

async function fetchSandbox(url: string, request?: IncomingMessage): Promise<Response> {
  if (Number(request?.headers['content-length'] ?? 0) > MOST_BYTES) throw tooLarge();
  const sent = request && {
    method: 'POST',
    headers: { 'content-type': request.headers['content-type'] ?? 'application/octet-stream' },
    body: Readable.toWeb(Readable.from(bounded(request))) as ReadableStream,
    duplex: 'half' as const,
  };
  let answer: Response;
  try {
    answer = await fetch(url, { ...sent, redirect: 'error', signal: AbortSignal.timeout(WITHIN_MS) });
  } catch (error) {
    for (const found of [error, (error as Error).cause]) if (found instanceof Refusal) throw found;
    throw new Refusal('unavailable', 'The sandbox is unavailable. Check that it runs, then try again.');
  }
  if (!answer.ok) throw await refusalOf(answer);
  return answer;
}

/** `sandboxUrl`: without a slash at its end. */
export function phoneOf({ reads }: Pick<Services, 'reads'>, sandboxUrl: string): Phone {
  /** A number of a store that the viewer sees; others are as unknown as none. */
  async function numberOf(params: Params, viewer: Viewer): Promise<Found> {
    const found = await reads.get(channelNumbers, params.number ?? '');
    if (found === undefined || !seesStore(viewer, found.body.workspaceId)) return notFound('number');
    return found.body;
  }

  /** A file of the chat; one of another chat is as unknown as none. */
  async function sendMedia(exchange: Exchange, params: Params, viewer: Viewer): Promise<number> {
    const number = await numberOf(params, viewer);
    const listed = await fetchSandbox(`${sandboxUrl}${chat(number, params)}/messages?all=1`);
    const { messages } = (await listed.json()) as { messages: readonly { file?: { id?: string } }[] };
    if (!messages.some(({ file }) => file?.id === params.media)) return notFound('file');
    const { headers, body } = await fetchSandbox(`${sandboxUrl}/sandbox/media/${part(params, 'media')}`);
    const type = headers.get('content-type') ?? 'application/octet-stream';
    const fields = {
      'Content-Type': type,
      'Cache-Control': 'private, max-age=3600',
      'Content-Disposition': disposition('file', type),
      // Nothing of a file is ever run, whatever a browser takes it for.
      'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      ...defined({ 'Content-Length': headers.get('content-length') ?? undefined }),
    };
    await exchange.stream(200, fields, body ? Readable.fromWeb(body as ReadableStream) : undefined);
    return 200;
  }

  return {
    async numbers(viewer, workspaceId) {
      if (!seesStore(viewer, workspaceId)) return notFound('store');
      const found = await reads.find(channelNumbers, { where: { workspaceId }, limit: MOST_NUMBERS });
      return {
        numbers: found.map(({ body: { phoneNumberId, displayPhoneNumber } }) => ({
          phoneNumberId,
          displayPhoneNumber,
        })),
      };
    },
    routes: [
      ...ROUTES.map(({ method, path, target }) => ({
        method,
        path: `/sandbox/numbers/:number${path}`,
        id: `console.phone${method === 'GET' ? 'Read' : 'Act'}`,
        async answer(exchange: Exchange, params: Params, viewer: Viewer): Promise<number> {
          const url = sandboxUrl + target(await numberOf(params, viewer), params);
          const answer = await fetchSandbox(url, method === 'POST' ? exchange.request : undefined);
          const text = await answer.text();
          const status = text === '' ? 204 : 200;
          exchange.answer(status, text === '' ? undefined : text);
          return status;
        },
      })),
      { method: 'GET', path: `/sandbox/numbers/:number${MEDIA}`, id: 'console.phoneRead', answer: sendMedia },
    ],
  };
}

/** The numbers of a store (`workspace`): none without a sandbox. */
export const phoneOperations = (phone: Phone | undefined): readonly ConsoleOperation[] => [
  consoleRead({
    id: 'console.listPhoneNumbers',
    path: '/phone',
    roles: PHONES,
    answer: async ({ viewer, query }) =>
      (await phone?.numbers(viewer, textOf(query, 'workspace') ?? '')) ?? { numbers: [] },
  }),
];
