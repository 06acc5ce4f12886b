/**
 * Pushes a store's products to the channel's catalog: changes within seconds, in groups, then the outcome of each group, then the
 * provider's reviews.
 *
 * Pending items are in the view `catalogItems` (its key `pending`), so tasks refer to stores, not items: uploading a catalog of 100,000
 * products leads to one task. Every call sends the current state of the items, with one lane per store, so that older content never follows
 * newer.
 */
import type { CatalogEvent, CatalogSyncEvent } from '../../domain/catalog/catalogEvents.js';
import { catalogSync } from '../../domain/catalog/catalogSync.js';
import type { PromotionEvent } from '../../domain/promotions/promotionEvents.js';
import type { StoreEvent } from '../../domain/stores/storeEvents.js';
import type { Clock } from '../../engine/ports/clock.js';
import {
  defineProcessor,
  type NewTask,
  type Outcome,
  type Processor,
  type ProcessorContext,
  type Task,
} from '../../engine/processors/processor.js';
import { checkBatch } from './checkBatch.js';
import { onPromotions, reprice, saleEdge } from './flashSales.js';
import { pollReviews } from './pollReviews.js';
import { type CatalogPushParts, type Push, pushOf } from './pushContext.js';
import { createPushMemory, type PushMemory } from './pushMemory.js';
import { duePush, pushTask, type Source } from './pushTasks.js';
import { nextRecheck, recheckItems } from './recheckItems.js';
import { submitItems } from './submitItems.js';

/** Delay between a change and its push. */
const DEBOUNCE_MS = 300;

type PushedEvent = CatalogEvent | CatalogSyncEvent | StoreEvent | PromotionEvent;
type ConnectedPayload = { readonly workspaceId: string };

export function catalogPush(parts: CatalogPushParts): Processor<PushedEvent> {
  // Memory of one run of the processor. When the run is interrupted, a task that the memory contains may not have been stored.
  const memories = new WeakMap<ProcessorContext, PushMemory>();
  const memoryOf = (context: ProcessorContext): PushMemory => {
    const memory = memories.get(context) ?? createPushMemory(context.clock.steady);
    memories.set(context, memory);
    return memory;
  };
  const changed = (event: { readonly streamId: string; readonly id: string }, context: ProcessorContext): NewTask[] =>
    arm(memoryOf(context), event.streamId, event.id, context.clock);

  /** Performs a task with its context. */
  const performing =
    <P extends { readonly workspaceId: string }>(perform: (push: Push, payload: P) => Promise<Outcome>) =>
    (task: Task<never>, context: ProcessorContext): Promise<Outcome> => {
      const payload = task.payload as P;
      return perform(pushOf(parts, memoryOf(context), task, payload.workspaceId, context), payload);
    };

  return defineProcessor<PushedEvent>({
    name: 'catalogPush',
    categories: ['catalog', 'catalogSync', 'store', 'promotion'],
    derivable: [
      ...(['ProductAdded', 'ProductRevised', 'ProductRemoved'] as const),
      ...(['PromotionCreated', 'PromotionRevised', 'CatalogChecksBegun'] as const),
    ],
    on: {
      ProductAdded: changed,
      ProductRevised: changed,
      ProductRemoved: changed,
      ChannelNumberConnected({ id, streamId }, context) {
        const store = memoryOf(context).of(streamId);
        store.connected += 1;
        store.numberless = false;
        return [{ id: `connected/${id}`, kind: 'connected', lane: streamId, payload: { workspaceId: streamId } }];
      },
      CatalogChecksBegun({ id, streamId: workspaceId }, context) {
        return nextRecheck({ memory: memoryOf(context), workspaceId, clock: context.clock, by: id });
      },
      ...onPromotions,
    },
    perform: {
      push: performing(submitItems),
      check: performing(checkBatch),
      review: performing(pollReviews),
      recheck: performing(recheckItems),
      connected: performing(connected),
      edge: performing(saleEdge),
      reprice: performing(reprice),
    },
  });
}

/**
 * Schedules one push for all changes until it starts. No task is needed while a previously scheduled push is not due: it will read
 * everything that has changed by then. Nor is one needed for a store that had no number, as long as the log does not report one.
 */
function arm(memory: PushMemory, workspaceId: string, eventId: string, clock: Clock): NewTask[] {
  const store = memory.of(workspaceId);
  if (store.numberless) return [];
  const now = clock.steady.now();
  /** Converts to the wall clock, which tasks use. */
  const dueAt = (at: number): number => clock.now() + Math.max(0, at - now);
  store.changes += 1;
  store.changedAt = now;
  const { armed } = store;
  if (armed?.taskId === eventId) return [duePush(eventId, workspaceId, dueAt(armed.at))];
  if (armed !== undefined && armed.at > now) return [];
  const at = Math.max(now + DEBOUNCE_MS, store.restUntil);
  store.armed = { taskId: eventId, at };
  return [duePush(eventId, workspaceId, dueAt(at))];
}

/** Pushes after a number was connected: all pending items, and for a new catalog all items, for the previous one those that failed. */
async function connected(push: Push, { workspaceId }: ConnectedPayload): Promise<Outcome> {
  const number = await push.number();
  if (number === undefined) return { done: true };
  const before = await push.commands.query(catalogSync, workspaceId, ({ catalogId }) => catalogId);
  const source: Source = { items: before === undefined || before === number.catalogId ? 'failed' : 'all' };
  const id = push.task.id;
  const all = pushTask(`${id}/${source.items}`, { workspaceId, source });
  return { done: true, next: [duePush(id, workspaceId), all, ...nextRecheck({ ...push, by: id })] };
}
