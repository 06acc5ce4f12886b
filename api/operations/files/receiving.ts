/** A file of a request becomes bytes of the file store, or a refusal. */
import { randomUUID } from 'node:crypto';
import { fileName } from '../../../application/files/fileNames.js';
import { EmptyFile, type Files, type Judge, type TakenContent } from '../../../application/files/files.js';
import { checkStorage, storageLimit } from '../../../application/files/storage.js';
import { FileTooLarge } from '../../../application/ports/fileStore.js';
import { refuse } from '../../../domain/decider.js';
import { kindOf, MOST_BYTES } from '../../../domain/files/mediaTypes.js';
import type { IncomingFile, UploadedFile, UploadRule } from '../../contract/operation.js';
import { Refusal } from '../../contract/problems.js';
import { filesOf } from './fileStore.js';

const judge: Judge = (mimeType) => {
  const kind = kindOf(mimeType);
  if (kind === undefined)
    return refuse('file_type_not_supported', `The channel does not support files of the type ${mimeType}.`);
  return { kind, mostBytes: MOST_BYTES[kind] };
};

function refusal(error: unknown): unknown {
  if (error instanceof FileTooLarge)
    return new Refusal('file_too_large', `The file is larger than ${error.mostBytes} bytes, the limit for its type.`);
  if (!(error instanceof EmptyFile)) return error;
  const problems = [{ message: 'must not be empty', location: 'body.file' }];
  return new Refusal('validation_failed', 'The file is empty.', { problems });
}

function uploaded(files: Files, workspaceId: string, name: string, taken: TakenContent): UploadedFile {
  let isStored = false;
  return {
    ...taken,
    name,
    retain: () => {
      isStored = true;
    },
    discard: async () => {
      if (!isStored) await files.discard(workspaceId, taken.contentId);
    },
  };
}

async function taken({ filename, mimeType, content, signal }: IncomingFile, files: Files, workspaceId: string) {
  try {
    const incoming = { content, declared: { mimeType, name: filename }, signal };
    return await files.take(workspaceId, randomUUID(), incoming, judge);
  } catch (error) {
    throw refusal(error);
  }
}

/**
 * The part `file`. Refuses `file_too_large`, `file_type_not_supported`, `plan_limit_reached` where the plan has no room for
 * anything more, and `unavailable` while too many come in at once.
 */
export const filePart: UploadRule = {
  field: 'file',
  mostBytes: Math.max(...Object.values(MOST_BYTES)),
  async take(file, { workspace: { workspaceId, features }, services }) {
    const files = filesOf(services);
    await checkStorage({ commands: services.commandHandler, workspaceId }, storageLimit(features));
    const end = files.turns.begin(workspaceId);
    if (end === undefined)
      throw new Refusal('unavailable', 'Too many files are being uploaded at once.', {
        headers: { 'Retry-After': '5' },
      });
    try {
      const found = await taken(file, files, workspaceId);
      return uploaded(files, workspaceId, fileName(file.filename, found.mimeType), found);
    } finally {
      end();
    }
  },
};
