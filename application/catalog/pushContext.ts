import type { CatalogSyncEvent } from '../../domain/catalog/catalogEvents.js';
import { type CatalogSync, catalogSync } from '../../domain/catalog/catalogSync.js';
import type { Decision } from '../../domain/decider.js';
import { derivedId } from '../../domain/ids.js';
import type { PricingPromotion } from '../../domain/pricing/promotions.js';
import type { Decided } from '../../engine/commandHandler/commands.js';
import type { ProcessorContext, Task } from '../../engine/processors/processor.js';
import type { CaughtUp } from '../../engine/projections/reads.js';
import { numberOfStore } from '../channel/storeNumbers.js';
import type { CatalogProvider } from '../ports/catalogProvider.js';
import type { PushMemory } from './pushMemory.js';

/** Dependencies of the push from the composition root. */
export interface CatalogPushParts extends CaughtUp {
  readonly provider: CatalogProvider;
  /** The store's name, used as the brand of its items. */
  storeName(workspaceId: string): Promise<string>;
  /** Public page of a product, which the provider requires for each item. */
  productLink(workspaceId: string, productExternalId: string): string;
  /** The store's flash sales that are open at `now` (ms). */
  flashSales(workspaceId: string, now: number): Promise<readonly PricingPromotion[]>;
}

/** Context of one task. */
export interface Push extends CatalogPushParts, Pick<ProcessorContext, 'commands' | 'read' | 'clock' | 'signal'> {
  readonly task: Task;
  readonly workspaceId: string;
  readonly memory: PushMemory;
  /** The store's number, read from the store itself. Undefined: no number is connected. */
  number(): Promise<{ readonly catalogId: string } | undefined>;
  /** Records an outcome. `names` identify the command within the task, so that a repeated one is recognised. */
  record(decision: Decision<CatalogSync, CatalogSyncEvent>, ...names: string[]): Promise<Decided<CatalogSyncEvent>>;
  querySync<R>(read: (sync: CatalogSync) => R): Promise<R>;
}

export function pushOf(
  parts: CatalogPushParts,
  memory: PushMemory,
  task: Task,
  workspaceId: string,
  context: ProcessorContext,
): Push {
  const { commands, read, clock, signal } = context;
  const { provider, storeName, productLink, flashSales, caughtUp } = parts;
  // Written member by member: members that follow a spread take as long as all of this.
  return {
    provider,
    number: () => numberOfStore(commands, workspaceId),
    storeName,
    productLink,
    flashSales,
    caughtUp,
    memory,
    task,
    workspaceId,
    commands,
    read,
    clock,
    signal,
    record(decision, ...names) {
      const command = context.contextFor(task, { workspaceId });
      const commandId = derivedId('catalogPush', workspaceId, ...names);
      return commands.decide({ ...command, commandId }, catalogSync, workspaceId, decision);
    },
    querySync: (read) => commands.query(catalogSync, workspaceId, read),
  };
}

/** Views that the push reads. */
export const PUSH_VIEWS = ['catalog', 'catalogSync', 'promotion'];
