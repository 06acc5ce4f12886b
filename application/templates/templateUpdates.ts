/** Reports of the provider about templates by webhook: late, repeated and in any order. */

import { defined } from '../../domain/defined.js';
import { derivedId } from '../../domain/ids.js';
import { type Template, template } from '../../domain/templates/template.js';
import { nameKey } from '../../domain/templates/templateNames.js';
import {
  isAbout,
  isRetained,
  type ReportedStatus,
  takeQuality,
  takeStatus,
  wholeSecond,
} from '../../domain/templates/templateReports.js';
import { requestSync, templateSync } from '../../domain/templates/templateSync.js';
import { type BoundCommands, bindCommands } from '../../engine/commandHandler/boundCommands.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import type { Log } from '../../engine/ports/log.js';
import type { StoreNumber } from '../channel/channelNumbers.js';
import { holderOf } from '../names.js';
import { templateHolders } from './templateNames.js';
import { decideAndFree } from './templates.js';

interface ReportedTemplate {
  /** Account of the template. Every store with a number of this account has it. */
  readonly businessAccountId: string;
  readonly providerId: string;
  readonly name: string;
  readonly language: string;
  /** ms by the provider's clock. */
  readonly at: number;
}

export type TemplateUpdate =
  | (ReportedTemplate & Omit<ReportedStatus, 'providerId' | 'at'> & { readonly kind: 'status' })
  | (ReportedTemplate & { readonly kind: 'quality'; readonly quality?: string })
  /** Another change of the account's templates. */
  | { readonly kind: 'look'; readonly businessAccountId: string; readonly at: number };

export interface TemplateUpdatesDependencies {
  readonly commands: CommandHandler;
  /** Returns the numbers of a business account. */
  numbersOf(businessAccountId: string): Promise<readonly StoreNumber[]>;
  readonly log: Pick<Log, 'warn'>;
}

function decisionOf(update: Exclude<TemplateUpdate, { kind: 'look' }>) {
  if (update.kind === 'status') return takeStatus(update);
  return takeQuality({ providerId: update.providerId, quality: update.quality, at: update.at });
}

/** Returns true if a comparison with the provider is needed: for an edit, or if the report is older than the last comparison. */
function isOpen(before: Template, after: Template, update: TemplateUpdate, checkedAt: number): boolean {
  if (!after.standing || update.kind !== 'status') return false;
  const learnt = before.standing && before.providerId === undefined && after.providerId !== undefined;
  const undecided = after.edit?.submittedAt !== undefined && update.status !== 'pending';
  const differs = before !== after || after.status !== update.status;
  return learnt || undecided || (differs && update.at < wholeSecond(checkedAt));
}

/** Records updates in the templates of every store with a number of the account. Resolves when everything is durable. */
export function createTemplateUpdates({ commands, numbersOf, log }: TemplateUpdatesDependencies) {
  async function take(update: Exclude<TemplateUpdate, { kind: 'look' }>, store: StoreNumber, bound: BoundCommands) {
    const { workspaceId } = store;
    const id = await holderOf(commands, templateHolders(workspaceId), workspaceId, nameKey(update));
    const before = id === undefined ? undefined : await commands.query(template, id, (state) => state);
    if (id === undefined || before === undefined || !isAbout(before, update.providerId))
      return update.kind === 'status' && isRetained(update.status);
    await decideAndFree(bound, { workspaceId, templateId: id }, decisionOf(update));
    const after = await commands.query(template, id, (state) => state);
    const checkedAt = await commands.query(templateSync, workspaceId, ({ startedAt }) => startedAt);
    return isOpen(before, after, update, checkedAt);
  }

  async function receive(update: TemplateUpdate, store: StoreNumber, requestId: string): Promise<void> {
    const { workspaceId, partnerId } = store;
    const bound = bindCommands(commands, {
      commandId: derivedId('template update', requestId, workspaceId, JSON.stringify(update)),
      actor: { type: 'system' },
      correlationId: requestId,
      workspaceId,
      ...defined({ partnerId }),
    });
    const open = update.kind === 'look' || (await take(update, store, bound));
    if (open) await bound.decide(templateSync, workspaceId, requestSync('webhook'));
  }

  return async (updates: readonly TemplateUpdate[], requestId: string): Promise<void> => {
    for (const update of updates) {
      const stores = await numbersOf(update.businessAccountId);
      if (stores.length === 0)
        log.warn({ businessAccountId: update.businessAccountId }, 'template update of an unknown account skipped');
      const workspaces = new Set<string>();
      for (const store of stores) {
        if (workspaces.has(store.workspaceId)) continue;
        workspaces.add(store.workspaceId);
        await receive(update, store, requestId);
      }
    }
  };
}

export type ReceiveTemplateUpdates = ReturnType<typeof createTemplateUpdates>;
