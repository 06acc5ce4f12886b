import { randomUUID } from 'node:crypto';
import { batchFinished, batchLost, catalogRefused } from '../../domain/catalog/catalogSync.js';
import type { NewTask, Outcome } from '../../engine/processors/processor.js';
import { ProviderError } from '../ports/catalogProvider.js';
import type { Push } from './pushContext.js';
import { type CheckPayload, duePush, FIRST_CHECK_MS, pushTask, reviewTask } from './pushTasks.js';

const LONGEST_PAUSE_MS = 30_000;
/** Time after which an unfinished batch has failed. */
const GIVE_UP_MS = 6 * 3_600_000;
/** Minimum number of checks by then, so that downtime of the service does not count. */
const LEAST_CHECKS = 60;
/** Maximum number of repeated pushes after the provider lost the batch. */
const MOST_LOST = 3;

/** Checks a batch. When it is finished, schedules the review of its items and the push of changes since. */
export async function checkBatch(push: Push, payload: CheckPayload): Promise<Outcome> {
  const { clock, provider } = push;
  const { handle, since, checks } = payload;
  const number = await push.number();
  if (number === undefined) return { done: true };
  const isLate = clock.now() - since >= GIVE_UP_MS && checks >= LEAST_CHECKS;
  try {
    const { finished, problems } = await provider.batchStatus(number.catalogId, handle, push.signal);
    if (finished) {
      const reasons = new Map(problems.map(({ retailerId, message }) => [retailerId, message]));
      await push.record(batchFinished(handle, reasons), handle, 'finished');
      return over(push, handle);
    }
  } catch (error) {
    if (!(error instanceof ProviderError) || push.signal.aborted) throw error;
    if (error.code === 'unknown_handle') return lost(push, payload);
    if (!error.retry) await push.record(catalogRefused(error.code, error.message), 'failed', randomUUID());
    if (!isLate) return again(push, payload, error.retryAfterMs);
  }
  if (!isLate) return again(push, payload);
  await push.record(batchLost(handle, 'The catalog provider did not finish the push.'), handle, 'finished');
  return over(push, handle);
}

/** Retries after 1 s, doubling to 30 s. */
function again({ clock }: Push, payload: CheckPayload, wait?: number): Outcome {
  const checks = payload.checks + 1;
  const pause = wait ?? Math.min(LONGEST_PAUSE_MS, FIRST_CHECK_MS * 2 ** Math.min(checks, 10));
  return { again: { at: clock.now() + pause, payload: { ...payload, checks } } };
}

function over({ memory, workspaceId }: Push, handle: string, more: readonly NewTask[] = []): Outcome {
  memory.of(workspaceId).checked.delete(handle);
  const id = `${workspaceId}/${handle}`;
  return { done: true, next: [duePush(id, workspaceId), reviewTask(id, workspaceId), ...more] };
}

/** Pushes the items of a batch that the provider does not know (any more) again, a few times. */
async function lost(push: Push, payload: CheckPayload): Promise<Outcome> {
  const { workspaceId } = push;
  const { handle, lost: times = 0 } = payload;
  const items = await push.querySync(({ open }) => open.get(handle)?.items ?? []);
  const reason = times < MOST_LOST ? undefined : 'The catalog provider lost the push.';
  await push.record(batchLost(handle, reason), handle, 'finished');
  if (reason !== undefined || items.length === 0) return over(push, handle);
  const retailerIds = items.map(({ retailerId }) => retailerId);
  const source = { items: 'these', retailerIds } as const;
  return over(push, handle, [pushTask(`lost/${workspaceId}/${handle}`, { workspaceId, source, lost: times + 1 })]);
}
