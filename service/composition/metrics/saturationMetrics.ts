/** Metrics of this process's load: threads, waiting appends, late effects. */
import type { Registry } from 'prom-client';
import type { Clock } from '../../../engine/ports/clock.js';
import type { DocumentStore } from '../../../engine/ports/documents.js';
import { firstDue } from '../../../engine/processors/processorStops.js';
import { collectedCounter, collectedGauge } from '../../../infrastructure/metrics/collected.js';
import { busySeconds } from '../../../infrastructure/threads.js';
import { droppedLines } from '../../logOutput.js';
import type { Instance } from '../instance.js';
import { gauge } from './metrics.js';

/** The words of an engine's name before its place: `SQLite`, `EventStoreDB`. */
const kindOf = (name: string): string => name.split(/[\s,]/, 1)[0]!;

/** Always 1: so that a graph can show when which release came, and on what. */
export function buildInfo(registry: Registry, version: string, { engines }: Pick<Instance, 'engines'>): void {
  const plan = {
    name: 'suuq_build_info',
    help: 'Always 1. The labels are the release, the Node.js version and the engines.',
    labelNames: ['version', 'node', 'events', 'documents'],
  };
  const { events, documents } = engines;
  collectedGauge(registry, plan, (set) =>
    set(1, version, process.version, kindOf(events.name), kindOf(documents.name)),
  );
}

export interface Saturable {
  readonly work: DocumentStore;
  readonly clock: Pick<Clock, 'now'>;
  /** Appends of this process that wait for their commit; only for the embedded log. */
  readonly waiting: (() => number) | undefined;
}

export function saturationMetrics(registry: Registry, { work, clock, waiting }: Saturable): void {
  const busy = {
    name: 'suuq_thread_busy_seconds_total',
    help: 'Busy time of a thread, in seconds. A rate near 1 means that the thread is saturated.',
    labelNames: ['thread'],
  };
  collectedCounter(registry, busy, (set) => {
    for (const [thread, seconds] of busySeconds()) set(seconds, thread);
  });
  const lost = 'Log lines dropped because the output was unwritable or too slow.';
  collectedCounter(registry, { name: 'suuq_log_lines_dropped_total', help: lost, labelNames: [] }, (set) =>
    set(droppedLines()),
  );
  if (waiting !== undefined) {
    const help = 'Appends waiting for their commit. Above 10,000, further appends are refused.';
    gauge(registry, 'suuq_log_appends_waiting', help, undefined, (set) => set(waiting()));
  }
  const help =
    'Overdue time of the oldest pending task of the processor, in seconds. 0 if none is due. The same on all instances.';
  gauge(registry, 'suuq_processor_overdue_seconds', help, 'processor', async (set) => {
    const now = clock.now();
    for (const [processor, dueAt] of await firstDue(work)) set(Math.max(0, (now - dueAt) / 1000), processor);
  });
}
