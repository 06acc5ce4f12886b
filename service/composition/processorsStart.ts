/** The processors of this process: all of them, or on shared engines those whose lease it holds; none without the role. */

import { webhookCollections } from '../../application/webhooks/deliveryLog.js';
import { createLeases } from '../../engine/ownership/leases.js';
import { steadyClock } from '../../engine/ownership/steadyClock.js';
import type { Log } from '../../engine/ports/log.js';
import { createProcessorRuntime, type ProcessorRuntime } from '../../engine/processors/runtime.js';
import type { ProcessorMetrics } from '../../engine/processors/runtimeParts.js';
import type { Instance } from './instance.js';
import { createProcessors, type Outside } from './processors.js';

const NONE: ProcessorRuntime = { start: async () => {}, stop: async () => {}, status: () => [] };

/** Opens what the processors and the delivery log need; `start` begins. */
export async function prepareProcessors(
  instance: Instance,
  outside: Outside,
  metrics: ProcessorMetrics,
  log: Log,
): Promise<ProcessorRuntime> {
  const { services, settings, name, shared } = instance;
  for (const collection of webhookCollections) await services.work.open(collection);
  if (!settings.roles.includes('processors')) return NONE;
  const leases = shared ? createLeases({ work: services.work, clock: steadyClock, instance: name, log }) : undefined;
  const runtime = createProcessorRuntime({
    eventStore: services.eventStore,
    work: services.work,
    processors: createProcessors(instance, outside),
    commands: services.commandHandler,
    reads: services.reads,
    clock: services.clock,
    log,
    metrics,
    ...(leases === undefined ? {} : { leases }),
  });
  if (leases === undefined) return runtime;
  return {
    async start() {
      await runtime.start();
      await leases.start();
    },
    // The leases first: what is at hand is finished while it is still owned.
    async stop() {
      await leases.stop();
      await runtime.stop();
    },
    status: runtime.status,
  };
}
