/** A performance as a span of the trace that led to its task. (OpenTelemetry, semantic conventions for messaging: 'process'.) */
import type { TracePlace, Tracing } from '../../ports/tracing.js';
import type { Outcome } from '../processor.js';
import type { OwedTask } from './taskDocuments.js';

/** What came of a performance, before its lane is known. */
export interface Came {
  readonly outcome: Outcome;
  readonly failures: number;
  /** See `Performed`. */
  readonly uncounted?: true;
  readonly trace?: TracePlace;
}

/** `perform` answers undefined when it was ended early. A task without a trace, such as a timer of long ago, begins one. */
export function inTrace(
  tracing: Tracing,
  processor: string,
  task: OwedTask,
  perform: () => Promise<Came | undefined>,
): Promise<Came | undefined> {
  const { kind, id, attempt, failures, trace } = task;
  const words = {
    'messaging.system': 'suuq',
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    'messaging.destination.name': processor,
    'messaging.message.id': id,
    'suuq.task.kind': kind,
    'suuq.task.attempt': attempt,
  };
  const plan = { name: `process ${processor} ${kind}`, kind: 'consumer', words, parent: trace ?? 'none' } as const;
  return tracing.during(plan, async (span) => {
    const came = await perform();
    if (came === undefined) return undefined;
    if (came.failures > failures) span.failed('task_failed');
    span.note({ 'suuq.task.result': 'done' in came.outcome ? 'done' : 'again' });
    return { ...came, trace: span.place };
  });
}
