/** `suuq processors settle`: for a log whose work was lost, or that is an older copy than its work. */
import { randomUUID } from 'node:crypto';
import { idempotencyKeys } from '../../api/http/idempotency/idempotency.js';
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { createCommandHandler } from '../../engine/commandHandler/commandHandler.js';
import { systemClock } from '../../engine/ports/clock.js';
import { markOf } from '../../engine/ports/eventStore.js';
import type { Log } from '../../engine/ports/log.js';
import { forgetfulSnapshots } from '../../engine/ports/snapshots.js';
import { SETTLEMENTS, settle, settlements } from '../../engine/processors/tasks/settlement.js';
import { judgeWork, settleWork } from '../../engine/processors/tasks/workOrigin.js';
import { upcasting } from '../../engine/upcasting.js';
import { evolvedEvents } from '../../service/composition/events.js';
import { checkLog } from '../../service/engines/engineChecks.js';
import { isShared, openEmbeddedWork, openEventEngine, openSharedDocuments } from '../../service/engines/engines.js';
import { takeDataFolder, visitDataFolder } from '../../service/folder/dataFolder.js';
import type { Settings } from '../../service/settings/settings.js';
import { Undo } from '../../service/shutdown.js';

/** Settings of a settlement. */
export type SettleSettings = Pick<Settings, 'data' | 'eventStoreUrl' | 'mongoUrl' | 'maxAppendSize'>;

/** Reason of the settlement, and the operator's account. */
export interface SettlementReason {
  readonly reason: string;
  readonly operator?: string | undefined;
}

export interface Settlement {
  readonly because: 'work_is_missing' | 'log_is_older';
  /** Processors that had come further than the log: their tasks are forgotten. */
  readonly processors: readonly string[];
  /** Position of the settlement's event; everything up to it is settled. */
  readonly position: number;
}

const WAITS_MS = 10_000;

/**
 * Declares the backlog void while no service runs, and records that in the log with the reason. Refuses `not_needed` if log and work match.
 * Rejects with FolderInUse, OtherLog, or an engine's error at its opening.
 */
export async function settleProcessors(
  settings: SettleSettings,
  text: SettlementReason,
  log: Log,
): Promise<Settlement> {
  const undo = new Undo();
  try {
    return await settled(settings, text, log, undo);
  } finally {
    await undo.run(log);
  }
}

async function settled(
  settings: SettleSettings,
  { reason, operator }: SettlementReason,
  log: Log,
  undo: Undo,
): Promise<Settlement> {
  const folder = isShared(settings) ? visitDataFolder(settings.data) : takeDataFolder(settings.data);
  undo.guard('data folder', () => folder.release());
  const wait = { withinMs: WAITS_MS, log };
  const events = await openEventEngine(settings, folder, wait, true);
  undo.add('log', () => events.store.close());
  const shared = settings.mongoUrl === undefined ? undefined : await openSharedDocuments(settings.mongoUrl, wait);
  const { work, name } = shared ?? { work: openEmbeddedWork(settings, folder), name: 'work.db' };
  undo.add('work', () => shared?.close() ?? work.close());
  if (settings.eventStoreUrl !== undefined || shared !== undefined) await checkLog(events, { work, name });
  const state = await judgeWork(events.store, work);
  if (state.fits)
    refuse('not_needed', 'Log and work match: the backlog is known, and the processors continue with it.');
  const eventStore = upcasting(events.store, evolvedEvents);
  const handler = { eventStore, snapshots: forgetfulSnapshots, clock: systemClock, evolved: evolvedEvents };
  const commands = createCommandHandler(handler);
  undo.add('commands', () => commands.idle());
  const id = randomUUID();
  const actor = { type: 'system', id: 'operator' } as const;
  const by = { commandId: id, actor, correlationId: id, ...defined({ operator }) };
  const record = async (processors: readonly string[]) => {
    await commands.decide(by, settlements, SETTLEMENTS, settle(state.code, processors, reason));
    const [event] = await eventStore.readStream(`${settlements.name}-${SETTLEMENTS}`, {
      direction: 'backwards',
      limit: 1,
    });
    return { position: event!.position, mark: markOf(event!) };
  };
  const { place, processors } = await settleWork(eventStore, work, record, [idempotencyKeys.name]);
  return { because: state.code, processors, position: place.position };
}
