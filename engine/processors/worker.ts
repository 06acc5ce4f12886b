import { setMaxListeners } from 'node:events';
import { derivedId } from '../../domain/ids.js';
import { messageOf } from '../messageOf.js';
import type { Tenure } from '../ownership/tenure.js';
import { Fenced } from '../ports/documents.js';
import { BEFORE_ALL, type Position, type Subscription } from '../ports/eventStore.js';
import { createFrontier } from './frontier.js';
import { createLanes } from './lanes.js';
import { createLedger, type Ledger } from './ledger.js';
import { createNoting, type Noting, PoisonEvent } from './noting.js';
import { pause } from './pause.js';
import { concurrencyOf, createPerformer } from './performer.js';
import type { AnyProcessor, ProcessorContext, Task } from './processor.js';
import type { ProcessorRuntimeParts, ProcessorStatus } from './runtimeParts.js';
import { untilSkipped } from './standing.js';
import { skippedNow } from './stops.js';
import { checkpointName, tasksCollection, tasksDefinition } from './taskDocuments.js';
import { createWriter } from './writer.js';

/** Memory of one processor: 2,000 tasks, at most 32 of a lane; some 200 bytes for each lane that has something due. */
const LIMITS = { window: 32, tasks: 2000, lanes: 50_000 };
const STOP_MS = 5000;
/** After the loss of its lease: what does not end by then goes on without a say. */
const ABANDON_MS = 1000;
const RESUBSCRIBE_MS = 1000;

export interface Worker {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Another owns the processor: aborts what is in flight, and writes nothing more. */
  abandon(): Promise<void>;
  status(): ProcessorStatus;
}

/** Resolves with the promise or after `ms` of real time, whichever is first. */
async function within(ms: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, late]);
  clearTimeout(timer);
}

/** Where a processor goes on; a new one begins at the store's beginning, or with `from: 'now'` at its end. */
async function placeOf(
  processor: AnyProcessor,
  { work, eventStore }: ProcessorRuntimeParts,
  fence: number | undefined,
): Promise<Position> {
  const name = checkpointName(processor.name);
  const mine = fence === undefined ? undefined : { name, fence };
  const stored = mine ? await work.claim(mine, [tasksCollection(processor.name)]) : await work.checkpoint(name);
  if (processor.from !== 'now' || stored !== BEFORE_ALL) return stored;
  // A second name marks that the beginning was chosen: in an empty store both places are the same.
  const begun = `${name}_begun`;
  if ((await work.checkpoint(begun)) !== BEFORE_ALL) return stored;
  const head = await eventStore.head();
  if (head !== BEFORE_ALL) await work.write({}, { name, position: head, ...mine });
  await work.write({}, { name: begun, position: 0 });
  return head;
}

/**
 * One processor at work: notes tasks from its subscription, performs what is due. `tenure`: where other instances may
 * take it over. Then nothing is begun once that is over, each write bears its fence, and `Fenced` ends the work quietly.
 */
export function createWorker(processor: AnyProcessor, parts: ProcessorRuntimeParts, tenure?: Tenure): Worker {
  const { work, clock, log, eventStore } = parts;
  const fence = tenure?.fence;
  const collection = tasksCollection(processor.name);
  const aborting = new AbortController();
  // One listener for each effect in flight, of which there may be many.
  setMaxListeners(0, aborting.signal);
  const context: ProcessorContext = {
    commands: parts.commands,
    read: parts.reads,
    clock,
    signal: aborting.signal,
    contextFor: (task: Task, cause) => ({
      commandId: derivedId('task', processor.name, task.id, task.attempt),
      actor: { type: 'system' },
      correlationId: cause.correlationId ?? task.id,
      causationId: task.id,
      ...(cause.workspaceId === undefined ? {} : { workspaceId: cause.workspaceId }),
      ...(cause.partnerId === undefined ? {} : { partnerId: cause.partnerId }),
    }),
  };
  let state: ProcessorStatus['state'] = 'stopped';
  let failure: ProcessorStatus['failure'];
  let lastTrouble: string | undefined;
  let ledger: Ledger | undefined;
  let subscription: Subscription | undefined;
  /** Ids of the events that it passes over. */
  let skipped = new Set<string>();
  let following: Promise<void> = Promise.resolve();

  const trouble = (error: unknown): void => {
    if (error instanceof Fenced) return;
    lastTrouble = messageOf(error);
    log.warn({ processor: processor.name, error: messageOf(error) }, 'a processor has trouble and tries again');
  };
  const fenced = (): void => {
    aborting.abort();
    tenure?.fenced();
  };
  const lanes = createLanes({ ...LIMITS, turns: concurrencyOf(processor) });
  const frontier = createFrontier({ work, collection, clock, lanes, found: () => performer.pump(), trouble });
  const performer = createPerformer({
    processor,
    context,
    work,
    clock,
    lanes,
    ledger: { finish: (finished) => ledger?.finish(finished), room: () => ledger?.room() ?? false },
    frontier,
    mayAct: () => tenure?.valid() ?? true,
    performed: (task, result, ms) => parts.metrics?.performed(processor.name, task.kind, result, ms),
    failed(task, error) {
      lastTrouble = messageOf(error);
      const details = { processor: processor.name, task: task.id, kind: task.kind, attempt: task.attempt };
      log.warn({ ...details, error: messageOf(error) }, 'a task failed and will be performed again');
    },
    trouble,
  });

  function openLedger(from: Position, writeUpTo: Position): Ledger {
    const name = checkpointName(processor.name);
    return createLedger({
      writer: createWriter({ work, name, clock, fence, fenced, trouble }, from),
      collection,
      clock,
      lanes,
      from,
      writeUpTo,
      isShared: fence !== undefined,
      signal: aborting.signal,
      admit: (tasks) => tasks.forEach(performer.admit),
      pump: () => performer.pump(),
    });
  }

  /** Follows the log until the stop; stands at an event that cannot be handled until that is skipped. */
  async function follow({ noted }: Ledger, { batch }: Noting): Promise<void> {
    const filter = { categories: processor.categories, types: Object.keys(processor.on) };
    while (!aborting.signal.aborted) {
      try {
        subscription = eventStore.subscribe(noted(), filter, { batch });
        await subscription.ended;
        return;
      } catch (error) {
        if (aborting.signal.aborted) return;
        if (error instanceof Fenced) return fenced();
        await (error instanceof PoisonEvent ? standAt(error) : tryLater(error));
      }
    }
  }

  function tryLater(error: unknown): Promise<void> {
    trouble(error);
    return pause(clock, RESUBSCRIBE_MS, aborting.signal);
  }

  function fail(error: PoisonEvent): void {
    const { id, type, stream, revision, position } = error.event;
    state = 'failed';
    failure = { message: error.message, event: { id, type, stream, revision, position } };
    parts.metrics?.stopped(processor.name);
    log.error({ processor: processor.name, ...failure }, 'a processor has stopped at an event that it cannot handle');
  }

  /** Until the event is skipped, or the work ends. */
  async function standAt(poison: PoisonEvent): Promise<void> {
    fail(poison);
    const standing = { ...parts, processor: processor.name, signal: aborting.signal, fence, fenced, trouble };
    const now = await untilSkipped(standing, { event: poison.event, error: poison.message });
    if (now === undefined) return;
    for (const id of now) skipped.add(id);
    state = 'running';
    failure = undefined;
    log.info({ processor: processor.name, event: poison.event.id }, 'a processor goes on behind a skipped event');
  }

  return {
    async start() {
      await work.open(tasksDefinition(processor.name));
      const from = await placeOf(processor, parts, fence);
      // An owner before may just be writing tasks of events that it knew; what is written here too it cannot bring back.
      ledger = openLedger(from, fence === undefined ? BEFORE_ALL : await eventStore.head());
      skipped = new Set(await skippedNow(eventStore, processor.name));
      state = 'running';
      frontier.look();
      following = follow(ledger, createNoting({ processor, context, clock, ledger, skipped, trouble }));
    },
    async stop() {
      aborting.abort();
      ledger?.stop();
      await within(STOP_MS, Promise.all([subscription?.stop(), following, frontier.stop(), performer.idle()]));
      await within(STOP_MS, ledger?.save() ?? Promise.resolve());
      state = 'stopped';
    },
    async abandon() {
      aborting.abort();
      ledger?.stop();
      state = 'stopped';
      await within(ABANDON_MS, Promise.all([subscription?.stop(), following, frontier.stop(), performer.idle()]));
    },
    status: () => ({
      name: processor.name,
      state,
      position: ledger?.settled() ?? BEFORE_ALL,
      inFlight: performer.inFlight(),
      ...lanes.size(),
      ...(frontier.nextDueAt() === undefined ? {} : { nextDueAt: frontier.nextDueAt() }),
      ...(failure === undefined ? {} : { failure }),
      ...(lastTrouble === undefined ? {} : { lastTrouble }),
    }),
  };
}
