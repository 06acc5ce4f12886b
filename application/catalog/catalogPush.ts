/**
 * Takes a store's products to the channel's catalog: changes within seconds, in groups; then what became of each group;
 * then the provider's reviews. What is owed stands in the view `catalogItems` (its key `pending`), so tasks name stores,
 * not items: a catalog of 100,000 products uploaded at once is one task and a view, whatever happens in between.
 * Every call tells the items as they are at that moment, one lane a store: older content never follows newer.
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
import { owedPush, pushTask, type Source } from './pushTasks.js';
import { nextRecheck, recheckItems } from './recheckItems.js';
import { submitItems } from './submitItems.js';

/** From a change to its push. */
const DEBOUNCE_MS = 300;

type PushedEvent = CatalogEvent | CatalogSyncEvent | StoreEvent | PromotionEvent;
type ConnectedPayload = { readonly workspaceId: string };

export function catalogPush(parts: CatalogPushParts): Processor<PushedEvent> {
  // Of one run of the processor: a task that it remembers as noted may be forgotten with a write when the run is interrupted.
  const memories = new WeakMap<ProcessorContext, PushMemory>();
  const memoryOf = (context: ProcessorContext): PushMemory => {
    const memory = memories.get(context) ?? createPushMemory(context.clock.steady);
    memories.set(context, memory);
    return memory;
  };
  const changed = (event: { readonly streamId: string; readonly id: string }, context: ProcessorContext): NewTask[] =>
    arm(memoryOf(context), event.streamId, event.id, context.clock);

  /** Performs a task with everything that it works with. */
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
 * One push for all changes until it begins. While the push that an earlier event armed is not due, it has not begun, and
 * will look at everything that stands in the store by then; so this event needs none of its own. Nor does one of a store that was seen to have no
 * number, as long as the log has not said that it got one.
 */
function arm(memory: PushMemory, workspaceId: string, eventId: string, clock: Clock): NewTask[] {
  const store = memory.of(workspaceId);
  if (store.numberless) return [];
  const now = clock.steady.now();
  /** By the wall clock, as tasks are due. */
  const dueAt = (at: number): number => clock.now() + Math.max(0, at - now);
  store.changes += 1;
  store.changedAt = now;
  const { armed } = store;
  if (armed?.taskId === eventId) return [owedPush(eventId, workspaceId, dueAt(armed.at))];
  if (armed !== undefined && armed.at > now) return [];
  const at = Math.max(now + DEBOUNCE_MS, store.restUntil);
  store.armed = { taskId: eventId, at };
  return [owedPush(eventId, workspaceId, dueAt(at))];
}

/** A number: everything that is queued goes; to a new catalog everything there is; to the one before what failed then. */
async function connected(push: Push, { workspaceId }: ConnectedPayload): Promise<Outcome> {
  const number = await push.number();
  if (number === undefined) return { done: true };
  const before = await push.commands.query(catalogSync, workspaceId, ({ catalogId }) => catalogId);
  const source: Source = { items: before === undefined || before === number.catalogId ? 'failed' : 'all' };
  const id = push.task.id;
  const all = pushTask(`${id}/${source.items}`, { workspaceId, source });
  return { done: true, next: [owedPush(id, workspaceId), all, ...nextRecheck({ ...push, by: id })] };
}
