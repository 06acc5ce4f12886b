/** A place in a trace as header fields and events write it, and as the SDK has it. (W3C Trace Context.) */
import { isSpanContextValid, type SpanContext, TraceFlags } from '@opentelemetry/api';
import { parseTraceParent, TraceState } from '@opentelemetry/core';
import type { TracePlace } from '../../engine/ports/tracing.js';

/** More is not read: the specification has 55 characters for its version, and admits more for later ones. */
const LONGEST_PARENT = 128;
/** Minimum length that an implementation should pass on. Longer states are dropped as a whole. */
const LONGEST_STATE = 512;

const single = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** Undefined for what makes no sense. A state that makes none is left out, the parent stays. */
export function spanContextOf({ traceparent, tracestate }: TracePlace): SpanContext | undefined {
  if (traceparent.length > LONGEST_PARENT) return undefined;
  const parsed = parseTraceParent(traceparent);
  if (parsed === null || !isSpanContextValid(parsed)) return undefined;
  const state = tracestate === undefined || tracestate.length > LONGEST_STATE ? undefined : new TraceState(tracestate);
  const known = state !== undefined && state.serialize() !== '' ? { traceState: state } : {};
  // Of the flags this one alone has a meaning here.
  return { ...parsed, traceFlags: parsed.traceFlags & TraceFlags.SAMPLED, isRemote: true, ...known };
}

export function placeOfSpan({ traceId, spanId, traceFlags, traceState }: SpanContext): TracePlace {
  const traceparent = `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED) === 0 ? '00' : '01'}`;
  const tracestate = traceState?.serialize();
  return tracestate === undefined || tracestate === '' ? { traceparent } : { traceparent, tracestate };
}

/** Header fields as `node:http` gives them; two fields of one name are joined there, which then makes no sense. */
export function placeInHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): TracePlace | undefined {
  const traceparent = single(headers.traceparent);
  if (traceparent === undefined) return undefined;
  const context = spanContextOf({ traceparent, tracestate: single(headers.tracestate) ?? '' });
  return context && placeOfSpan(context);
}
