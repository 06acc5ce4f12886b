/** Requests as spans; only where traces are written. (OpenTelemetry, semantic conventions for HTTP servers.) */
import type { IncomingMessage } from 'node:http';
import type { Tracing } from '../../engine/ports/tracing.js';
import type { Exchange } from './exchange.js';

/** Facts about a request that are known before it is served. */
interface Routed {
  readonly method: string;
  /** Parameters are names, not values: a path may contain personal data, or a partner's reference. */
  readonly path: string;
  /** The operation's id, where it has one. */
  readonly operation?: string;
}

/** Serves a request as part of the trace that it names, or as one of its own. */
export function inTrace(tracing: Tracing, routed: Routed, request: IncomingMessage, serve: () => Promise<void>): void {
  const { method, path, operation } = routed;
  const words = {
    'http.request.method': request.method ?? method,
    'http.route': path,
    'network.protocol.version': request.httpVersion,
    'suuq.operation': operation,
  };
  const parent = tracing.placeIn(request.headers) ?? 'none';
  void tracing.during({ name: `${method} ${path}`, kind: 'server', words, parent }, serve);
}

/** Ends the span of a request. A caller's mistake is not a failure of the service. */
export function traceAnswer(tracing: Tracing, exchange: Exchange, status: number): void {
  const span = tracing.current();
  if (span === undefined) return;
  const { requestId, code, workspaceId, principal } = exchange;
  span.note({
    'http.response.status_code': status,
    'suuq.request.id': requestId,
    'suuq.store.id': workspaceId ?? principal?.workspaceId,
    'suuq.partner.id': principal?.partnerId,
    'suuq.problem': code,
  });
  if (status >= 500) span.failed(code ?? String(status));
}
