import { releaseBytes } from '../../../application/files/storage.js';
import { file, deleteFile as remove } from '../../../domain/files/file.js';
import { operation } from '../../contract/operation.js';
import { Refusal } from '../../contract/problems.js';
import { Uuid } from '../../contract/schemas.js';

export const deleteFile = operation({
  id: 'deleteFile',
  route: 'DELETE {W}/files/{fileId}',
  summary:
    'Deletes a file, uploaded or received; messages that carried it keep its id. Not for members limited to teams.',
  tag: 'Files',
  scope: 'inbox:reply',
  feature: 'channel.number',
  addition: 'An addition to the specification: messages and templates carry files by their ids.',
  params: { fileId: Uuid },
  answers: { 204: null },
  problems: ['not_found'],
  async handle({ params, workspace: { workspaceId }, member, commands }) {
    // A file does not belong to a team: a member who sees only some conversations could remove it from others.
    if (member !== undefined && !member.seesEveryTeam)
      throw new Refusal('permission_denied', 'Only owners, admins and supervisors can delete files.');
    const fileId = params.fileId.toLowerCase();
    await commands.decide(file, fileId, remove(workspaceId));
    await releaseBytes({ commands, workspaceId }, fileId);
    return { status: 204 };
  },
});
