import type { MemberAccess } from '../../../application/access/principal.js';
import { survivorOf } from '../../../application/channel/mergedConversations.js';
import { refuse } from '../../../domain/decider.js';
import { defined } from '../../../domain/defined.js';
import type { Scalar, StoredDocument } from '../../../engine/ports/documents.js';
import { type ConversationBody, conversations } from '../../../projections/conversations.js';
import { without } from '../../../projections/withoutMembers.js';
import type { RequestCommands, RequestReads } from '../../contract/operation.js';

/** Parts of a request that decide which conversations it reaches. */
interface ConversationReader {
  readonly read: Pick<RequestReads, 'get'>;
  readonly workspace: { readonly workspaceId: string };
  readonly member?: MemberAccess;
}

/**
 * The teams whose conversations the caller sees, null for those of no team; undefined: all. Keys and members of some roles
 * see every team.
 */
export const teamsSeen = (member: MemberAccess | undefined): readonly Scalar[] | undefined =>
  member === undefined || member.seesEveryTeam ? undefined : [...member.teamIds, null];

/** Returns true if the caller sees the conversations of a team; null and undefined are those without a team. */
export const seesTeam = (member: MemberAccess | undefined, teamId: Scalar | undefined): boolean =>
  teamsSeen(member)?.includes(teamId ?? null) ?? true;

/**
 * The conversation, for a caller who may see it. Refuses `not_found` alike for one that does not exist, of another store, and
 * of a team that the caller does not see.
 */
export async function visibleConversation(
  { read, workspace: { workspaceId }, member }: ConversationReader,
  conversationId: string,
): Promise<StoredDocument<ConversationBody>> {
  const found = await read.get(conversations, conversationId.toLowerCase());
  if (found?.keys.workspaceId !== workspaceId || !seesTeam(member, found.keys.teamId))
    refuse('not_found', 'The store has no such conversation, or it belongs to another team.');
  return found as StoredDocument<ConversationBody>;
}

export const isMerged = ({ keys }: StoredDocument<ConversationBody>): boolean => (keys.merged ?? null) !== null;

/** As it is answered: one that was merged names the conversation that goes on, as of now. */
export async function shownConversation(
  reader: { readonly commands: RequestCommands } & Pick<ConversationReader, 'workspace'>,
  row: StoredDocument<ConversationBody>,
): Promise<string> {
  // The body is parsed only here: nearly all conversations are not merged.
  if (!isMerged(row)) return row.json;
  // Only here: an answer that looked at no state is made of views alone, and may be given again.
  const mergedInto = await survivorOf(reader.commands, reader.workspace.workspaceId, row.id);
  return JSON.stringify({ ...without(row.body, 'mergedInto'), ...defined({ mergedInto }) });
}
