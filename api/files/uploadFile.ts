import { file, storeFile } from '../../domain/files/file.js';
import { files } from '../../projections/files.js';
import { Json, operation } from '../operation.js';
import { filesOf } from './kept.js';
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
  problems: ['file_type_not_supported', 'validation_failed'],
  idempotent: true,
  async handle({ upload, workspace: { workspaceId }, services, commands, read, newId }) {
    const fileId = newId('file');
    const { name, mimeType, size, sha256, kind, contentId } = upload;
    // Before the command: should its outcome not be known, the event may stand.
    upload.keep();
    await commands.decide(file, fileId, storeFile({ name, mimeType, size, sha256, kind, contentId, source: 'upload' }));
    // A repetition after a crash finds the first one's bytes.
    const kept = await commands.query(file, fileId, (state) => state?.contentId);
    if (kept !== contentId) await filesOf(services).discard(workspaceId, contentId);
    const row = await read.get(files, `${workspaceId}/${fileId}`);
    return { status: 201, body: new Json(row!.json) };
  },
});
