/**
 * Ends sessions for good when something that they depend on ends. Their requests are refused at once anyway, but the sessions must not be
 * revived if it comes back.
 */
import type { KeyEvent } from '../../domain/access/keyEvents.js';
import type { MemberEvent } from '../../domain/access/memberEvents.js';
import { endSession, leaveStore, type Session, session } from '../../domain/access/session.js';
import type { SessionEndReason, SessionEvent } from '../../domain/access/sessionEvents.js';
import type { Decision } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import type { PartnerEvent } from '../../domain/partners/partnerEvents.js';
import { unconfirmedMs } from '../../engine/clockEvidence.js';
import { type EventStore, type Position, streamName } from '../../engine/ports/eventStore.js';
import {
  defineProcessor,
  type NewTask,
  type Outcome,
  type ProcessorContext,
  type Task,
} from '../../engine/processors/processor.js';
import type { CaughtUp } from '../../engine/projections/reads.js';
import { sessionStores, sessions } from '../../projections/sessions.js';

/** Sessions to end, by a key of `sessions` or `sessionStores`. */
interface Ending {
  readonly of: 'memberId' | 'workspaceId' | 'partnerId' | 'publishableKeyId' | 'signingKeyId';
  readonly id: string;
  readonly reason: SessionEndReason;
  /** Position of the event that ends them. Sessions that were opened later are not ended. Absent: all end. */
  readonly before?: Position;
  /** Id of the last processed document. */
  readonly after?: string;
}

interface Expiry {
  readonly sessionId: string;
}

const PORTION = 100;

type Noted = { readonly id: string; readonly position: Position };

function ending({ id }: Noted, of: Ending['of'], owner: string, reason: SessionEndReason, before?: Position) {
  const payload: Ending = { of, id: owner, reason, ...defined({ before }) };
  return { id: `${id}.${of}`, kind: 'end', lane: owner, payload } satisfies NewTask<Ending>;
}

interface Dependencies extends CaughtUp {
  readonly eventStore: Pick<EventStore, 'readStream'>;
}

/** Ends a portion of the sessions, or removes a store from them. Returns the id to continue after. */
async function endPortion(
  task: Task<Ending>,
  { read, commands, contextFor }: ProcessorContext,
  eventStore: Dependencies['eventStore'],
): Promise<string | undefined> {
  const { of, id, reason, before = Number.POSITIVE_INFINITY, after } = task.payload;
  const query = { where: { [of]: id }, limit: PORTION, ...(after === undefined ? {} : { after: [after] }) };
  const context = (sessionId: string) => ({
    ...contextFor(task, {}),
    commandId: `${contextFor(task, {}).commandId}.${sessionId}`,
  });
  const end = async (sessionId: string, decision: Decision<Session, SessionEvent>): Promise<void> => {
    const [opened] = await eventStore.readStream(streamName(session.name, sessionId), { limit: 1 });
    // Opened after the member or the partner was enabled again.
    if (opened !== undefined && opened.position > before) return;
    await commands.decide(context(sessionId), session, sessionId, decision);
  };
  if (of === 'memberId' || of === 'workspaceId') {
    const rows = await read.find(sessionStores, query);
    for (const { body } of rows) await end(body.sessionId, leaveStore(body.workspaceId, reason));
    return rows.length < PORTION ? undefined : rows.at(-1)!.id;
  }
  const rows = await read.find(sessions, query);
  for (const row of rows) await end(row.id, endSession(reason));
  return rows.length < PORTION ? undefined : rows.at(-1)!.id;
}

/**
 * Ends sessions when their member is disabled, a key of theirs is revoked, their partner is suspended, or they cannot be refreshed any
 * more. Sessions of a closed store continue, since it can be read.
 */
export function sessionEndings({ caughtUp, eventStore }: Dependencies) {
  async function end(task: Task<Ending>, context: ProcessorContext): Promise<Outcome> {
    // Before every portion: another instance may do the next one, and its view may be behind.
    await caughtUp(['session']);
    const after = await endPortion(task, context, eventStore);
    if (after === undefined) return { done: true };
    return { again: { at: context.clock.now(), payload: { ...task.payload, after } } };
  }

  async function expire(task: Task<Expiry>, context: ProcessorContext): Promise<Outcome> {
    const { sessionId } = task.payload;
    const wait = unconfirmedMs(context.clock);
    if (wait > 0) return { again: { at: context.clock.now() + wait } };
    await context.commands.decide(context.contextFor(task, {}), session, sessionId, endSession('expired'));
    return { done: true };
  }

  return defineProcessor<SessionEvent | MemberEvent | PartnerEvent | KeyEvent>({
    name: 'sessions',
    categories: ['session', 'members', 'store', 'partner'],
    // Events of members and partners are not derivable: they may have been enabled again since.
    derivable: ['SessionOpened', 'KeyRevoked'],
    on: {
      SessionOpened: ({ id, streamId, data }) => [
        {
          id,
          kind: 'expire',
          lane: streamId,
          dueAt: Date.parse(data.refreshUntil),
          payload: { sessionId: streamId },
        },
      ],
      MemberDisabled: (event) => [ending(event, 'memberId', event.data.memberId, 'member_disabled', event.position)],
      PartnerSuspended: (event) => [ending(event, 'partnerId', event.streamId, 'partner_suspended', event.position)],
      KeyRevoked: (event) => [
        ending(event, 'publishableKeyId', event.data.keyId, 'key_revoked'),
        ending(event, 'signingKeyId', event.data.keyId, 'key_revoked'),
      ],
    },
    perform: { end, expire },
  });
}
