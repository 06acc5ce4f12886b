/**
 * Starts the daily checks of verdicts (recheckItems.ts) for every store that has connected a number. A new build reads the whole log, so
 * that stores without activity after an update are checked too.
 */
import { beginChecks, catalogSync } from '../../domain/catalog/catalogSync.js';
import type { StoreEvent } from '../../domain/stores/storeEvents.js';
import { type Cause, causeOf, defineProcessor, type Processor } from '../../engine/processors/processor.js';

export const catalogChecks = (): Processor<StoreEvent> =>
  defineProcessor<StoreEvent>({
    name: 'catalogChecks',
    categories: ['store'],
    derivable: ['ChannelNumberConnected'],
    on: {
      ChannelNumberConnected({ id, streamId, meta }) {
        const cause = causeOf(meta);
        return cause === undefined ? [] : [{ id, kind: 'begin', lane: streamId, payload: cause }];
      },
    },
    perform: {
      async begin(task, context) {
        const cause = task.payload as Cause;
        await context.commands.decide(context.contextFor(task, cause), catalogSync, cause.workspaceId, beginChecks);
        return { done: true };
      },
    },
  });
