/** All data that a store has about a staff member, as a sequence of entries: in the form of the API, then from the log. */
import { members } from '../../domain/access/members.js';
import { dataExports } from '../../domain/privacy/dataExports.js';
import { store } from '../../domain/stores/store.js';
import { type EventStore, streamName } from '../../engine/ports/eventStore.js';
import { eachRow } from '../../engine/projections/allRows.js';
import type { Reads } from '../../engine/projections/reads.js';
import { streamEvents } from '../../engine/streamPages.js';
import { members as memberViews } from '../../projections/members.js';
import { sessionStores, sessions } from '../../projections/sessions.js';
import { type PersonEntry, publicEvent } from './personData.js';
import type { Staff } from './staff.js';

export interface StaffDataParts {
  readonly reads: Reads;
  readonly log: Pick<EventStore, 'readStream'>;
}

/** Uses bounded memory, however long the history is. */
export async function* staffEntries(
  { reads, log }: StaffDataParts,
  { workspaceId, member, owner }: Staff,
): AsyncGenerator<PersonEntry> {
  if (owner !== undefined) {
    yield { kind: 'owner', workspaceId, of: owner };
    for await (const event of streamEvents(log, streamName(store.name, workspaceId)))
      if (event.type === 'StoreCreated') yield { kind: 'event', workspaceId, of: publicEvent(event) };
  }
  if (member === undefined) return;
  const view = await reads.get(memberViews, `${workspaceId}/${member.id}`);
  const { partnerUserId, subjects } = member;
  yield { kind: 'member', workspaceId, of: { ...view?.body, ...(partnerUserId && { partnerUserId }), subjects } };
  for await (const { body } of eachRow(reads, sessionStores, { where: { memberId: member.id } })) {
    const session = (await reads.get(sessions, body.sessionId))?.body;
    if (session === undefined) continue;
    const { mode, userId, name, stores, refreshUntil } = session;
    const of = { id: body.sessionId, mode, userId, ...(name && { name }), stores, refreshUntil };
    yield { kind: 'session', workspaceId, of };
  }
  for (const stream of [members.name, dataExports.name])
    for await (const event of streamEvents(log, streamName(stream, workspaceId)))
      if ((event.data as { memberId?: unknown }).memberId === member.id)
        yield { kind: 'event', workspaceId, of: publicEvent(event) };
}
