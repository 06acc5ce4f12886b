/** Compares a store's templates with the provider's, which is the source of truth. */
import { DomainError } from '../../domain/decider.js';
import { derivedId } from '../../domain/ids.js';
import { type Template, template } from '../../domain/templates/template.js';
import { nameKey } from '../../domain/templates/templateNames.js';
import { isRetained, type ListedTemplate, takeListed, takeMissing } from '../../domain/templates/templateReports.js';
import { type Compared, recordSynced, recordSyncFailed, templateSync } from '../../domain/templates/templateSync.js';
import type { Outcome } from '../../engine/processors/processor.js';
import { allRows } from '../../engine/projections/allRows.js';
import { templates } from '../../projections/templates.js';
import { holderOf as nameHolder, takeName } from '../names.js';
import { ProviderError } from '../ports/catalogProvider.js';
import type { TemplateAccount } from '../ports/templateProvider.js';
import { templateHolders } from './templateNames.js';
import { again, DONE, NO_NUMBER, refusalOf, remove, type StoreTask, type Work } from './templateTasks.js';

export interface SyncTask extends StoreTask {
  /** In ms. A comparison that started later has answered it. Absent: the comparison is made in any case. */
  readonly requestedAt?: number;
}

/** Consecutive attempts, about a minute, before the failure of an unreachable or busy provider is shown. */
const TRIES = 6;
/** More than any account has. */
const MOST_TEMPLATES = 20_000;

interface Comparing {
  readonly work: Work<SyncTask>;
  readonly account: TemplateAccount;
  /** In ms. */
  readonly startedAt: number;
}

/** Returns the template with this name and language. Undefined: there is none. */
async function holderOf({ work }: Comparing, listed: ListedTemplate): Promise<string | undefined> {
  const { commands } = work.context;
  const { workspaceId } = work.task.payload;
  const holder = await nameHolder(commands, templateHolders(workspaceId), workspaceId, nameKey(listed));
  const exists = holder !== undefined && (await commands.query(template, holder, (state) => state.standing));
  return exists ? holder : undefined;
}

/**
 * Reserves the name for a found template, whose id is derived. Undefined: a template with this name is just being created here, and will be
 * matched when it is submitted.
 */
async function adopt({ work, startedAt }: Comparing, listed: ListedTemplate): Promise<string | undefined> {
  const { workspaceId } = work.task.payload;
  const id = derivedId('template', workspaceId, listed.providerId);
  const context = {
    commands: work.commands('name', id, startedAt),
    read: work.context.read,
    workspaceId,
    now: startedAt,
    caughtUp: work.caughtUp,
  };
  const requested = { by: id, value: nameKey(listed), attempt: derivedId('template found', id, startedAt) };
  try {
    await takeName(context, templateHolders(workspaceId), requested);
    return id;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'template_name_taken') return undefined;
    throw error;
  }
}

/** Compares one template of the list. Returns its id here, and the change. */
async function compare(comparing: Comparing, listed: ListedTemplate): Promise<[string, 'added' | 'changed' | 'same']> {
  const { work, startedAt } = comparing;
  const known = await holderOf(comparing, listed);
  if (known === undefined && !isRetained(listed.status)) return ['', 'same'];
  const id = known ?? (await adopt(comparing, listed));
  if (id === undefined) return ['', 'same'];
  const before = await work.context.commands.query(template, id, (state: Template) => state.standing);
  const types: string[] = [];
  const commands = work.commands('listed', id, startedAt);
  const decision = takeListed(listed, startedAt);
  if (listed.status === 'deleted') await remove(commands, { ...work.task.payload, templateId: id }, decision);
  else types.push(...(await commands.decide(template, id, decision)).events.map(({ type }) => type));
  return [id, types.length === 0 ? 'same' : before ? 'changed' : 'added'];
}

/** Handles a template that is missing in the list. Queries it separately, since a list may omit templates that change while it is read. */
async function missing({ work, account, startedAt }: Comparing, id: string): Promise<boolean> {
  const { context, provider, task } = work;
  const state = await context.commands.query(template, id, (seen) =>
    seen.standing && takeMissing(startedAt)(seen).length > 0 ? seen : undefined,
  );
  if (state === undefined) return false;
  const isThere = await provider.find(account, state, context.signal).then(
    (found) => found !== undefined && isRetained(found.status),
    (error: unknown) => {
      if (error instanceof ProviderError && error.code === 'template_unreadable') return true;
      throw error;
    },
  );
  if (isThere) return false;
  await remove(work.commands('missing', id, startedAt), { ...task.payload, templateId: id }, takeMissing(startedAt));
  return true;
}

async function compareAll(comparing: Comparing): Promise<Compared> {
  const { work, account } = comparing;
  const { workspaceId } = work.task.payload;
  const { read, signal } = work.context;
  const query = { where: { workspaceId }, sort: ['name', 'language'] };
  const known = await allRows(read, templates, query, MOST_TEMPLATES);
  const listed = await work.provider.list(account, signal);
  const seen = new Set<string>();
  const count = { templates: listed.length, added: 0, changed: 0, removed: 0, same: 0 };
  for (const one of listed) {
    signal.throwIfAborted();
    const [id, what] = await compare(comparing, one);
    seen.add(id);
    count[what] += 1;
  }
  for (const { body } of known) if (!seen.has(body.id) && (await missing(comparing, body.id))) count.removed += 1;
  const { same: _, ...compared } = count;
  return compared;
}

/** Compares all templates, and records the result. Skipped if a later comparison has answered the request. */
export async function sync(work: Work<SyncTask>): Promise<Outcome> {
  const { task, context, log } = work;
  const { workspaceId, requestedAt, failures } = task.payload;
  const last = await context.commands.query(templateSync, workspaceId, ({ startedAt }) => startedAt);
  if (requestedAt !== undefined && last > requestedAt) return DONE;
  const startedAt = context.clock.now();
  const record = work.commands('sync', startedAt);
  const account = await work.accountOf(workspaceId);
  try {
    if (account === undefined) await record.decide(templateSync, workspaceId, recordSyncFailed(startedAt, NO_NUMBER));
    else {
      const compared = await compareAll({ work, account, startedAt });
      await record.decide(templateSync, workspaceId, recordSynced(startedAt, compared));
    }
    return DONE;
  } catch (error) {
    if (!(error instanceof ProviderError) || context.signal.aborted) throw error;
    if (error.retry && failures + 1 < TRIES) return again(work, error);
    log.warn({ workspaceId, code: error.code }, 'template comparison with the provider failed');
    await record.decide(templateSync, workspaceId, recordSyncFailed(startedAt, refusalOf(error)));
    return DONE;
  }
}
