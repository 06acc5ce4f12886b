/**
 * History of a read model's document: the events that affected it, and its state after each of them. The current handlers fold it from the
 * log again. The stored document is only used to find the streams of its events.
 */
import { defined } from '../../domain/defined.js';
import { messageOf } from '../../engine/messageOf.js';
import { BEFORE_ALL, type EventStore, type RecordedEvent, streamName } from '../../engine/ports/eventStore.js';
import { type AnyProjection, handlersOf, seen, type View } from '../../engine/projections/projection.js';
import { streamEvents } from '../../engine/streamPages.js';

/** Maximum events that one request folds. */
const MOST_SEEN = 20_000;
/** Maximum time of one request, in ms. */
const WITHIN_MS = 2000;
const PAGE = 500;
/** Maximum streams that are derived from a document's id and keys. */
const MOST_STREAMS = 24;
/** Matches text that may be a stream's id. */
const NAME = /^[\w.-]{1,100}$/;

export type DocumentLog = Pick<EventStore, 'readStream' | 'readAll' | 'head'>;
export type DocumentView = View<unknown>;

export interface DocumentStep {
  readonly event: RecordedEvent;
  /** Document after the event. Absent if it leaves none. */
  readonly document?: DocumentView;
  /** Set if the handler threw. The document is unchanged. */
  readonly error?: string;
}

export interface DocumentSteps {
  /** Document before the first of the steps. Absent if there was none. */
  readonly before?: DocumentView;
  readonly steps: readonly DocumentStep[];
  /** True if there are more steps after these. */
  readonly more: boolean;
  /** True if the request reached its limit before the end, so there may be more. */
  readonly bounded: boolean;
  /** Number of scanned events. */
  readonly seen: number;
}

export interface DocumentQuestion {
  readonly projection: AnyProjection;
  readonly id: string;
  /** Streams of its events. Absent: the whole log is scanned. */
  readonly streams?: readonly string[] | undefined;
  /** Number of steps to skip. */
  readonly from?: number | undefined;
  readonly limit: number;
}

/**
 * Returns streams of the projection's categories that may contain events of the document, derived from its id and keys. Most documents have
 * the id of a stream, or one of a store and a name within it.
 */
export function streamsOf(
  { categories }: AnyProjection,
  id: string,
  keys: Readonly<Record<string, unknown>> = {},
): readonly string[] {
  const texts = Object.values(keys).filter((value): value is string => typeof value === 'string' && NAME.test(value));
  const ids = new Set([id, ...id.split('/'), ...texts]);
  return [...ids].flatMap((one) => categories.map((category) => streamName(category, one))).slice(0, MOST_STREAMS);
}

/** Merges several streams in the order of the log. Events that are appended meanwhile are left out of all streams. */
async function* merged(log: DocumentLog, streams: readonly string[]): AsyncGenerator<RecordedEvent> {
  const head = await log.head();
  const open = streams.map((stream) => streamEvents(log, stream));
  const heads = await Promise.all(open.map((one) => one.next()));
  for (;;) {
    let first = -1;
    for (const [i, { done, value }] of heads.entries())
      if (!done && (first === -1 || value.position < heads[first]!.value!.position)) first = i;
    if (first === -1 || heads[first]!.value!.position > head) return;
    yield heads[first]!.value as RecordedEvent;
    heads[first] = await open[first]!.next();
  }
}

/** Yields all events of the categories. */
async function* everywhere(log: DocumentLog, categories: readonly string[]): AsyncGenerator<RecordedEvent> {
  for (let after = BEFORE_ALL; ; ) {
    const page = await log.readAll(after, { filter: { categories }, limit: PAGE });
    yield* page.events;
    if (page.end) return;
    after = page.through;
  }
}

/** Folds one document, and other documents that its handlers read. */
class Folding {
  readonly #views = new Map<string, DocumentView | undefined>();
  readonly #projection: AnyProjection;
  readonly #id: string;
  /** True if handlers read the document of the event's stream, which is then folded too. */
  readonly #readsOthers: boolean;

  constructor(projection: AnyProjection, id: string) {
    this.#projection = projection;
    this.#id = id;
    this.#readsOthers = [...handlersOf(projection).values()].some(({ own }) => own);
  }

  get document(): DocumentView | undefined {
    return this.#views.get(this.#id);
  }

  /** Returns undefined if the event does not affect the document. */
  take(event: RecordedEvent): DocumentStep | undefined {
    const handler = handlersOf(this.#projection).get(event.type);
    if (handler === undefined) return undefined;
    const view = seen(event);
    const own = handler.own ? this.#views.get(view.streamId) : undefined;
    try {
      const ids = handler.ids?.(view, own) ?? [view.streamId];
      const touched = ids.filter((id) => id === this.#id || (this.#readsOthers && id === view.streamId));
      for (const id of touched)
        this.#views.set(id, handler.evolve(this.#views.get(id), view, id, own) as DocumentView | undefined);
      if (!touched.includes(this.#id)) return undefined;
    } catch (error) {
      return { ...this.#step(event), error: messageOf(error) };
    }
    return this.#step(event);
  }

  #step(event: RecordedEvent): DocumentStep {
    const { document } = this;
    return document === undefined ? { event } : { event, document };
  }
}

const eventsFor = (log: DocumentLog, { projection, streams }: Pick<DocumentQuestion, 'projection' | 'streams'>) =>
  streams === undefined ? everywhere(log, projection.categories) : merged(log, streams);

export async function documentSteps(log: DocumentLog, question: DocumentQuestion): Promise<DocumentSteps> {
  const { projection, id, from = 0, limit } = question;
  const end = performance.now() + WITHIN_MS;
  const folding = new Folding(projection, id);
  const steps: DocumentStep[] = [];
  let before: DocumentView | undefined;
  let turn = 0;
  let gone = 0;
  const answer = (more: boolean, bounded: boolean): DocumentSteps => ({
    ...(before !== undefined && { before }),
    ...{ steps, more, bounded, seen: gone },
  });
  for await (const event of eventsFor(log, question)) {
    if (gone >= MOST_SEEN || performance.now() > end) return answer(false, true);
    gone += 1;
    const step = folding.take(event);
    if (step === undefined) continue;
    turn += 1;
    if (turn <= from) before = step.document;
    else if (steps.length < limit) steps.push(step);
    else return answer(true, false);
  }
  return answer(false, false);
}

/**
 * Returns the document after the last event that happened at or before a time (ms since 1970). `bounded`: the history is too long for a
 * request.
 */
export async function documentAt(
  log: DocumentLog,
  { projection, id, streams }: Pick<DocumentQuestion, 'projection' | 'id' | 'streams'>,
  until: number,
): Promise<{ readonly document?: DocumentView; readonly bounded: boolean }> {
  const end = performance.now() + WITHIN_MS;
  const folding = new Folding(projection, id);
  let document: DocumentView | undefined;
  let seen = 0;
  let bounded = false;
  for await (const event of eventsFor(log, { projection, streams })) {
    bounded = seen >= MOST_SEEN || performance.now() > end;
    if (bounded) break;
    seen += 1;
    folding.take(event);
    if (Date.parse(event.meta.at) <= until) document = folding.document;
  }
  return { bounded, ...defined({ document }) };
}
