import { defined } from '../../domain/defined.js';
import { derivedId } from '../../domain/ids.js';
import type { CommandHandler } from '../commandHandler/commands.js';
import type { Clock } from '../ports/clock.js';
import type { Reads } from '../projections/reads.js';
import type { AnyProcessor, ProcessorContext, Task } from './processor.js';

interface Parts {
  readonly commands: CommandHandler;
  readonly reads: Reads;
  readonly clock: Clock;
}

/** Shards of a processor whose work is not partitioned. */
export const ONE_SHARD: ProcessorContext['shards'] = { count: 1, of: () => 0, isHere: () => true };

/** Default for contexts that perform no tasks. */
const NONE_PENDING: ProcessorContext['isPending'] = async () => false;

/** Members of a context that differ by run. */
interface RunParts extends Pick<ProcessorContext, 'signal'>, Partial<Pick<ProcessorContext, 'shards' | 'isPending'>> {}

/** Creates the context of a processor's functions, for one run of the processor or of one shard. */
export function contextOf(
  { name }: AnyProcessor,
  { commands, reads: read, clock }: Parts,
  { signal, shards = ONE_SHARD, isPending = NONE_PENDING }: RunParts,
): ProcessorContext {
  const startedAt = clock.steady.now();
  return {
    commands,
    read,
    clock,
    since: () => clock.now() - (clock.steady.now() - startedAt),
    signal,
    shards,
    isPending,
    contextFor: (task: Task, cause) => ({
      commandId: derivedId('task', name, task.id, task.attempt),
      actor: { type: 'system' },
      correlationId: cause.correlationId ?? task.id,
      causationId: task.id,
      ...defined({ workspaceId: cause.workspaceId, partnerId: cause.partnerId }),
    }),
  };
}
