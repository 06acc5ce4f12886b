import { recordingLimit } from '../../application/recordings/limits.js';
import { openSound } from '../../application/recordings/playing.js';
import {
  createRecording,
  type RecordingContext,
  recordingName,
  removeRecording as remove,
  renameRecording as rename,
  replaceSound,
  type SoundFile,
} from '../../application/recordings/recordings.js';
import type { UploadOutcome } from '../../domain/channel/recordingChanges.js';
import { KINDS, LANGUAGES, recordings } from '../../domain/channel/recordings.js';
import { refuse } from '../../domain/decider.js';
import { type RecordingBody, recordings as recordingList } from '../../projections/recordings.js';
import { type AdminWork, aboutStore } from './context.js';
import { Fields } from './input.js';
import { listAll } from './listing.js';

/** What the operator is told of a recording after its file was read. */
interface Uploaded {
  readonly workspaceId: string;
  readonly id: string;
  readonly name: string;
  readonly status: 'processing' | 'ready' | 'failed';
  readonly durationMs?: number;
  readonly failureCode?: string;
  readonly failureReason?: string;
}

function statusOf(outcome: UploadOutcome | undefined): Omit<Uploaded, 'workspaceId' | 'id' | 'name'> {
  if (outcome === undefined) return { status: 'processing' };
  if ('code' in outcome) return { status: 'failed', failureCode: outcome.code, failureReason: outcome.reason };
  return { status: 'ready', durationMs: outcome.durationMs };
}

/** Refuses `not_found` for a store that is not there: its recordings would be found by nobody. */
async function contextOf(work: AdminWork, workspaceId: string): Promise<RecordingContext & { most?: number }> {
  const most = await recordingLimit(work.reads, workspaceId);
  const commands = work.commands(await aboutStore(work, workspaceId));
  return { commands, workspaceId, now: Date.now(), ...(most === undefined ? {} : { most }) };
}

/** The service reads the file itself, so it is one of its machine. Refuses `file_not_readable`. */
async function withFile<R>({ localFiles }: AdminWork, path: string, use: (file: SoundFile) => Promise<R>): Promise<R> {
  const file = await localFiles.open(path).catch((error: NodeJS.ErrnoException) => notReadable(path, error));
  try {
    return await use(file);
  } finally {
    file.content.destroy();
  }
}

const notReadable = (path: string, { code = 'unknown' }: NodeJS.ErrnoException): never =>
  refuse('file_not_readable', `${path} cannot be read (${code}) where the service runs.`);

/**
 * `{workspace, file, name, kind, language?}`, or `{workspace, file, replace}` for another file of a recording or a default →
 * the recording and what its file is worth: a file that cannot be played makes a recording that failed. `file`: an absolute
 * path. Refuses `plan_limit_reached`, `recording_limit_reached`, `file_too_large`, `file_empty` and `file_not_readable`.
 */
export async function putRecording(work: AdminWork, input: unknown): Promise<Uploaded> {
  const fields = new Fields(input);
  const workspaceId = fields.text('workspace');
  const path = fields.text('file');
  const replaced = fields.optionalText('replace')?.toLowerCase();
  for (const name of ['name', 'kind', 'language']) fields.either(name, 'replace', false);
  const name = replaced === undefined ? fields.text('name') : '';
  const kind = replaced === undefined ? fields.oneOf('kind', KINDS) : 'custom';
  const language = fields.optionalOneOf('language', LANGUAGES);
  fields.check();
  const terms = {
    kind,
    ...(language === undefined ? {} : { language }),
    name: replaced === undefined ? recordingName(name) : '',
  };
  const context = await contextOf(work, workspaceId);
  const { recordingId, outcome } = await withFile(work, path, async (file) =>
    replaced === undefined
      ? createRecording(work.sounds, context, terms, file, context.most)
      : { recordingId: replaced, outcome: await replaceSound(work.sounds, context, replaced, file) },
  );
  return { workspaceId, id: recordingId, name: await nameOf(work, workspaceId, recordingId), ...statusOf(outcome) };
}

const nameOf = (work: AdminWork, workspaceId: string, recordingId: string): Promise<string> =>
  work.commands().query(recordings, workspaceId, ({ all }) => all.get(recordingId)?.name ?? '');

/** `{workspace}` → as the API lists them. */
export async function listRecordings({ reads }: AdminWork, input: unknown): Promise<{ recordings: RecordingBody[] }> {
  const fields = new Fields(input);
  const workspaceId = fields.text('workspace');
  fields.check();
  const sort = ['rank', 'createdAt', 'added'];
  const { bodies } = await listAll(reads, recordingList, { where: { workspaceId }, sort });
  return { recordings: bodies };
}

function target(fields: Fields): { workspaceId: string; recordingId: string } {
  return { workspaceId: fields.text('workspace'), recordingId: fields.text('id').toLowerCase() };
}

/** `{workspace, id, name}` → `{workspaceId, id, name}`. */
export async function renameRecording(work: AdminWork, input: unknown) {
  const fields = new Fields(input);
  const { workspaceId, recordingId } = target(fields);
  const name = fields.text('name');
  fields.check();
  await rename(await contextOf(work, workspaceId), recordingId, name);
  return { workspaceId, id: recordingId, name: await nameOf(work, workspaceId, recordingId) };
}

/** `{workspace, id}` → `{workspaceId, id, removed: true}`. Refuses `recording_in_use` and `default_recording`. */
export async function removeRecording(work: AdminWork, input: unknown) {
  const fields = new Fields(input);
  const { workspaceId, recordingId } = target(fields);
  fields.check();
  await remove(await contextOf(work, workspaceId), recordingId);
  return { workspaceId, id: recordingId, removed: true };
}

/** `{workspace, id, file}`: writes what calls play to a new file where the service runs → `{workspaceId, id, file, size}`. */
export async function saveRecording(work: AdminWork, input: unknown) {
  const fields = new Fields(input);
  const { workspaceId, recordingId } = target(fields);
  const file = fields.text('file');
  fields.check();
  const { commands } = await contextOf(work, workspaceId);
  const content = await openSound(work.sounds, commands, workspaceId, recordingId);
  const { size } = await work.localFiles
    .create(file, content)
    .catch((error: NodeJS.ErrnoException) => notWritable(file, error))
    .finally(() => content.destroy());
  return { workspaceId, id: recordingId, file, size };
}

const notWritable = (path: string, { code = 'unknown' }: NodeJS.ErrnoException): never =>
  refuse('file_not_writable', `${path} cannot be written (${code}) where the service runs; it must not exist yet.`);
