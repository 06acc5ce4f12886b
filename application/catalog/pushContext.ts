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

/** What the composition root gives to the push. */
export interface CatalogPushParts extends CaughtUp {
  readonly provider: CatalogProvider;
  /** The store's name: the brand of its items. */
  storeName(workspaceId: string): Promise<string>;
  /** Public page of a product; the provider wants one for each item. */
  productLink(workspaceId: string, productExternalId: string): string;
  /** The store's flash sales that are open at `now` (ms). */
  flashSales(workspaceId: string, now: number): Promise<readonly PricingPromotion[]>;
}

/** What one performance of a task works with. */
export interface Push extends CatalogPushParts, Pick<ProcessorContext, 'commands' | 'read' | 'clock' | 'signal'> {
  readonly task: Task;
  readonly workspaceId: string;
  readonly memory: PushMemory;
  /** The store's number, as the store itself says; undefined: no number is connected. */
  number(): Promise<{ readonly catalogId: string } | undefined>;
  /** Records what happened. `names` tell the commands of one task apart, and recognise a repeated one. */
  record(decision: Decision<CatalogSync, CatalogSyncEvent>, ...names: string[]): Promise<Decided<CatalogSyncEvent>>;
  look<R>(look: (sync: CatalogSync) => R): Promise<R>;
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
  // Member by member: those that are added behind a spread take as long as all of this.
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
    look: (look) => commands.query(catalogSync, workspaceId, look),
  };
}

/** The views that the push reads. */
export const PUSH_VIEWS = ['catalog', 'catalogSync', 'promotion'];
