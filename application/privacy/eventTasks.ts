/**
 * Tasks about customers store the place of their event in the log, and none of its content. A task in the memory of an instance therefore
 * cannot write a customer's data back to the work store after their erasure there.
 */
import type { EventStore } from '../../engine/ports/eventStore.js';
import type { AnyProcessor, NewTask, Processor, ProcessorContext, Task } from '../../engine/processors/processor.js';
import { seen } from '../../engine/projections/projection.js';
import { NOBODYS_FILE } from '../channel/mediaCopying.js';
import { NOBODYS } from '../channel/sendingTask.js';
import type { PersonTexts } from '../ports/personTexts.js';

interface Rule {
  /** Stored members of the payload: ids, times and counts. */
  readonly stored: readonly string[];
  /** Replacement of the rest once the customer was erased. Absent: the task ends. */
  readonly ofNobody?: object;
}

const CAUSE = ['workspaceId', 'partnerId', 'correlationId', 'conversationId', 'messageId', 'orderId'];

/** Processors whose events contain data of customers, by name. */
const RULES: Readonly<Record<string, Rule>> = {
  outbox: {
    stored: ['numberId', 'queuedAt', 'failures', 'waits', 'place', 'mediaIds', 'acceptedAs'],
    // The conversation then records that the message was not sent.
    ofNobody: NOBODYS,
  },
  orderIntake: { stored: [] },
  orderMessages: { stored: [] },
  // Deletes the copied file.
  media: { stored: ['receivedAt', 'failures', 'damaged'], ofNobody: NOBODYS_FILE },
  routing: { stored: ['until'] },
};

/** Place of a task's event. */
interface Place {
  readonly stream: string;
  readonly revision: number;
}

type Payload = Readonly<Record<string, unknown>> & {
  /** Absent in tasks of earlier versions, which stored their whole payload. */
  readonly of?: Place;
  /** True: the rest of the payload must be read from the log. */
  readonly isPart?: true;
};

export interface EventTasksParts {
  /** A log without data of erased customers. */
  readonly log: Pick<EventStore, 'readStream'>;
  readonly isForgotten: PersonTexts['isForgotten'];
}

function partOf(payload: Payload, stored: ReadonlySet<string>): Payload {
  if (payload.of === undefined) return payload;
  const part = Object.entries(payload).filter(([name]) => stored.has(name));
  return part.length === Object.keys(payload).length ? payload : { ...Object.fromEntries(part), isPart: true };
}

/** Returns the processor with tasks that store no content of their events. Returns it unchanged if its events contain no customer data. */
export function eventTasks<P extends AnyProcessor>(processor: P, { log, isForgotten }: EventTasksParts): AnyProcessor {
  const rule = RULES[processor.name];
  if (rule === undefined) return processor;
  const { ofNobody } = rule;
  const stored = new Set([...CAUSE, 'of', 'isPart', ...rule.stored]);
  const handlers = processor.on as Processor['on'] & Readonly<Record<string, (...args: never[]) => unknown>>;

  type Seen = Parameters<NonNullable<(typeof processor.on)[string]>>[0] & ReturnType<typeof seen>;
  const tasksOf = async (event: Seen, context: ProcessorContext): Promise<readonly NewTask<Payload>[]> => {
    const handler = handlers[event.type] as ((...args: unknown[]) => Promise<readonly NewTask<Payload>[]>) | undefined;
    return (await handler?.(event, context)) ?? [];
  };
  const on = Object.fromEntries(
    Object.keys(processor.on).map((type) => [
      type,
      async (event: Seen, context: ProcessorContext) => {
        const of: Place = { stream: event.stream, revision: event.revision };
        return (await tasksOf(event, context)).map((task) => ({ ...task, payload: { ...task.payload, of } }));
      },
    ]),
  );

  /** Returns the task with its whole payload. Undefined: nothing is left to do. */
  async function whole(task: Task<Payload>, context: ProcessorContext): Promise<Task<Payload> | undefined> {
    const { of, isPart, ...part } = task.payload;
    if (of === undefined) return task;
    if (await isForgotten(of.stream, of.revision))
      return ofNobody && { ...task, payload: { ...task.payload, ...ofNobody } };
    if (isPart === undefined) return task;
    const [event] = await log.readStream(of.stream, { from: of.revision, limit: 1 });
    const tasks = event === undefined ? [] : await tasksOf(seen(event) as Seen, context);
    const same = tasks.find(({ id }) => id === task.id);
    return same && { ...task, payload: { ...same.payload, ...part, of } };
  }

  const perform = Object.fromEntries(
    Object.entries(processor.perform).map(([kind, performed]) => [
      kind,
      async (task: Task<Payload>, context: ProcessorContext) => {
        const all = await whole(task, context);
        return all === undefined ? { done: true as const } : performed(all as never, context);
      },
    ]),
  );
  return { ...processor, on, perform, stored: (payload: Payload) => partOf(payload, stored) };
}
