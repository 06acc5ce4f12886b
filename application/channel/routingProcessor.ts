/** Automatic changes of chats: the default team gets the chat, a snooze ends, two customers are merged. */
import { members } from '../../domain/access/members.js';
import { conversation } from '../../domain/channel/conversation.js';
import type { ConversationEvent } from '../../domain/channel/conversationEvents.js';
import { conversationOfKey } from '../../domain/channel/conversationIds.js';
import { endSnooze, mergeAway, routeConversation } from '../../domain/channel/conversationRouting.js';
import { type CustomerKeyEvent, customerKey, moveName } from '../../domain/channel/customerKey.js';
import type { EventMeta } from '../../domain/decider.js';
import { derivedId } from '../../domain/ids.js';
import {
  type Cause,
  causeOf,
  defineProcessor,
  type NewTask,
  type Outcome,
  type ProcessorContext,
  type Task,
} from '../../engine/processors/processor.js';
import { joinCustomers } from './customerClaims.js';
import { defaultTeamOf } from './routing.js';

export interface RoutingDependencies {
  /** Ids of the store's channel numbers. */
  readonly numbersOf: (workspaceId: string) => Promise<readonly string[]>;
}

interface Timer extends Cause {
  readonly conversationId: string;
  /** End of the wait, RFC 3339, as in the event. It identifies the wait. */
  readonly until: string;
}

interface Merge extends Cause {
  /** The customer's previous key. */
  readonly key: string;
  /** The customer's current key. Absent in tasks of earlier versions. */
  readonly into?: string;
  /** Stream of the phone or user id that caused the merge. Absent in tasks of earlier versions. */
  readonly name?: string;
}

interface Merging {
  readonly task: Task<Merge>;
  readonly context: ProcessorContext;
}

const DONE: Outcome = { done: true };

/** Assigns the chat to the current default team. A choice that was made, or offered again, meanwhile is not changed. */
async function takeUp(task: Task<Timer>, context: ProcessorContext): Promise<Outcome> {
  const { workspaceId, conversationId, until } = task.payload;
  const teamId = await context.commands.query(members, workspaceId, defaultTeamOf);
  await context.commands.decide(context.contextFor(task, task.payload), conversation, conversationId, (state) =>
    state.menu?.deadline === until ? routeConversation({ teamId, by: 'deadline' })(state) : [],
  );
  return DONE;
}

async function wake(task: Task<Timer>, context: ProcessorContext): Promise<Outcome> {
  const { conversationId, until } = task.payload;
  const by = context.contextFor(task, task.payload);
  await context.commands.decide(by, conversation, conversationId, endSnooze(until));
  return DONE;
}

/**
 * Moves all names of the customer to the survivor. Returns false if they are not one customer any more, or the survivor was merged before.
 */
async function join({ task, context }: Merging, from: string, into: string, name: string): Promise<boolean> {
  const { commands } = context;
  const by = { ...context.contextFor(task, task.payload), workspaceId: task.payload.workspaceId };
  if ((await commands.query(customerKey, name, ({ key }) => key)) !== into) return false;
  if (await joinCustomers(commands, by, from, into)) return true;
  const commandId = derivedId(by.commandId, 'moved back');
  await commands.decide({ ...by, commandId }, customerKey, name, moveName(into, from));
  return false;
}

/**
 * Closes every conversation that the customer had under the other key. They stay readable. Does nothing if the phone has returned to that
 * key since.
 */
const merge =
  ({ numbersOf }: RoutingDependencies) =>
  async (task: Task<Merge>, context: ProcessorContext): Promise<Outcome> => {
    const { workspaceId, key, into, name } = task.payload;
    const by = context.contextFor(task, task.payload);
    if (into !== undefined && name !== undefined && !(await join({ task, context }, key, into, name))) return DONE;
    for (const numberId of await numbersOf(workspaceId)) {
      const mergedInto = into === undefined ? undefined : conversationOfKey(numberId, into);
      await context.commands.decide(by, conversation, conversationOfKey(numberId, key), mergeAway(mergedInto));
    }
    return DONE;
  };

/** Durable timers of conversations. Repeats change nothing: each first checks whether its wait is still current. */
export function routing(dependencies: RoutingDependencies) {
  const timer = (
    { id, streamId, meta }: { id: string; streamId: string; meta: EventMeta },
    kind: string,
    until: string,
  ): NewTask[] => {
    const cause = causeOf(meta);
    if (cause === undefined) return [];
    const payload: Timer = { ...cause, conversationId: streamId, until };
    return [{ id, kind, lane: `${cause.workspaceId}/${streamId}`, dueAt: Date.parse(until), payload }];
  };
  const perform: Record<string, (task: Task<never>, context: ProcessorContext) => Promise<Outcome>> = {
    deadline: takeUp,
    snooze: wake,
    merge: merge(dependencies),
  };
  return defineProcessor<ConversationEvent | CustomerKeyEvent>({
    name: 'routing',
    categories: ['conversation', 'customer'],
    derivable: ['RoutingMenuOffered', 'ConversationStatusChanged'],
    on: {
      RoutingMenuOffered: (event) => timer(event, 'deadline', event.data.deadline),
      ConversationStatusChanged: (event) =>
        event.data.until === undefined ? [] : timer(event, 'snooze', event.data.until),
      CustomerMoved({ id, streamId, data, meta }) {
        const cause = causeOf(meta);
        if (cause === undefined || data.reason !== 'same_customer') return [];
        const payload: Merge = { ...cause, key: data.before, into: data.key, name: streamId };
        return [{ id, kind: 'merge', lane: `${cause.workspaceId}/${streamId}`, payload }];
      },
    },
    perform,
  });
}
