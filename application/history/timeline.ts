/** Events in order that match a query, a bounded part at a time. */
import { refuse } from '../../domain/decider.js';
import { BEFORE_ALL, type Position, type RecordedEvent } from '../../engine/ports/eventStore.js';
import { answers, type EventQuestion } from '../console/eventFilter.js';
import { type HistoryLog, inIndexedLog, inStreams, placeIn, type Step } from './historySteps.js';
import type { Subject } from './historySubjects.js';
import { checkRange } from './ranges.js';

/** Criteria of a query. Empty: all events. */
export type TimelineQuestion = Pick<EventQuestion, 'types' | 'actor' | 'correlationId' | 'from' | 'to'>;

export interface TimelineBounds {
  /** Maximum events per page. */
  readonly limit: number;
  /** Place where the previous page has ended. */
  readonly after?: string | undefined;
  /** Time in ms after which the page ends with the results so far. */
  readonly withinMs: number;
}

export interface Timeline {
  /** The oldest first. */
  readonly events: readonly RecordedEvent[];
  /** Place to continue from (`after`). Absent at the end. */
  readonly next?: string;
}

/** Approximate maximum characters of a page's events. */
const MOST_CHARS = 4_000_000;

/** Events of a page, while there is room. */
class Page {
  readonly events: RecordedEvent[] = [];
  #place: string | undefined;
  #chars = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.events.length >= this.#limit || this.#chars > MOST_CHARS;
  }

  take(event: RecordedEvent, place: string): void {
    this.events.push(event);
    this.#place = place;
    this.#chars += JSON.stringify(event.data).length;
  }

  /** Returns a page that ends here. A full page continues after its last event. */
  endedAt(place: string): Timeline {
    return { events: this.events, next: this.isFull ? (this.#place ?? place) : place };
  }
}

async function collected(
  steps: AsyncIterable<Step>,
  question: EventQuestion,
  { limit, withinMs }: TimelineBounds,
  isAbout: (event: RecordedEvent) => boolean = () => true,
): Promise<Timeline> {
  const end = performance.now() + withinMs;
  const page = new Page(limit);
  for await (const { event, place } of steps) {
    if (event === undefined) {
      if (performance.now() >= end) return page.endedAt(place);
      continue;
    }
    if (!isAbout(event) || !answers(question, event)) continue;
    // Checked with the next event, so that a page has a successor only if there is one.
    if (page.isFull) return page.endedAt(place);
    page.take(event, place);
  }
  return { events: page.events };
}

/** Returns the start of a page of the whole log. */
const beginning = (after: string | undefined, first: Position): Position =>
  after === undefined ? first : placeIn(after, 1)[0]!;

/** Returns events of one subject. Refuses `range_reversed`, `invalid_cursor`, `not_found` without any event. */
export async function timelineOf(
  log: HistoryLog,
  subject: Subject,
  question: TimelineQuestion,
  bounds: TimelineBounds,
): Promise<Timeline> {
  checkRange(question.from, question.to);
  const { streams, id } = subject;
  if (!subject.wholeStore) {
    const from = bounds.after === undefined ? undefined : placeIn(bounds.after, streams.length);
    const page = await collected(inStreams(log, streams, from), question, bounds, subject.touches);
    // A stream that contains other subjects too may contain nothing about this one.
    const isUnknown =
      subject.since === undefined && !subject.always && page.events.length === 0 && page.next === undefined;
    if (isUnknown && bounds.after === undefined && Object.values(question).every((one) => one === undefined))
      refuse('not_found', `There is no ${subject.kind} ${id}.`);
    return page;
  }
  const [first] = await log.readStream(streams[0]!, { limit: 1 });
  const after = beginning(bounds.after, (first?.position ?? 0) - 1);
  const ofStore = { ...question, workspaceId: id };
  return collected(inIndexedLog(log, after, ofStore), ofStore, bounds);
}

/** Returns events of a chain of causes, such as those of a request: in the whole log, or of one store if given. */
export async function timelineOfRequest(
  log: HistoryLog,
  question: TimelineQuestion & Pick<EventQuestion, 'workspaceId'>,
  bounds: TimelineBounds,
): Promise<Timeline> {
  checkRange(question.from, question.to);
  const after = beginning(bounds.after, BEFORE_ALL);
  return collected(inIndexedLog(log, after, question), question, bounds);
}
