import { messageOf } from '../messageOf.js';
import type { Clock } from '../ports/clock.js';
import type { Position, RecordedEvent } from '../ports/eventStore.js';
import { backOff } from './backOff.js';
import type { Noted } from './freshTasks.js';
import type { Ledger } from './ledger.js';
import { pause } from './pause.js';
import type { AnyProcessor, NewTask, ProcessorContext } from './processor.js';
import { newTask } from './taskDocuments.js';

/** Times that a processor tries to understand one event before it stops: over some 15 s. */
const TRIES = 5;
/** Tasks that are noted at once; a longer batch of events is noted in several. */
const TASKS_AT_ONCE = 500;

/** An event that its processor cannot handle. It stops there: an owed effect is never skipped silently. */
export class PoisonEvent extends Error {
  override readonly name = 'PoisonEvent';
  readonly event: RecordedEvent;
  constructor(event: RecordedEvent, cause: unknown) {
    super(`cannot handle ${event.type} ${event.id}: ${messageOf(cause)}`, {
      cause,
    });
    this.event = event;
  }
}

export interface Noting {
  /** For the subscription: notes what the events lead to. Throws PoisonEvent. */
  batch(events: readonly RecordedEvent[], through: Position): Promise<void>;
}

interface Parts {
  readonly processor: AnyProcessor;
  readonly context: ProcessorContext;
  readonly clock: Clock;
  readonly ledger: Ledger;
  /** Ids of the events that are passed over; may grow. */
  readonly skipped: ReadonlySet<string>;
  trouble(error: unknown): void;
}

type On = (event: object, context: ProcessorContext) => readonly NewTask[] | Promise<readonly NewTask[]>;

/** Turns events into tasks. */
export function createNoting(parts: Parts): Noting {
  const { processor, context, clock, ledger, skipped } = parts;
  const handlers = processor.on as Readonly<Record<string, On | undefined>>;

  async function tasksOf(event: RecordedEvent): Promise<readonly NewTask[]> {
    const handler = handlers[event.type];
    if (handler === undefined || skipped.has(event.id)) return [];
    const view = { ...event, streamId: event.stream.slice(event.stream.indexOf('-') + 1) };
    for (let failures = 1; ; failures++) {
      try {
        return await handler(view, context);
      } catch (error) {
        context.signal.throwIfAborted();
        if (failures === TRIES) throw new PoisonEvent(event, error);
        parts.trouble(error);
        await pause(clock, backOff(failures), context.signal);
        context.signal.throwIfAborted();
      }
    }
  }

  return {
    async batch(events, through) {
      let tasks: Noted[] = [];
      let before = ledger.noted();
      for (const event of events) {
        try {
          for (const task of await tasksOf(event)) tasks.push({ task: newTask(task, clock.now()), before });
        } catch (error) {
          // What stands before a poison event is owed, however long it stands there.
          if (error instanceof PoisonEvent) await ledger.note(tasks, before);
          throw error;
        }
        before = event.position;
        if (tasks.length < TASKS_AT_ONCE) continue;
        await ledger.note(tasks, event.position);
        tasks = [];
      }
      await ledger.note(tasks, through);
    },
  };
}
