import { randomUUID } from 'node:crypto';
import { busyItems, itemsReviewed, type ReviewedItem } from '../../domain/catalog/catalogSync.js';
import { defined } from '../../domain/defined.js';
import type { Outcome } from '../../engine/processors/processor.js';
import { catalogItems } from '../../projections/catalogItems.js';
import { type ItemReview, ProviderError } from '../ports/catalogProvider.js';
import { type ItemRow, syncedItem } from './itemRequests.js';
import { PUSH_VIEWS, type Push } from './pushContext.js';
import type { ReviewPayload } from './pushTasks.js';

/** Maximum ids per call. (application/ports/catalogProvider.ts) */
const PAGE = 200;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** A round that is due within this time also covers the items of another task. */
const SOON_MS = 1500;

/**
 * Reads the provider's verdicts on all items of a store that await one, a page per performance, round after round until none is pending.
 * The provider has no webhook for verdicts. Only one task per store goes round.
 */
export async function pollReviews(push: Push, payload: ReviewPayload): Promise<Outcome> {
  const { workspaceId, clock, task } = push;
  const store = push.memory.of(workspaceId);
  if (
    store.review !== undefined &&
    store.review.taskId !== task.id &&
    store.review.at <= clock.steady.now() + SOON_MS
  ) {
    store.review.more = true;
    return { done: true };
  }
  const more = store.review?.taskId === task.id && store.review.more;
  store.review = { taskId: task.id, at: clock.steady.now(), more };
  await push.caughtUp(PUSH_VIEWS);
  const number = await push.number();
  if (number === undefined) return finish(push);
  const rows = await pageOf(push, payload);
  const busy = await push.querySync(busyItems);
  // While a batch is unfinished, a verdict may still be about the previous content.
  const requested = rows.filter(({ body }) => !busy.has(body.retailerId));
  try {
    const answers =
      requested.length === 0 ? [] : await push.provider.reviews(number.catalogId, idsOf(requested), push.signal);
    const verdicts = verdictsOf(requested, answers);
    if (verdicts.length > 0) await push.record(itemsReviewed(verdicts), 'reviewed', randomUUID());
    return afterPage(push, rows, {
      ...payload,
      seen: payload.seen + requested.length,
      progress: payload.progress || verdicts.length > 0,
    });
  } catch (error) {
    if (!(error instanceof ProviderError) || push.signal.aborted) throw error;
    return again(push, slower(payload), error.retryAfterMs ?? (error.retry ? payload.pause : LONGEST_PAUSE_MS));
  }
}

const pageOf = ({ read, workspaceId }: Push, { after }: ReviewPayload): Promise<ItemRow[]> =>
  read.find(catalogItems, {
    where: { workspaceId, pending: 'review' },
    sort: ['contentRevision'],
    ...defined({ after }),
    limit: PAGE,
  });

const idsOf = (rows: readonly ItemRow[]): string[] => rows.map(({ body }) => body.retailerId);

function verdictsOf(rows: readonly ItemRow[], answers: readonly ItemReview[]): ReviewedItem[] {
  const byId = new Map(answers.map((answer) => [answer.retailerId, answer]));
  return rows.flatMap((row): ReviewedItem[] => {
    const answer = byId.get(row.body.retailerId);
    if (answer === undefined || (answer.status !== 'approved' && answer.status !== 'rejected')) return [];
    const reason = answer.status === 'rejected' ? answer.reasons.join(' ') : '';
    return [{ ...syncedItem(row), status: answer.status, ...(reason !== '' && { reason }) }];
  });
}

const slower = (payload: ReviewPayload): ReviewPayload => ({
  ...payload,
  pause: Math.min(LONGEST_PAUSE_MS, payload.pause * 2),
});

/** Continues with the next page at once, or with the next round after a pause. Ends if nothing was pending in this round. */
function afterPage(push: Push, rows: readonly ItemRow[], payload: ReviewPayload): Outcome {
  const last = rows.at(-1);
  if (rows.length === PAGE && last !== undefined)
    return again(push, { ...payload, after: [Number(last.keys.contentRevision), last.id] }, 0);
  const { workspaceId, seen, progress } = payload;
  const review = push.memory.of(push.workspaceId).review;
  const more = review?.more === true;
  if (seen === 0 && !more) return finish(push);
  if (review !== undefined) review.more = false;
  const pause = progress || more ? FIRST_PAUSE_MS : payload.pause;
  const round: ReviewPayload = { workspaceId, seen: 0, progress: false, pause };
  return again(push, slower(round), pause);
}

function again({ memory, workspaceId, task, clock }: Push, payload: ReviewPayload, wait: number): Outcome {
  const more = memory.of(workspaceId).review?.more ?? false;
  memory.of(workspaceId).review = { taskId: task.id, at: clock.steady.now() + wait, more };
  return { again: { at: clock.now() + wait, payload } };
}

function finish(push: Push): Outcome {
  push.memory.of(push.workspaceId).review = undefined;
  return { done: true };
}
