/**
 * Events that an operator lets a projection or a processor pass over, because its handler cannot take them in, and what a
 * processor is to try again. Each is a fact of the log, so it holds on every instance and after every restart. What is stored here stays readable for ever: add
 * fields as optional.
 */
import { type Aggregate, refuse } from '../../domain/decider.js';
import {
  Code,
  defineEvents,
  type EventsOf,
  event,
  Id,
  Label,
  Maybe,
  Personal,
  Shape,
  type Stored,
  Text,
  Time,
  Whole,
} from '../../domain/storedEvents.js';
import { type EventStore, streamName } from '../ports/eventStore.js';
import { streamEvents } from '../streamPages.js';

// Events ---------------------------------------------------------------------------------------------------------------

const SkippedEvent = Shape('SkippedEvent', {
  name: Label('Of the projection or processor.'),
  version: Maybe(Whole('Of a projection: a higher version reads the event again, since its handler was mended.')),
  eventId: Id(),
  type: Code(),
  stream: Personal('derivedId', Text()),
  position: Whole('Where the event stood in this log; in a log that the history was moved to it stands elsewhere.'),
  reason: Label(),
});
export type SkippedEvent = Stored<typeof SkippedEvent>;

export const projectionSkipEvents = defineEvents({
  ProjectionEventSkipped: event(
    'The operator lets a projection pass over the event that it stopped at.',
    {
      ...SkippedEvent.properties,
      version: Whole('Of the projection: a higher one reads the event again, since its handler was mended.'),
    },
    { subject: 'unknown' },
  ),
});
export type ProjectionEventSkipped = EventsOf<typeof projectionSkipEvents>;

export const processorSkipEvents = defineEvents({
  ProcessorEventSkipped: event(
    'The operator lets a processor pass over the event that it stopped at.',
    SkippedEvent.properties,
    { subject: 'unknown' },
  ),
  ProcessorRetried: event(
    'The operator has a processor try again at once: the event that it stopped at, tasks that wait, or both.',
    {
      name: Label('Of the processor.'),
      eventId: Maybe(Id(), 'The event that it stopped at.'),
      tasks: Whole('How many tasks were brought forward.'),
      dueAt: Time('When they are due since.'),
      task: Maybe(
        Personal('derivedId', Text()),
        'The one that was asked for; all that were tried before, when absent.',
      ),
      since: Maybe(Time('Only those that were noted since.')),
    },
    { subject: 'unknown' },
  ),
});
export type ProcessorSkipEvent = EventsOf<typeof processorSkipEvents>;
export type ProcessorEventSkipped = Extract<ProcessorSkipEvent, { type: 'ProcessorEventSkipped' }>;
export type ProcessorRetried = Extract<ProcessorSkipEvent, { type: 'ProcessorRetried' }>;
type EventSkipped = ProjectionEventSkipped | ProcessorSkipEvent;

// State, evolve --------------------------------------------------------------------------------------------------------

/** Ids of the skipped events, by version; processors have none, and theirs counts as 0. */
export type Skips = ReadonlyMap<number, ReadonlySet<string>>;

const NONE: ReadonlySet<string> = new Set();

/** The ids of the events that this version passes over. */
export const skippedBy = (skips: Skips, version = 0): ReadonlySet<string> => skips.get(version) ?? NONE;

function evolve(skips: Skips, event: EventSkipped): Skips {
  if (event.type === 'ProcessorRetried') return skips;
  const { version = 0, eventId } = event.data as SkippedEvent;
  return new Map(skips).set(version, new Set(skippedBy(skips, version)).add(eventId));
}

const skipsOf = <E extends EventSkipped>(name: string): Aggregate<Skips, E> => ({
  name,
  initial: () => new Map(),
  evolve,
});

/** Of one projection, `projection-{name}`. */
export const projectionSkips = skipsOf<ProjectionEventSkipped>('projection');
/** Of one processor, `processor-{name}`. */
export const processorSkips = skipsOf<ProcessorSkipEvent>('processor');

// Commands, decide -----------------------------------------------------------------------------------------------------

/** What somebody wants to be passed over, and where the projection or processor stands. */
export interface SkipEvent {
  readonly name: string;
  readonly eventId: string;
  readonly reason: string;
  /** The event that it stopped at; undefined when it stands at none. */
  readonly stopped: Omit<SkippedEvent, 'name' | 'reason' | 'version'> | undefined;
}

/** The event that it stands at, and no other, can be skipped; once more changes nothing. */
function skipped(
  { name, eventId, reason, stopped }: SkipEvent,
  already: ReadonlySet<string>,
): SkippedEvent | undefined {
  if (already.has(eventId)) return undefined;
  if (stopped === undefined) refuse('not_stopped', `${name} stands at no event, so there is nothing to skip.`);
  if (stopped.eventId !== eventId)
    refuse('other_event', `${name} stands at another event: ${stopped.type} ${stopped.eventId} of ${stopped.stream}.`);
  const { type, stream, position } = stopped;
  return { name, eventId, type, stream, position, reason };
}

export const skipProjectionEvent =
  (command: SkipEvent & { readonly version: number }) =>
  (skips: Skips): readonly ProjectionEventSkipped[] => {
    const { version } = command;
    const data = skipped(command, skippedBy(skips, version));
    return data === undefined ? [] : [{ type: 'ProjectionEventSkipped', data: { ...data, version } }];
  };

export const skipProcessorEvent =
  (command: SkipEvent) =>
  (skips: Skips): readonly ProcessorEventSkipped[] => {
    const data = skipped(command, skippedBy(skips));
    return data === undefined ? [] : [{ type: 'ProcessorEventSkipped', data }];
  };

/** What was tried again is told, even where it changed no state. */
export const retryProcessor = (data: ProcessorRetried['data']) => (): readonly ProcessorRetried[] => [
  { type: 'ProcessorRetried', data },
];

// Queries --------------------------------------------------------------------------------------------------------------

/** What the log says now, for those who have no command handler. */
export async function readSkips(
  eventStore: Pick<EventStore, 'readStream'>,
  { name: category }: Pick<Aggregate<Skips, EventSkipped>, 'name'>,
  name: string,
): Promise<Skips> {
  let skips: Skips = new Map();
  for await (const event of streamEvents(eventStore, streamName(category, name)))
    skips = evolve(skips, event as unknown as EventSkipped);
  return skips;
}

/** How often an operator has had a processor try this event again. */
export async function retriesOf(
  eventStore: Pick<EventStore, 'readStream'>,
  name: string,
  eventId: string,
): Promise<number> {
  let count = 0;
  for await (const { type, data } of streamEvents(eventStore, streamName(processorSkips.name, name)))
    if (type === 'ProcessorRetried' && (data as ProcessorRetried['data']).eventId === eventId) count++;
  return count;
}
