/** How a gRPC call that was made by hand has ended, in the errors of gRPC's own client. */
import { constants, type IncomingHttpHeaders, type IncomingHttpStatusHeader } from 'node:http2';
import { Metadata, type ServiceError, status } from '@grpc/grpc-js';

type Headers = IncomingHttpHeaders & IncomingHttpStatusHeader;

const OK = 200;
/** Statuses for HTTP errors of a proxy, or of a server without gRPC. */
const BY_HTTP: ReadonlyMap<number, status> = new Map([
  [400, status.INTERNAL],
  [401, status.UNAUTHENTICATED],
  [403, status.PERMISSION_DENIED],
  [404, status.UNIMPLEMENTED],
  [429, status.UNAVAILABLE],
  [502, status.UNAVAILABLE],
  [503, status.UNAVAILABLE],
  [504, status.UNAVAILABLE],
]);
const BY_RESET: ReadonlyMap<number, status> = new Map([
  [constants.NGHTTP2_REFUSED_STREAM, status.UNAVAILABLE],
  [constants.NGHTTP2_CANCEL, status.CANCELLED],
  [constants.NGHTTP2_ENHANCE_YOUR_CALM, status.RESOURCE_EXHAUSTED],
  [constants.NGHTTP2_INADEQUATE_SECURITY, status.PERMISSION_DENIED],
]);

export function callError(code: status, details: string, metadata = new Metadata()): ServiceError {
  return Object.assign(new Error(`${code} ${status[code]}: ${details}`), { code, details, metadata });
}

/** Status in headers or trailers; undefined: none yet. 'ok': the call has succeeded. */
export function statusIn(headers: Headers): ServiceError | 'ok' | undefined {
  const given = headers['grpc-status'];
  if (given !== undefined) {
    const code = Number(given);
    if (code === status.OK) return 'ok';
    const metadata = Metadata.fromHttp2Headers(headers);
    return callError(status[code] === undefined ? status.UNKNOWN : code, messageIn(headers), metadata);
  }
  const http = headers[':status'];
  if (http === undefined || http === OK) return undefined;
  return callError(BY_HTTP.get(http) ?? status.UNKNOWN, `the server answered with HTTP status ${http}`);
}

/** Error of a call that was reset, by HTTP/2's code. */
export const resetError = (code: number): ServiceError =>
  callError(BY_RESET.get(code) ?? status.INTERNAL, `the call was reset (${code}) before it had ended`);

function messageIn(headers: Headers): string {
  const text = String(headers['grpc-message'] ?? '');
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
