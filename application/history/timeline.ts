/** What happened, in order, as far as a question goes: a bounded part of it at a time. */
import { refuse } from '../../domain/decider.js';
import { BEFORE_ALL, type Position, type RecordedEvent } from '../../engine/ports/eventStore.js';
import { answers, type EventQuestion } from '../console/eventFilter.js';
import { checkRange } from './ranges.js';
import { type HistoryLog, inIndexedLog, inStreams, placeIn, type Step } from './steps.js';
import type { Subject } from './subjects.js';

/** What of a history is asked for; everything when empty. */
export type TimelineQuestion = Pick<EventQuestion, 'types' | 'actor' | 'correlationId' | 'from' | 'to'>;

export interface TimelineBounds {
  /** Events of a page at most. */
  readonly limit: number;
  /** Where the page before has ended. */
  readonly after?: string | undefined;
  /** After so many ms the page ends with what it has. */
  readonly withinMs: number;
}

export interface Timeline {
  /** Oldest first. */
  readonly events: readonly RecordedEvent[];
  /** Where to go on from (`after`); absent at the end. */
  readonly next?: string;
}

/** Text of a page's events at most, about. */
const MOST_CHARS = 4_000_000;

/** The events of a page, as long as there is room for them. */
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

  /** A page that ends here: what a full one left out begins behind its last event. */
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
    // One more than a page holds: only then is there a next one.
    if (page.isFull) return page.endedAt(place);
    page.take(event, place);
  }
  return { events: page.events };
}

/** Where a page of the whole log begins. */
const beginning = (after: string | undefined, first: Position): Position =>
  after === undefined ? first : placeIn(after, 1)[0]!;

/** Of one subject. Refuses `range_reversed`, `invalid_cursor`, `not_found` where nothing ever happened to it. */
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
    // A stream that holds others too may hold nothing of it.
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

/** All that happened in a chain of causes, such as by one request: in the whole log, of one store where it is given. */
export async function timelineOfRequest(
  log: HistoryLog,
  question: TimelineQuestion & Pick<EventQuestion, 'workspaceId'>,
  bounds: TimelineBounds,
): Promise<Timeline> {
  checkRange(question.from, question.to);
  const after = beginning(bounds.after, BEFORE_ALL);
  return collected(inIndexedLog(log, after, question), question, bounds);
}
