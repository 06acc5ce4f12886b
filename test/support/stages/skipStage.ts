/** Operator who lets projections and processors skip events, with real commands on a log. */
import { createCommandHandler } from '../../../engine/commandHandler/commandHandler.js';
import type { CommandContext } from '../../../engine/commandHandler/commands.js';
import { systemClock } from '../../../engine/ports/clock.js';
import type { DocumentStore } from '../../../engine/ports/documents.js';
import type { EventStore } from '../../../engine/ports/eventStore.js';
import { forgetfulSnapshots } from '../../../engine/ports/snapshots.js';
import { processorsAtRest } from '../../../engine/processors/processorStops.js';
import type { ProjectionRuntime } from '../../../engine/projections/runtime.js';
import {
  processorSkips,
  projectionSkips,
  skipProcessorEvent,
  skipProjectionEvent,
} from '../../../engine/skipping/skippedEvents.js';

export interface SkipStage {
  /** Returns how many events the command appended. */
  projection(runtime: ProjectionRuntime, name: string, eventId?: string): Promise<number>;
  processor(work: DocumentStore, name: string, eventId?: string): Promise<number>;
}

const reason = 'written by a broken import';

/** Without `eventId`, skips the event at which the runtime is stopped. */
export function skipStage(eventStore: EventStore): SkipStage {
  const commands = createCommandHandler({ eventStore, snapshots: forgetfulSnapshots, clock: systemClock });
  let turn = 0;
  const context = (): CommandContext => ({
    commandId: `00000000-0000-4000-8000-${String(++turn).padStart(12, '0')}`,
    correlationId: 'skipping',
    actor: { type: 'system', id: 'operator' },
  });
  return {
    async projection(runtime, name, eventId) {
      const { version, poison } = (await runtime.status()).find((one) => one.name === name)!;
      const { position, eventId: at, type, stream } = poison ?? {};
      const stopped = at === undefined ? undefined : { eventId: at, type: type!, stream: stream!, position: position! };
      const decision = skipProjectionEvent({ name, version, eventId: eventId ?? at!, reason, stopped });
      return (await commands.decide(context(), projectionSkips, name, decision)).events.length;
    },
    async processor(work, name, eventId) {
      const stopped = (await processorsAtRest(eventStore, work)).find((one) => one.name === name)!.stop;
      const decision = skipProcessorEvent({ name, eventId: eventId ?? stopped!.eventId, reason, stopped });
      return (await commands.decide(context(), processorSkips, name, decision)).events.length;
    },
  };
}
