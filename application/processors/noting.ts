import type { Clock } from '../ports/clock.js';
import type { Position, RecordedEvent } from '../ports/eventStore.js';
import { Fenced, type ReadModels } from '../ports/readModels.js';
import { backOff } from './backOff.js';
import { pause } from './pause.js';
import type { AnyProcessor, NewTask, ProcessorContext } from './processor.js';
import { checkpointName, newTask, type OwedTask, taskDocument, tasksCollection } from './taskDocuments.js';

/** Times that a processor tries to understand one event before it stops: over some 15 s. */
const TRIES = 5;
/** Tasks of one write; a longer batch of events is noted in several. */
const TASKS_PER_WRITE = 500;
/** How long a checkpoint that moved over events without tasks may stay unwritten. */
const IDLE_SAVE_MS = 1000;

/** An event that its processor cannot handle. It stops there: an owed effect is never skipped silently. */
export class PoisonEvent extends Error {
  override readonly name = 'PoisonEvent';
  readonly event: RecordedEvent;
  constructor(event: RecordedEvent, cause: unknown) {
    super(`cannot handle ${event.type} ${event.id}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.event = event;
  }
}

export interface Noting {
  /** For the subscription: notes what the events lead to, with the checkpoint. Throws PoisonEvent and Fenced. */
  batch(events: readonly RecordedEvent[], through: Position): Promise<void>;
  /** Everything up to here is noted. */
  position(): Position;
  /** Writes the checkpoint if it moved. */
  save(): Promise<void>;
}

interface Parts {
  readonly processor: AnyProcessor;
  readonly context: ProcessorContext;
  readonly work: ReadModels;
  readonly clock: Clock;
  readonly from: Position;
  /** Goes with every write, where there may be other owners. */
  readonly fence: number | undefined;
  noted(tasks: readonly OwedTask[]): void;
  trouble(error: unknown): void;
}

type On = (event: object, context: ProcessorContext) => readonly NewTask[] | Promise<readonly NewTask[]>;

/** Turns events into durable tasks: the tasks and the checkpoint are one write, so that no event is noted twice or lost. */
export function createNoting(parts: Parts): Noting {
  const { processor, context, work, clock } = parts;
  const collection = tasksCollection(processor.name);
  const name = checkpointName(processor.name);
  const handlers = processor.on as Readonly<Record<string, On | undefined>>;
  let position = parts.from;
  let saved = parts.from;
  let saving = false;
  let tail: Promise<void> = Promise.resolve();

  async function tasksOf(event: RecordedEvent): Promise<readonly NewTask[]> {
    const handler = handlers[event.type];
    if (handler === undefined) return [];
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

  /** Repeats until it stands in the store: to go on without would be to forget. */
  async function write(tasks: readonly OwedTask[], through: Position): Promise<void> {
    const put = tasks.map(taskDocument);
    const checkpoint = { name, position: through, ...(parts.fence !== undefined && { fence: parts.fence }) };
    for (let failures = 1; ; failures++) {
      try {
        await work.write(put.length === 0 ? {} : { [collection]: { put } }, checkpoint);
        break;
      } catch (error) {
        if (error instanceof Fenced) throw error;
        parts.trouble(error);
        await pause(clock, backOff(failures), context.signal);
        context.signal.throwIfAborted();
      }
    }
    position = Math.max(position, through);
    saved = Math.max(saved, through);
    parts.noted(tasks);
  }

  /** One write after another, so that the checkpoint never goes back. */
  function inTurn(next: () => Promise<void>): Promise<void> {
    const turn = tail.then(next);
    tail = turn.catch(() => undefined);
    return turn;
  }

  const save = (): Promise<void> =>
    inTurn(async () => {
      if (position > saved) await write([], position);
    });

  function saveSoon(): void {
    if (saving) return;
    saving = true;
    clock.at(clock.now() + IDLE_SAVE_MS, () => {
      saving = false;
      if (!context.signal.aborted) save().catch(parts.trouble);
    });
  }

  return {
    async batch(events, through) {
      let tasks: OwedTask[] = [];
      for (const event of events) {
        const more = await tasksOf(event);
        for (const task of more) tasks.push(newTask(task, clock.now()));
        if (tasks.length < TASKS_PER_WRITE) continue;
        const full = tasks;
        await inTurn(() => write(full, event.position));
        tasks = [];
      }
      if (tasks.length > 0) return inTurn(() => write(tasks, through));
      if (through <= position) return;
      position = through;
      saveSoon();
    },
    position: () => position,
    save,
  };
}
