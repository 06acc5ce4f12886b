/** Traces of everything a request leads to, across instances and restarts. Absent if tracing is off. */
import type { EventMeta } from '../../domain/decider.js';

/** Place of work in its trace, as in headers and events. (W3C Trace Context, 'traceparent' and 'tracestate'.) */
export interface TracePlace {
  /** `00-{trace id}-{span id}-{flags}`. */
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** Attributes of a span: ids, names of ours, numbers. Never personal data, secrets or parts of a body. */
export type TraceWords = Readonly<Record<string, string | number | boolean | undefined>>;

/** A piece of work with a beginning and an end. */
export interface SpanPlan {
  /** Name of low cardinality: no ids. */
  readonly name: string;
  /** `server`: an incoming request. `consumer`: a task. `client`: an outgoing request. `internal`: everything else. */
  readonly kind: 'server' | 'client' | 'consumer' | 'internal';
  readonly words: TraceWords;
  /** Cause of this work; absent: the current span. `none`: no cause. */
  readonly parent?: TracePlace | 'none' | undefined;
  /** Further causes of this work. */
  readonly links?: readonly TracePlace[];
}

export interface Span {
  /** Parent place for work that this span causes elsewhere. */
  readonly place: TracePlace;
  note(words: TraceWords): void;
  /** Marks the span as failed. `type`: a code, or the name of an error. */
  failed(type: string): void;
  /** Marks the span as refused by a business rule. The rule throws, but this is no failure. */
  refused(code: string): void;
}

export interface Tracing {
  /**
   * Runs the work in a span that ends with it. If the work throws, the span has failed, unless it was marked already.
   */
  during<R>(plan: SpanPlan, work: (span: Span) => Promise<R>): Promise<R>;
  /** Returns the current span, if any. */
  current(): Span | undefined;
  /** Returns the place named by incoming headers; undefined if they are absent or malformed. */
  placeIn(headers: Readonly<Record<string, string | readonly string[] | undefined>>): TracePlace | undefined;
}

/** Returns the trace place of the command that wrote an event; undefined for events without a trace. */
export const placeOf = ({ traceparent, tracestate }: EventMeta): TracePlace | undefined => {
  if (traceparent === undefined) return undefined;
  return tracestate === undefined ? { traceparent } : { traceparent, tracestate };
};
