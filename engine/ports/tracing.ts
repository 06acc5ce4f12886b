/** Traces of what a request leads to, across instances and restarts. Absent where none are wanted: then nothing asks for them. */
import type { EventMeta } from '../../domain/decider.js';

/** Where work stands in its trace, as header fields and events hold it. (W3C Trace Context, 'traceparent' and 'tracestate'.) */
export interface TracePlace {
  /** `00-{trace id}-{span id}-{flags}`. */
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** Never a person's data, a secret or what a body holds: an id, a name of ours, a number. */
export type TraceWords = Readonly<Record<string, string | number | boolean | undefined>>;

/** A piece of work with a beginning and an end. */
export interface SpanPlan {
  /** Few different ones in all: no ids. */
  readonly name: string;
  /** `server`: asked from outside; `consumer`: of a task; `client`: another is asked; `internal`: all else. */
  readonly kind: 'server' | 'client' | 'consumer' | 'internal';
  readonly words: TraceWords;
  /** What led to it; what is under way here when absent. `none`: nothing did. */
  readonly parent?: TracePlace | 'none' | undefined;
  /** Others that led to it too. */
  readonly links?: readonly TracePlace[];
}

export interface Span {
  /** For what this work leads to elsewhere. */
  readonly place: TracePlace;
  note(words: TraceWords): void;
  /** It did not succeed; `type`: a code, or the name of an error. */
  failed(type: string): void;
  /** A rule said no, which is no failure, though it is thrown. */
  refused(code: string): void;
}

export interface Tracing {
  /** Does the work as a span, whose end is the work's end. What throws has failed, unless the work said so itself. */
  during<R>(plan: SpanPlan, work: (span: Span) => Promise<R>): Promise<R>;
  /** The span under way here, if any. */
  current(): Span | undefined;
  /** The place that header fields from outside name; undefined where they are absent or make no sense. */
  placeIn(headers: Readonly<Record<string, string | readonly string[] | undefined>>): TracePlace | undefined;
}

/** Where the command stood that an event came of; undefined for events from before traces, or without. */
export const placeOf = ({ traceparent, tracestate }: EventMeta): TracePlace | undefined => {
  if (traceparent === undefined) return undefined;
  return tracestate === undefined ? { traceparent } : { traceparent, tracestate };
};
