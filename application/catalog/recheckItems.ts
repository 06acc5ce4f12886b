/**
 * Reads the provider's verdicts once a day: an item may be rejected long after it was approved, approved on appeal, deleted or edited at
 * the provider, and there is no webhook. One task per store reads one page of items per minute, to leave the provider's limit of calls to
 * the pushes.
 */
import { randomUUID } from 'node:crypto';
import { busyItems, itemsReviewed, type ReviewedItem } from '../../domain/catalog/catalogSync.js';
import { defined } from '../../domain/defined.js';
import type { NewTask, Outcome } from '../../engine/processors/processor.js';
import { catalogItems } from '../../projections/catalogItems.js';
import type { SyncBody } from '../../projections/productSync.js';
import { productId, products, syncIn } from '../../projections/products.js';
import { type ItemState, ProviderError } from '../ports/catalogProvider.js';
import { type ItemRow, requestsOf, syncedItem } from './itemRequests.js';
import { PUSH_VIEWS, type Push } from './pushContext.js';
import { pushTask, type RecheckPayload, recheckTask, reviewTask } from './pushTasks.js';

export const RECHECK_MS = 24 * 3_600_000;
/** Maximum ids per call. (application/ports/catalogProvider.ts) */
const PAGE = 200;
const PAUSE_MS = 60_000;

interface Beginning extends Pick<Push, 'memory' | 'workspaceId' | 'clock'> {
  /** Task or event that leads to the round. */
  readonly by: string;
}

/** Returns the task of the store's next round, unless another one is scheduled. */
export function nextRecheck({ memory, workspaceId, clock, by }: Beginning): NewTask[] {
  const store = memory.of(workspaceId);
  const now = clock.steady.now();
  const next = recheckTask(by, workspaceId, clock.now() + RECHECK_MS);
  if (store.recheck !== undefined && store.recheck.taskId !== next.id && store.recheck.at > now) return [];
  store.recheck = { taskId: next.id, at: now + RECHECK_MS };
  return [next];
}

/** Checks a page of settled items, and records or repairs differences at the provider. */
export async function recheckItems(push: Push, payload: RecheckPayload): Promise<Outcome> {
  const { memory, workspaceId, clock, task } = push;
  const { recheck } = memory.of(workspaceId);
  if (recheck !== undefined && recheck.taskId !== task.id && recheck.at > clock.steady.now()) return { done: true };
  await push.caughtUp(PUSH_VIEWS);
  const number = await push.number();
  if (number === undefined) {
    memory.of(workspaceId).recheck = undefined;
    return { done: true };
  }
  const { after } = payload;
  const page = { where: { workspaceId }, ...defined({ after }), limit: PAGE };
  const rows = await push.read.find(catalogItems, page);
  try {
    const next = await recheckRows(push, number.catalogId, rows);
    const last = rows.at(-1);
    return { ...again(push, payload, rows.length === PAGE ? last : undefined), next };
  } catch (error) {
    if (!(error instanceof ProviderError) || push.signal.aborted) throw error;
    return waiting(push, payload, Math.max(PAUSE_MS, error.retryAfterMs ?? 0) * (error.retry ? 1 : 60));
  }
}

const isSettled = ({ keys, body }: ItemRow): boolean => body.active && (keys.pending ?? null) === null;

async function recheckRows(push: Push, catalogId: string, rows: readonly ItemRow[]): Promise<NewTask[]> {
  const { workspaceId, task } = push;
  const busy = await push.querySync(busyItems);
  const settled = rows.filter((row) => isSettled(row) && !busy.has(row.body.retailerId));
  if (settled.length === 0) return [];
  const { requests } = await requestsOf(push, settled);
  const items = requests.flatMap((request) => (request.method === 'update' ? request.item : []));
  const answers = new Map(
    (await push.provider.itemStates(catalogId, items, push.signal)).map((one) => [one.retailerId, one]),
  );
  const isOther = ({ body }: ItemRow): boolean => answers.get(body.retailerId)?.edited !== false;
  const [others, same] = [settled.filter(isOther), settled.filter((row) => !isOther(row))];
  const verdicts = await changedVerdicts(push, same, answers);
  if (verdicts.length > 0) await push.record(itemsReviewed(verdicts), 'rechecked', randomUUID());
  const id = `${task.id}/${randomUUID()}`;
  const retailerIds = others.map(({ body }) => body.retailerId);
  return [
    // Items that were deleted or edited at the provider are pushed again: the store decides the content of its catalog.
    ...(others.length > 0 ? [pushTask(id, { workspaceId, source: { items: 'these', retailerIds } })] : []),
    ...(verdicts.some(({ status }) => status === 'in_review') ? [reviewTask(id, workspaceId)] : []),
  ];
}

async function changedVerdicts(
  { read, workspaceId }: Push,
  rows: readonly ItemRow[],
  answers: ReadonlyMap<string, ItemState>,
): Promise<ReviewedItem[]> {
  const idOf = ({ body }: ItemRow): string => productId(workspaceId, body.productExternalId);
  const shown = await read.getMany(products, [...new Set(rows.map(idOf))]);
  return rows.flatMap((row): ReviewedItem[] => {
    const product = shown.get(idOf(row))?.body;
    const answer = answers.get(row.body.retailerId);
    const before = product && syncIn(product, row.body.retailerId);
    if (answer === undefined || before === undefined) return [];
    const now = verdictOf(answer);
    return isSame(before, now) ? [] : [{ ...syncedItem(row), ...now }];
  });
}

type Verdict = Pick<ReviewedItem, 'status' | 'reason'>;

function verdictOf({ status, reasons }: ItemState): Verdict {
  if (status === 'approved') return { status };
  if (status !== 'rejected') return { status: 'in_review' };
  const reason = reasons.join(' ');
  return { status, ...(reason !== '' && { reason }) };
}

const isSame = (before: SyncBody, now: Verdict): boolean =>
  before.status === now.status && before.reason === now.reason;

/** Schedules the next page after a pause, or after the last one the next round, a day after this one began. */
function again(push: Push, payload: RecheckPayload, last: ItemRow | undefined): Outcome {
  if (last !== undefined) return waiting(push, { ...payload, after: [last.id] }, PAUSE_MS);
  const { workspaceId, begun } = payload;
  const now = push.clock.now();
  const at = Math.max(now + PAUSE_MS, begun + RECHECK_MS);
  return waiting(push, { workspaceId, begun: at }, at - now);
}

function waiting({ memory, workspaceId, task, clock }: Push, payload: RecheckPayload, wait: number): Outcome {
  memory.of(workspaceId).recheck = { taskId: task.id, at: clock.steady.now() + wait };
  return { again: { at: clock.now() + wait, payload } };
}
