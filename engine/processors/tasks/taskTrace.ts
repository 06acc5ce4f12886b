/**
 * Traces a performance as a span of its task's trace. (OpenTelemetry, semantic conventions for messaging: 'process'.)
 */
import type { TracePlace, Tracing } from '../../ports/tracing.js';
import type { Outcome } from '../processor.js';
import type { PendingTask } from './taskDocuments.js';

/** Result of a performance, before its lane is known. */
export interface Came {
  readonly outcome: Outcome;
  readonly failures: number;
  /** See `Performed`. */
  readonly uncounted?: true;
  readonly trace?: TracePlace;
}

/**
 * Performs a task within a span. `perform` returns undefined if it was ended early. A task without a trace begins one.
 */
export function inTrace(
  tracing: Tracing,
  processor: string,
  task: PendingTask,
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
