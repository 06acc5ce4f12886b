/** Requests that Node's HTTP server would refuse by itself, or accept: each gets a problem with a request id. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { endSocket } from '../../infrastructure/http/connections.js';
import { bodyAnnounced } from '../../infrastructure/http/expectation.js';
import { type ProblemCode, Refusal } from '../contract/problems.js';
import type { PipelineContext } from '../http/context.js';
import { challenge } from '../http/sessionAccess.js';
import { rawProblem, refused } from '../http/unroutedRequests.js';

type Words = readonly [status: string, code: ProblemCode, detail: string];

/** Values of a field as they were sent, of which Node keeps the first. */
function sentValues({ rawHeaders }: IncomingMessage, name: string): Set<string> {
  const values = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]!.length === name.length && rawHeaders[at]!.toLowerCase() === name)
      values.add(rawHeaders[at + 1]!);
  return values;
}

const isRepeated = ({ rawHeaders }: IncomingMessage, name: string): boolean => {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]!.length === name.length && rawHeaders[at]!.toLowerCase() === name) count += 1;
  return count > 1;
};

/** Most bytes of a request line and the header fields together. */
const MOST_HEAD = 16_384;
/** Half of that: a longer request line is what is too long. */
const LONG_LINE = 8192;
/** Node reads twice as much, so that it is known which of the two is too long however the bytes are cut into packets. */
const READ_HEAD = 2 * MOST_HEAD;

const LONG_TARGET: Words = ['414 URI Too Long', 'uri_too_long', 'The URL of the request is too long.'];
const LONG_HEADERS: Words = [
  '431 Request Header Fields Too Large',
  'header_fields_too_large',
  'The header fields of the request are too large.',
];

/** Refuses a head that is too long, and ends the connection. */
function longHead({ url = '', rawHeaders }: IncomingMessage): Refusal | undefined {
  let length = url.length;
  for (const text of rawHeaders) length += text.length;
  if (length <= MOST_HEAD) return undefined;
  const [, code, detail] = url.length > LONG_LINE ? LONG_TARGET : LONG_HEADERS;
  return new Refusal(code, detail, { headers: { Connection: 'close' } });
}

/** Why a request that Node has read is none that can be answered; undefined: it can. */
function refusalOf(request: IncomingMessage): Refusal | undefined {
  const { headers, httpVersion } = request;
  const long = longHead(request);
  if (long !== undefined) return long;
  if (headers.host === undefined && httpVersion === '1.1')
    return new Refusal('malformed_request', 'The request has no Host header field.');
  if (isRepeated(request, 'host'))
    return new Refusal('malformed_request', 'The request has more than one Host header field.');
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked')
    return new Refusal('transfer_coding_not_supported', 'The only supported transfer coding is chunked.', {
      headers: { Connection: 'close' },
    });
  if (isRepeated(request, 'authorization') && sentValues(request, 'authorization').size > 1)
    return new Refusal(
      'unauthenticated',
      'The request has conflicting Authorization header fields. Send one.',
      challenge('invalid_request'),
    );
  return undefined;
}

const NOT_HTTP: Words = ['400 Bad Request', 'malformed_body', 'The request is not well-formed HTTP/1.1.'];
const BY_CODE: Readonly<Record<string, Words>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'request_timeout', 'The request did not arrive in time.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    '413 Payload Too Large',
    'payload_too_large',
    'The extensions of the chunks of the body are too large.',
  ],
  HPE_INVALID_TRANSFER_ENCODING: [
    '501 Not Implemented',
    'transfer_coding_not_supported',
    'The only supported transfer coding is chunked.',
  ],
};
/** True if the request line is too long, as far as the last packet shows it: it holds the whole line, or a part without a blank. */
function isLongTarget(packet: Buffer | undefined): boolean {
  if (packet === undefined) return false;
  if (!/^[A-Z]+ \//.test(packet.toString('latin1', 0, 20))) return /^[!-~]+$/.test(packet.toString('latin1'));
  const end = packet.indexOf('\r\n');
  return (end === -1 ? packet.length : end) > LONG_LINE;
}

/** Answers requests that are not HTTP, or too slow, as a problem, and closes the connection. */
function notHttp(error: { code?: string; rawPacket?: Buffer }, socket: Socket, baseUrl: string): void {
  const { code = '', rawPacket } = error;
  const overflow = isLongTarget(rawPacket) ? LONG_TARGET : LONG_HEADERS;
  const [status, problem, detail] = code === 'HPE_HEADER_OVERFLOW' ? overflow : (BY_CODE[code] ?? NOT_HTTP);
  // Words in the middle of an answer would be taken for a part of it; only Node knows that there is one.
  const answering = (socket as { _httpMessage?: { headersSent: boolean } | null })._httpMessage?.headersSent === true;
  const isHeard = code !== 'ECONNRESET' && !answering;
  endSocket(socket, isHeard ? rawProblem(status, new Refusal(problem, detail), baseUrl) : undefined);
}

/** For `createServer`: a missing Host and a long head are refused here. */
export const OWN_REFUSALS = { requireHostHeader: false, maxHeaderSize: READ_HEAD } as const;

/** Gives a server its listener, and answers what never reaches it. */
export function serveOn(server: Server, listener: RequestListener, context: PipelineContext): void {
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const refusal = refusalOf(request);
    if (refusal === undefined) listener(request, response);
    else refused(request, response, context, refusal);
  };
  server.on('request', serve);
  server.on('checkContinue', (request, response) => {
    bodyAnnounced(request, response);
    serve(request, response);
  });
  server.on('checkExpectation', (request, response) =>
    refused(
      request,
      response,
      context,
      new Refusal('expectation_failed', 'The only supported expectation is 100-continue.'),
    ),
  );
  server.on('connect', (_request, socket) => {
    const refusal = new Refusal('method_not_allowed', 'This service is not a proxy.', { headers: { Allow: '' } });
    endSocket(socket as Socket, rawProblem('405 Method Not Allowed', refusal, context.baseUrl()));
  });
  server.on('clientError', (error: { code?: string }, socket) => notHttp(error, socket as Socket, context.baseUrl()));
}
