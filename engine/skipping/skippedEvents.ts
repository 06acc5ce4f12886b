/**
 * Events that an operator lets a projection or a processor skip because its handler cannot process them, and retries
 * that an operator requested of a processor. Each is a fact in the log, so it applies to every instance and after every
 * restart. Stored events must stay readable for ever: add fields as optional.
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
  version: Maybe(
    Whole('Version of the projection. A higher version reads the event again, because its handler was fixed.'),
  ),
  eventId: Id(),
  type: Code(),
  stream: Personal('derivedId', Text()),
  position: Whole('Position of the event in this log. After a move of the history, its position differs.'),
  reason: Label(),
});
export type SkippedEvent = Stored<typeof SkippedEvent>;

export const projectionSkipEvents = defineEvents({
  ProjectionEventSkipped: event(
    'The operator skips the event at which a projection stopped.',
    {
      ...SkippedEvent.properties,
      version: Whole(
        'Version of the projection. A higher version reads the event again, because its handler was fixed.',
      ),
    },
    { subject: 'unknown' },
  ),
});
export type ProjectionEventSkipped = EventsOf<typeof projectionSkipEvents>;

export const processorSkipEvents = defineEvents({
  ProcessorEventSkipped: event('The operator skips the event at which a processor stopped.', SkippedEvent.properties, {
    subject: 'unknown',
  }),
  ProcessorRetried: event(
    'The operator makes a processor retry at once: the event at which it stopped, waiting tasks, or both.',
    {
      name: Label('Of the processor.'),
      eventId: Maybe(Id(), 'The event that it stopped at.'),
      tasks: Whole('Number of tasks that became due.'),
      dueAt: Time('Time since when they are due.'),
      task: Maybe(Personal('derivedId', Text()), 'The requested task. If absent, all tasks that were tried before.'),
      since: Maybe(Time('Only tasks that were created since.')),
    },
    { subject: 'unknown' },
  ),
});
export type ProcessorSkipEvent = EventsOf<typeof processorSkipEvents>;
export type ProcessorEventSkipped = Extract<ProcessorSkipEvent, { type: 'ProcessorEventSkipped' }>;
export type ProcessorRetried = Extract<ProcessorSkipEvent, { type: 'ProcessorRetried' }>;
type EventSkipped = ProjectionEventSkipped | ProcessorSkipEvent;

// State, evolve --------------------------------------------------------------------------------------------------------

/** Ids of the skipped events by version. Processors have no version; theirs counts as 0. */
export type Skips = ReadonlyMap<number, ReadonlySet<string>>;

const NONE: ReadonlySet<string> = new Set();

/** Returns the ids of the events that this version skips. */
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

/** Skips of one projection, stream `projection-{name}`. */
export const projectionSkips = skipsOf<ProjectionEventSkipped>('projection');
/** Skips of one processor, stream `processor-{name}`. */
export const processorSkips = skipsOf<ProcessorSkipEvent>('processor');

// Commands, decide -----------------------------------------------------------------------------------------------------

/** Request to skip an event, with the event at which the projection or processor has stopped. */
export interface SkipEvent {
  readonly name: string;
  readonly eventId: string;
  readonly reason: string;
  /** The event it stopped at; undefined if it has not stopped at an event. */
  readonly stopped: Omit<SkippedEvent, 'name' | 'reason' | 'version'> | undefined;
}

/** Only the event at which it has stopped can be skipped. Skipping it twice changes nothing. */
function skipped(
  { name, eventId, reason, stopped }: SkipEvent,
  already: ReadonlySet<string>,
): SkippedEvent | undefined {
  if (already.has(eventId)) return undefined;
  if (stopped === undefined) refuse('not_stopped', `${name} is not stopped at an event, so there is nothing to skip.`);
  if (stopped.eventId !== eventId)
    refuse(
      'other_event',
      `${name} is stopped at another event: ${stopped.type} ${stopped.eventId} of ${stopped.stream}.`,
    );
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

/** Records a retry, even if it changed no state. */
export const retryProcessor = (data: ProcessorRetried['data']) => (): readonly ProcessorRetried[] => [
  { type: 'ProcessorRetried', data },
];

// Queries --------------------------------------------------------------------------------------------------------------

/** Reads the current skips from the log, for callers without a command handler. */
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

/** Counts how often an operator had a processor retry this event. */
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
