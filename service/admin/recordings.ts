import { openSound } from '../../application/recordings/playedSound.js';
import { recordingLimits } from '../../application/recordings/recordingLimits.js';
import {
  createRecording,
  type RecordingContext,
  recordingName,
  removeRecording,
  renameRecording,
  replaceSound,
  type SoundFile,
} from '../../application/recordings/recordings.js';
import { MOST_BYTES } from '../../application/recordings/recordingUploads.js';
import type { UploadOutcome } from '../../domain/channel/recordingChanges.js';
import { KINDS, LANGUAGES, recordings } from '../../domain/channel/recordings.js';
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { recordings as recordingList } from '../../projections/recordings.js';
import { type AdminWork, aboutStore } from './context.js';
import { type AdminCommand, adminCommand, adminQuery, type Option, type OptionWords } from './declaration.js';
import { listAll } from './listPages.js';
import { file, id, maybeOneOf, text, workspace } from './options.js';
import { table } from './text.js';

/** Result of an upload, after the file was read. */
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
  const { recordings: most, bytes: storageMost } = await recordingLimits(work.reads, workspaceId);
  const commands = work.commands(await aboutStore(work, workspaceId));
  return { commands, workspaceId, now: Date.now(), newId: work.newId, ...defined({ most, storageMost }) };
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
  refuse('file_not_readable', `${path} cannot be read (${code}) on the machine of the service.`);

const nameOf = (work: AdminWork, workspaceId: string, recordingId: string): Promise<string> =>
  work.commands().query(recordings, workspaceId, ({ all }) => all.get(recordingId)?.name ?? '');

const notWritable = (path: string, { code = 'unknown' }: NodeJS.ErrnoException): never =>
  refuse(
    'file_not_writable',
    `${path} cannot be written (${code}) on the machine of the service. It must not exist yet.`,
  );

/** Needed unless the sound of another recording is replaced, which keeps its own. */
const unlessReplaced = <T>(words: OptionWords, fallback: T, check: Option<T>['check']): Option<T> => ({
  ...words,
  check: (fields, name) => (fields.value('replace') === undefined ? check(fields, name) : fallback),
});

const recordingId = id("The recording's id.");
const inSeconds = (ms: number | undefined): string => (ms === undefined ? '-' : `${(ms / 1000).toFixed(1)} s`);

const add = adminCommand({
  name: 'recordings.put',
  words: ['admin', 'recordings', 'add'],
  about: 'Add or replace a recording (WAV, MP3, OGG or M4A, up to 16 MB).',
  options: {
    workspace,
    file,
    name: unlessReplaced({ value: 'NAME', about: 'Display name.' }, '', (fields, name) => fields.text(name)),
    kind: {
      ...unlessReplaced({ value: 'KIND', about: `Purpose: ${KINDS.join(', ')}.` }, 'custom', (fields, name) =>
        fields.oneOf(name, KINDS),
      ),
      choices: KINDS,
    },
    language: maybeOneOf({ value: 'LANGUAGE', about: `Language: ${LANGUAGES.join(', ')}. Default: any.` }, LANGUAGES),
    replace: text({
      value: 'ID',
      about: 'Id of the recording or default to replace, instead of --name and --kind.',
    }),
  },
  check(_, fields) {
    for (const other of ['name', 'kind', 'language']) fields.either(other, 'replace', false);
  },
  upload: { field: 'file', mostBytes: MOST_BYTES },
  /**
   * A file that cannot be played makes a recording that failed. Refuses `plan_limit_reached`, `recording_limit_reached`,
   * `file_too_large`, `file_empty` and `file_not_readable`.
   */
  async run(work, { workspace: workspaceId, file: path, name, kind, language, replace }): Promise<Uploaded> {
    const replaced = replace?.toLowerCase();
    const terms = {
      kind,
      ...defined({ language }),
      name: replaced === undefined ? recordingName(name) : '',
    };
    const context = await contextOf(work, workspaceId);
    const { recordingId, outcome } = await withFile(work, path, async (file) =>
      replaced === undefined
        ? createRecording(work.sounds, context, terms, file, context.most)
        : { recordingId: replaced, outcome: await replaceSound(work.sounds, context, replaced, file) },
    );
    return { workspaceId, id: recordingId, name: await nameOf(work, workspaceId, recordingId), ...statusOf(outcome) };
  },
  text: ({ id, name, status, durationMs, failureReason }) =>
    status === 'failed'
      ? `Recording ${name}: ${id}\nIts file cannot be played: ${failureReason}`
      : `Recording ${name} (${durationMs === undefined ? status : inSeconds(durationMs)}): ${id}`,
});

const list = adminQuery({
  name: 'recordings.list',
  about: 'List the recordings of a store, its defaults first.',
  list: 'recordings',
  forStore: true,
  options: { workspace },
  async run({ reads }, { workspace: workspaceId }) {
    const sort = ['rank', 'createdAt', 'added'];
    const { bodies } = await listAll(reads, recordingList, { where: { workspaceId }, sort });
    return { recordings: bodies };
  },
  text: ({ recordings }) =>
    table(
      ['ID', 'KIND', 'LANGUAGE', 'SOURCE', 'STATUS', 'PLAYS', 'USES', 'NAME'],
      recordings.map(({ id, kind, language, source, status, durationMs, uses, name }) => [
        id,
        kind,
        language ?? 'any',
        source,
        status,
        inSeconds(durationMs),
        uses.length,
        name,
      ]),
      'There is no such store, or it has no recordings.',
    ),
});

const rename = adminCommand({
  name: 'recordings.rename',
  about: 'Rename a recording.',
  options: { workspace, id: recordingId, name: text({ value: 'NAME', about: 'The new name.', required: true }) },
  async run(work, { workspace: workspaceId, id, name }) {
    await renameRecording(await contextOf(work, workspaceId), id, name);
    return { workspaceId, id, name: await nameOf(work, workspaceId, id) };
  },
  text: ({ id, name }) => `Recording ${name}: ${id}`,
});

const remove = adminCommand({
  name: 'recordings.remove',
  about: 'Remove a recording that no team uses. Defaults cannot be removed.',
  final: 'id',
  options: { workspace, id: recordingId },
  /** Refuses `recording_in_use` and `default_recording`. */
  async run(work, { workspace: workspaceId, id }) {
    await removeRecording(await contextOf(work, workspaceId), id);
    return { workspaceId, id, removed: true };
  },
  text: ({ id }) => `Recording ${id} is removed.`,
});

const save = adminCommand({
  name: 'recordings.save',
  about: 'Save a recording to a new file.',
  options: { workspace, id: recordingId, file },
  async run(work, { workspace: workspaceId, id, file }) {
    const { commands } = await contextOf(work, workspaceId);
    const content = await openSound(work.sounds, commands, workspaceId, id);
    const { size } = await work.localFiles
      .create(file, content)
      .catch((error: NodeJS.ErrnoException) => notWritable(file, error))
      .finally(() => content.destroy());
    return { workspaceId, id, file, size };
  },
  text: ({ file, size }) => `${file}: ${size} bytes`,
});

export const recordingCommands: readonly AdminCommand[] = [add, list, rename, remove, save];
