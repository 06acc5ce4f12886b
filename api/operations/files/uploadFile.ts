import { recordReceived, storageLimit } from '../../../application/files/storage.js';
import { refuse } from '../../../domain/decider.js';
import { file, storeFile } from '../../../domain/files/file.js';
import { StorageFull, StoreUnavailable } from '../../../engine/ports/eventStore.js';
import { files } from '../../../projections/files.js';
import { Json, operation } from '../../contract/operation.js';
import { filePart } from './receiving.js';
import { FileBody } from './schemas.js';

export const uploadFile = operation({
  id: 'uploadFile',
  route: 'POST {W}/files',
  summary: 'Uploads a file that messages and templates can carry, as multipart/form-data with one part `file`.',
  tag: 'Files',
  scope: 'inbox:reply',
  feature: 'channel.number',
  addition: 'An addition to the specification: messages and templates carry files by their ids.',
  upload: filePart,
  answers: { 201: FileBody },
  problems: ['file_type_not_supported', 'validation_failed', 'plan_limit_reached'],
  idempotent: true,
  async handle({ upload, workspace, commands, read, newId }) {
    const { workspaceId, features } = workspace;
    const fileId = newId('file');
    const { name, mimeType, size, sha256, kind } = upload;
    const needed = { by: fileId, kind: 'file', contentId: upload.contentId, size, sha256 } as const;
    const contentId = await recordReceived({ commands, workspaceId }, needed, storageLimit(features)).catch((error) => {
      // The outcome is unknown: the event may be stored.
      if (error instanceof StoreUnavailable && !(error instanceof StorageFull)) upload.retain();
      throw error;
    });
    // What came again, or in a repetition after a crash, is not needed: the bytes that came first are.
    if (contentId === upload.contentId) upload.retain();
    const record = { name, mimeType, size, sha256, kind, contentId, source: 'upload', temporary: true } as const;
    await commands.decide(file, fileId, storeFile(record));
    const row = await read.get(files, `${workspaceId}/${fileId}`);
    if (row === undefined) return refuse('not_found', 'The file was deleted during the request.');
    return { status: 201, body: new Json(row.json) };
  },
});
