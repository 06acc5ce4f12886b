/** The history and what comes, as streams in code. */
import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { exhaustMap, fromEvent, type Observable, share, takeUntil, timer } from 'rxjs';
import { DomainError, refuse } from '../../domain/decider.js';
import type { Documents, Scalar } from '../../engine/ports/documents.js';
import { distance, measureOf, type Position, type RecordedEvent } from '../../engine/ports/eventStore.js';
import { type AnyProjection, handlersOf, seen } from '../../engine/projections/projection.js';
import type { EventReads } from '../../engine/upcasting.js';
import type { StoreOrderBody } from '../../projections/orderBodies.js';
import { foldOrder } from '../../projections/orders.js';
import { findProjection } from '../projections/findProjection.js';
import { type EventsAsked, eventPages } from './eventPages.js';
import { Pulled } from './pulledPages.js';

/** An order after one of its events. */
export interface OrderChange {
  readonly order: StoreOrderBody;
  readonly event: RecordedEvent;
  /** To go on from (`after`). */
  readonly position: Position;
}

/** A document of a read model, after events that touch it. */
export interface DocumentChange {
  readonly id: string;
  /** Absent: there is none any more. */
  readonly keys?: Readonly<Record<string, Scalar>>;
  readonly body?: unknown;
  /** Position of the newest event applied to it, for continuing (`after`). */
  readonly position: Position;
}

/** How far a read model is behind the log. */
export interface Lag {
  readonly name: string;
  readonly position: Position;
  readonly head: Position;
  /** In `unit`s; 0: it has taken in everything. */
  readonly behind: number;
  readonly unit: 'events' | 'bytes';
}

export interface Streams {
  /** Every event, from the first one or from `after`, and then those that come. */
  events$(requested?: EventsAsked): Pulled<RecordedEvent>;
  /** Orders as each of their events leaves them. */
  orders$(requested?: Omit<EventsAsked, 'types' | 'categories'>): Pulled<OrderChange>;
  /** Documents of a read model as they change, once for all events of a page; the service keeps them. Refuses `not_found`. */
  projection$(name: string, requested?: Omit<EventsAsked, 'types' | 'categories'>): Pulled<DocumentChange>;
  /** How far each read model is, every so many ms (1,000 when absent); one question for all who watch. */
  lag$(everyMs?: number): Observable<readonly Lag[]>;
}

export interface StreamParts {
  readonly log: EventReads;
  readonly views: Pick<Documents, 'getMany'>;
  readonly projections: readonly AnyProjection[];
  /** Ends all streams. */
  readonly closing: AbortSignal;
  /** How far each read model is, by its name. */
  places(): Promise<ReadonlyMap<string, Position>>;
}

const KEPT_ORDERS = 1_000;
/** Longest wait for a read model to take an event in, and between two looks, in ms. */
const BEHIND_MS = 60_000;
const LOOK_MS = 50;

async function* orderPages(
  log: EventReads,
  requested: EventsAsked,
  signal: AbortSignal,
): AsyncGenerator<OrderChange[]> {
  const known = new LRUCache<string, { readonly revision: number; readonly order: StoreOrderBody }>({
    max: KEPT_ORDERS,
  });
  for await (const events of eventPages(log, { ...requested, categories: ['order'] }, signal)) {
    const page: OrderChange[] = [];
    for (const event of events) {
      const { stream, revision, position } = event;
      const retained = known.get(stream);
      let before = retained?.revision === revision - 1 ? retained.order : undefined;
      if (before === undefined && revision > 0)
        for (const earlier of await log.readStream(stream, { limit: revision })) before = foldOrder(before, earlier);
      const order = foldOrder(before, event);
      if (order === undefined) continue;
      known.set(stream, { revision, order });
      page.push({ order, event, position });
    }
    yield page;
  }
}

function followable(projections: readonly AnyProjection[], name: string): AnyProjection {
  const found = findProjection(projections, name);
  if ([...handlersOf(found).values()].some(({ own }) => own))
    refuse(
      'not_followable',
      `The documents of ${name} that an event changes depend on earlier documents. Follow events$ and read the documents.`,
    );
  return found;
}

async function untilTaken(
  { places }: StreamParts,
  name: string,
  position: Position,
  signal: AbortSignal,
): Promise<void> {
  const end = performance.now() + BEHIND_MS;
  while (((await places()).get(name) ?? -1) < position && !signal.aborted) {
    if (performance.now() > end)
      throw new DomainError(
        'projection_behind',
        `${name} has not reached position ${position} within ${BEHIND_MS / 1000} s. Start the service, and check 'suuq projections status'.`,
      );
    await pause(LOOK_MS);
  }
}

async function* documentPages(
  parts: StreamParts,
  projection: AnyProjection,
  requested: EventsAsked,
  signal: AbortSignal,
): AsyncGenerator<DocumentChange[]> {
  const { name, categories } = projection;
  const handlers = handlersOf(projection);
  const what = { ...requested, categories, types: [...handlers.keys()] };
  for await (const events of eventPages(parts.log, what, signal)) {
    const touched = new Map<string, Position>();
    for (const event of events) {
      const view = seen(event);
      const ids = handlers.get(event.type)!.ids?.(view, undefined) ?? [view.streamId];
      for (const id of ids) touched.set(id, event.position);
    }
    if (touched.size === 0) continue;
    await untilTaken(parts, name, events.at(-1)!.position, signal);
    const documents = await parts.views.getMany(name, [...touched.keys()]);
    yield [...touched].map(([id, position]) => {
      const found = documents.get(id);
      return found === undefined ? { id, position } : { id, position, keys: found.keys, body: found.body };
    });
  }
}

async function lags({ log, projections, places }: StreamParts): Promise<readonly Lag[]> {
  const [head, all] = await Promise.all([log.head(), places()]);
  const measure = measureOf(log);
  return projections.map(({ name }) => {
    const position = all.get(name) ?? -1;
    return { name, position, head, behind: distance(measure, position, head), unit: measure.unit };
  });
}

export function streamsOf(parts: StreamParts): Streams {
  const pulled = <T>(pages: (signal: AbortSignal) => AsyncIterable<readonly T[]>): Pulled<T> =>
    new Pulled((signal) => pages(AbortSignal.any([signal, parts.closing])));
  return {
    events$: (requested = {}) => pulled((signal) => eventPages(parts.log, requested, signal)),
    orders$: (requested = {}) => pulled((signal) => orderPages(parts.log, requested, signal)),
    projection$(name, requested = {}) {
      const projection = followable(parts.projections, name);
      return pulled((signal) => documentPages(parts, projection, requested, signal));
    },
    lag$: (everyMs = 1_000) =>
      timer(0, everyMs).pipe(
        takeUntil(fromEvent(parts.closing, 'abort')),
        exhaustMap(() => lags(parts)),
        share(),
      ),
  };
}
