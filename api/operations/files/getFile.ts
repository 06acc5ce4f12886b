import { refuse } from '../../../domain/decider.js';
import { operation } from '../../contract/operation.js';
import { Uuid } from '../../contract/schemas.js';
import { seesFile } from '../inbox/fileVisibility.js';
import { filesOf } from './fileStore.js';

export const getFile = operation({
  id: 'getFile',
  route: 'GET {W}/files/{fileId}',
  summary: 'The bytes of a file, uploaded or received; Range, If-Range, If-None-Match and HEAD are honoured.',
  tag: 'Files',
  scope: 'inbox:reply',
  feature: 'channel.number',
  addition: 'An addition to the specification: messages and templates carry files by their ids.',
  params: { fileId: Uuid },
  answers: { 200: 'file' },
  problems: ['not_found', 'range_not_satisfiable'],
  async handle(request) {
    const { params, workspace, services } = request;
    const { workspaceId } = workspace;
    const files = filesOf(services);
    const fileId = params.fileId.toLowerCase();
    const found = await files.fileOf(workspaceId, fileId);
    if (found === undefined || !(await seesFile(request, fileId)))
      return refuse('not_found', 'The store has no such file.');
    const { name, mimeType, size, sha256 } = found;
    const open = (range?: { start: number; end: number }) => files.openFile(workspaceId, fileId, range);
    return { status: 200, file: { name, mimeType, size, etag: `"${sha256}"`, open } };
  },
});
