/** Which files a member who is limited to teams may read and send on. */

import type { MemberAccess } from '../../../application/access/principal.js';
import { defined } from '../../../domain/defined.js';
import type { Scalar } from '../../../engine/ports/documents.js';
import { conversationFiles } from '../../../projections/conversationFiles.js';
import { conversations } from '../../../projections/conversations.js';
import type { RequestReads } from '../../contract/operation.js';
import type { Services } from '../../contract/services.js';
import { seesTeam, teamsSeen } from './visibility.js';

export interface FileReader {
  readonly read: RequestReads;
  readonly workspace: { readonly workspaceId: string };
  readonly member?: MemberAccess;
  readonly services: Pick<Services, 'files'>;
}

const PAGE = 200;
/** An upload that went to more conversations is the whole store's: so a look is bounded. */
const MOST_LOOKED_AT = 1_000;
const SORT = ['conversationId'];

/** Returns true if the member sees one of its conversations; undefined if there are none. */
async function isInOneOf(
  { read, workspace: { workspaceId }, member }: FileReader,
  fileId: string,
): Promise<'seen' | 'hidden' | 'everywhere' | undefined> {
  let after: readonly Scalar[] | undefined;
  for (let scanned = 0; scanned < MOST_LOOKED_AT; scanned += PAGE) {
    const found = await read.find(conversationFiles, {
      where: { workspaceId, fileId },
      sort: SORT,
      ...defined({ after }),
      limit: PAGE,
    });
    const rows = await read.getMany(
      conversations,
      found.map(({ keys }) => String(keys.conversationId)),
    );
    if ([...rows.values()].some((row) => row !== undefined && seesTeam(member, row.keys.teamId))) return 'seen';
    const last = found.at(-1);
    if (found.length < PAGE || last === undefined) return scanned + found.length === 0 ? undefined : 'hidden';
    after = [last.keys.conversationId!, last.id];
  }
  return 'everywhere';
}

/**
 * Returns true if the caller sees a file. A file belongs to the conversations it was received or sent in, and is
 * visible to members who see one of them. An unsent upload belongs to the store, and to its uploader for ever. Members
 * who see every team see every file.
 */
export async function seesFile(reader: FileReader, fileId: string): Promise<boolean> {
  const { workspace, member, services } = reader;
  if (teamsSeen(member) === undefined) return true;
  const found = await services.files?.fileOf(workspace.workspaceId, fileId);
  if (found === undefined) return false;
  if (found.uploadedBy !== undefined && found.uploadedBy === member?.memberId) return true;
  const isCurrent = await isInOneOf(reader, fileId);
  return isCurrent === 'seen' || (found.source === 'upload' && isCurrent !== 'hidden');
}
