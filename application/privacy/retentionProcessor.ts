import { derivedId } from '../../domain/ids.js';
import type { RetentionEvent } from '../../domain/privacy/retention.js';
import { clockConfirmed } from '../../engine/clockEvidence.js';
import { bindCommands } from '../../engine/commandHandler/boundCommands.js';
import {
  defineProcessor,
  type NewTask,
  type Outcome,
  type ProcessorContext,
  type Task,
} from '../../engine/processors/processor.js';
import type { CaughtUp } from '../../engine/projections/reads.js';
import type { CommandsAbout } from './forgetting.js';
import { DAY_MS, type Retaining, ruleOf } from './retentionWalks.js';

/** Rule of the task. A newer rule has a task of its own. */
interface RetentionPayload {
  readonly of: string;
  readonly turn: number;
}

export interface RetentionProcessorParts extends CaughtUp {
  readonly retaining: Pick<Retaining, 'take'>;
}

/** Delay between runs while more customers wait. */
const MORE_MS = 3_600_000;
/** Delay before the first run, so that a mistaken rule can be removed. */
const FIRST_MS = 3_600_000;
const LANE = 'retention';

/**
 * Durable timers of the retention rules: once a day, customers without activity in the period of the rule are erased. All rules share one
 * lane, on one instance.
 */
export function retentionProcessor({ retaining, caughtUp }: RetentionProcessorParts) {
  async function check(task: Task<RetentionPayload>, context: ProcessorContext): Promise<Outcome> {
    const { of, turn } = task.payload;
    const rule = await ruleOf(context.commands, of);
    if (rule.turn !== turn || typeof rule.days !== 'number') return { done: true };
    await clockConfirmed(context.clock, context.signal);
    // A customer who has just written must not be erased because a read model lags.
    const shown = () => caughtUp(['conversation', 'order', 'numberList', 'retention', 'store']);
    await shown();
    const { more } = await retaining.take(commandsFor(task, context), { of, signal: context.signal, shown });
    return { again: { at: context.clock.now() + (more ? MORE_MS : DAY_MS) } };
  }

  return defineProcessor<RetentionEvent>({
    name: 'retention',
    categories: ['retention'],
    derivable: ['RetentionSet'],
    spread: () => LANE,
    on: {
      RetentionSet({ id, streamId, revision, data, meta }): NewTask<RetentionPayload>[] {
        if (data.days === undefined) return [];
        const dueAt = Date.parse(meta.at) + FIRST_MS;
        return [{ id, kind: 'look', lane: LANE, dueAt, payload: { of: streamId, turn: revision + 1 } }];
      },
    },
    perform: { look: check },
  });
}

/** Commands with an id of their own each. */
function commandsFor(task: Task, { commands, contextFor }: ProcessorContext): CommandsAbout {
  let count = 0;
  return (about) =>
    bindCommands(commands, () => {
      const by = contextFor(task, about);
      return { ...by, commandId: derivedId(by.commandId, count++) };
    });
}
