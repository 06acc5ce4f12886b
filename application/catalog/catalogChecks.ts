/**
 * Begins the daily reading of verdicts (recheckItems.ts) for every store that has connected a number. Reads the whole log when it is new,
 * so that a store in which nothing happens after an update has its round too.
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
