/**
 * Tests the tasks that a processor creates from events, and their effects:
 *
 *     const spec = processorSpec<Outside>((outside) => greetings(outside));
 *     await spec.given(joined('Asha')).then([{ kind: 'greet', lane: 'member-1' }]);
 *     await spec.given(joined('Asha')).when('greet', { post: async () => 'accepted' }).then({
 *       effects: [['post', 'Hello Asha']],
 *       events: [{ stream: 'member-1', type: 'MemberGreeted', data: { … } }],
 *     });
 *
 * `on` and `perform` run as they are, with real commands on a log in memory. Only the outside world is played, with the
 * answers that the specification gives. Each task is also performed once more, as after a crash before its outcome was
 * written. That must lead to no further event.
 */
import { expect } from 'chai';
import type { DomainEvent } from '../../../domain/decider.js';
import { createCommandHandler } from '../../../engine/commandHandler/commandHandler.js';
import { categoryOf, type RecordedEvent } from '../../../engine/ports/eventStore.js';
import { forgetfulSnapshots } from '../../../engine/ports/snapshots.js';
import { contextOf as processorContext } from '../../../engine/processors/context.js';
import type { AnyProcessor, NewTask, Outcome, ProcessorContext, Task } from '../../../engine/processors/processor.js';
import { type FakeClock, fakeClock } from '../doubles/fakeClock.js';
import { type Given, type HistoryOptions, minute, recorded } from './givenEvents.js';
import { type MemoryLog, memoryLog } from './memoryLog.js';
import { readsOf } from './memoryReads.js';

// biome-ignore lint/suspicious/noExplicitAny: functions of any kind
type Functions = Readonly<Record<string, (...args: any[]) => unknown>>;
/** Call of the outside world: the function's name and its arguments. */
export type Effect = readonly [name: string, ...args: unknown[]];

interface Expected {
  /** Exactly these calls of the outside world. Not checked when absent. */
  readonly effects?: readonly Effect[];
  /** Exactly these new events, in order, each with at least these members of its data. Default: none. */
  readonly events?: readonly { readonly stream: string; readonly type: string; readonly data?: object }[];
  /** Exactly this outcome. Default: `{ done: true }`. */
  readonly outcome?: Outcome;
}

interface Noted {
  /** Expects exactly these tasks, each with at least these members. */
  then(tasks: readonly Partial<NewTask>[]): Promise<void>;
}

interface After {
  readonly ms?: number;
  readonly unconfirmedMs?: number;
}

interface Performing<Outside> {
  /**
   * Performs the last task of this kind, `after` the last event, with these answers of the outside world.
   * `unconfirmedMs`: time until the clock may be confirmed.
   */
  when(kind: string, answers?: Partial<Outside>, after?: After): Performed;
}

interface Performed {
  then(expected: Expected): Promise<void>;
}

export function processorSpec<Outside extends object>(
  processorOf: (outside: Outside) => AnyProcessor,
  options: HistoryOptions<DomainEvent> = {},
): { given(...events: readonly Given[]): Noted & Performing<Outside> } {
  return {
    given(...events) {
      const begin = (answers: Partial<Outside>, { ms = 0, unconfirmedMs = 0 }: After = {}): Stage => {
        const effects: Effect[] = [];
        const processor = processorOf(played(answers as Functions, effects) as unknown as Outside);
        const history = recorded(processor.categories, events, options);
        const evidence = { waitMs: () => unconfirmedMs, report: () => undefined };
        const clock = Object.assign(fakeClock(Date.parse(minute(history.length)) + ms), { evidence });
        return { processor, history, effects, clock, log: memoryLog(history) };
      };
      return {
        // biome-ignore lint/suspicious/noThenProperty: given, then is how specs read; `given` answers nothing to await
        async then(expected) {
          const tasks = await tasksOf(begin({}));
          expect(tasks.map(({ kind }) => kind)).to.deep.equal(expected.map(({ kind }) => kind));
          for (const [i, { payload, ...task }] of expected.entries()) {
            expect(tasks[i]).to.deep.include(task);
            if (payload !== undefined) expect(tasks[i]!.payload).to.deep.include(payload);
          }
        },
        when(kind, answers = {}, after = {}) {
          return {
            // biome-ignore lint/suspicious/noThenProperty: as above
            then: ({ events: happened = [], effects, outcome = { done: true } }) =>
              performedTwice(begin(answers, after), kind, { events: happened, outcome, ...(effects && { effects }) }),
          };
        },
      };
    },
  };
}

/** Parts that one specification runs on. */
interface Stage {
  readonly processor: AnyProcessor;
  readonly history: readonly RecordedEvent[];
  readonly effects: Effect[];
  readonly clock: FakeClock;
  readonly log: MemoryLog;
}

/** Plays the outside world: returns the given answers and records the calls. */
function played(answers: Functions, effects: Effect[]): Functions {
  return new Proxy(answers, {
    get(_, name: string) {
      return (...args: unknown[]) => {
        const answer = answers[name];
        if (answer === undefined) throw new Error(`the specification says no answer of '${name}'`);
        effects.push([name, ...args]);
        return answer(...args);
      };
    },
  });
}

/** Returns the expected members of an event's data. */
const membersOf = (data: object, expected?: object): { data?: object } =>
  expected === undefined ? {} : { data: Object.fromEntries(Object.entries(data).filter(([name]) => name in expected)) };

/** Returns the context of a new process each time, with nothing cached. */
function contextOf({ processor, log, clock }: Stage): ProcessorContext {
  const commands = createCommandHandler({ eventStore: log, snapshots: forgetfulSnapshots, clock });
  const reads = readsOf([], () => log.events);
  return processorContext(processor, { commands, reads, clock }, { signal: new AbortController().signal });
}

async function tasksOf(stage: Stage): Promise<NewTask[]> {
  const { processor, history } = stage;
  const context = contextOf(stage);
  const tasks: NewTask[] = [];
  for (const event of history.filter(({ stream }) => processor.categories.includes(categoryOf(stream)))) {
    const streamId = event.stream.slice(event.stream.indexOf('-') + 1);
    tasks.push(...((await processor.on[event.type]?.({ ...event, streamId } as never, context)) ?? []));
  }
  return tasks;
}

async function performedTwice(
  stage: Stage,
  kind: string,
  { events, effects, outcome }: Expected & Required<Pick<Expected, 'events' | 'outcome'>>,
): Promise<void> {
  const { processor, history, log, clock } = stage;
  const noted = (await tasksOf(stage)).filter((one) => one.kind === kind).at(-1);
  if (noted === undefined) throw new Error(`these events lead to no task '${kind}'`);
  stage.effects.length = 0;
  const task: Task = { dueAt: clock.now(), ...noted, attempt: 1, createdAt: clock.now() };
  const perform = (): Promise<Outcome> => processor.perform[kind]!(task as Task<never>, contextOf(stage));
  const found = await perform();
  expect(found, 'the outcome').to.deep.equal(outcome);
  if (effects !== undefined) expect(stage.effects, 'the effects').to.deep.equal(effects);
  const happened = log.events.slice(history.length);
  const reported = happened.map(({ stream, type, data }, i) => ({ stream, type, ...membersOf(data, events[i]?.data) }));
  expect(reported, 'the new events').to.deep.equal(events);
  await perform();
  expect(log.events.slice(history.length), 'the new events, performed once more').to.deep.equal(happened);
}
