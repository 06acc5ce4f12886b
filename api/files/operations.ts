import { refuse } from '../../domain/decider.js';
import { file, storeFile } from '../../domain/files/file.js';
import { files } from '../../projections/files.js';
import { Json, type Operation, operation } from '../operation.js';
import { Uuid } from '../schemas.js';
import { filesOf } from './kept.js';
import { filePart } from './receiving.js';
import { FileBody } from './schemas.js';

const declared = {
  tag: 'Files',
  scope: 'inbox:reply',
  feature: 'channel.number',
  addition: 'An addition to the specification: messages and templates carry files by their ids.',
} as const;

export const uploadFile = operation({
  ...declared,
  id: 'uploadFile',
  route: 'POST {W}/files',
  summary: 'Uploads a file that messages and templates can carry, as multipart/form-data with one part `file`.',
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

export const getFile = operation({
  ...declared,
  id: 'getFile',
  route: 'GET {W}/files/{fileId}',
  summary: 'The bytes of a file, uploaded or received; Range, If-Range, If-None-Match and HEAD are honoured.',
  params: { fileId: Uuid },
  answers: { 200: 'file' },
  problems: ['not_found', 'range_not_satisfiable'],
  async handle({ params, workspace: { workspaceId }, services }) {
    const kept = filesOf(services);
    const fileId = params.fileId.toLowerCase();
    const found = await kept.fileOf(workspaceId, fileId);
    if (found === undefined) return refuse('not_found', 'The store has no such file.');
    const { name, mimeType, size, sha256 } = found;
    const open = (range?: { start: number; end: number }) => kept.openFile(workspaceId, fileId, range);
    return { status: 200, file: { name, mimeType, size, etag: `"${sha256}"`, open } };
  },
});

export const fileOperations: readonly Operation[] = [uploadFile, getFile];
