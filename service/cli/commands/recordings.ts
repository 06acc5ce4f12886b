import { resolve } from 'node:path';
import { KINDS, LANGUAGES } from '../../../domain/channel/recordings.js';
import type {
  listRecordings,
  putRecording,
  removeRecording,
  renameRecording,
  saveRecording,
} from '../../admin/recordings.js';
import { type CliCommand, command, type Typed } from '../command.js';
import { table } from '../text.js';

type Put = Awaited<ReturnType<typeof putRecording>>;
type List = Awaited<ReturnType<typeof listRecordings>>;
type Renamed = Awaited<ReturnType<typeof renameRecording>>;
type Removed = Awaited<ReturnType<typeof removeRecording>>;
type Saved = Awaited<ReturnType<typeof saveRecording>>;

const workspace = { value: 'ID', about: "The store's workspace id.", required: true } as const;
const id = { value: 'ID', about: "The recording's id.", required: true } as const;

const inSeconds = (ms: number | undefined): string => (ms === undefined ? '-' : `${(ms / 1000).toFixed(1)} s`);
const target = (typed: Typed) => ({ workspace: typed.one('workspace'), id: typed.one('id') });
/** The service reads and writes the file itself, wherever it was started. */
const fileOf = (typed: Typed) => resolve(typed.argument(0) ?? '');

export const recordingCommands: readonly CliCommand[] = [
  command<Put>({
    words: ['admin', 'recordings', 'add'],
    about: 'Adds a recording from a sound file (WAV, MP3, OGG or M4A, at most 16 MB), or replaces the sound of one.',
    arguments: [{ name: 'FILE' }],
    options: {
      workspace,
      name: { value: 'NAME', about: 'What people call it.' },
      kind: { value: 'KIND', about: `What it is for: ${KINDS.join(', ')}.` },
      language: { value: 'LANGUAGE', about: `Its language: ${LANGUAGES.join(', ')}; any when absent.` },
      replace: { value: 'ID', about: 'Of the recording or default whose sound is replaced, instead of name and kind.' },
    },
    admin: {
      command: 'recordings.put',
      input: (typed) => ({
        workspace: typed.one('workspace'),
        file: fileOf(typed),
        name: typed.one('name'),
        kind: typed.one('kind'),
        language: typed.one('language'),
        replace: typed.one('replace'),
      }),
    },
    text: ({ id, name, status, durationMs, failureReason }) =>
      status === 'failed'
        ? `Recording ${name}: ${id}\nIts file cannot be played: ${failureReason}`
        : `Recording ${name} (${durationMs === undefined ? status : inSeconds(durationMs)}): ${id}`,
  }),
  command<List>({
    words: ['admin', 'recordings', 'list'],
    about: 'Lists what calls of a store can play, its defaults first.',
    options: { workspace },
    admin: { command: 'recordings.list', input: (typed) => ({ workspace: typed.one('workspace') }) },
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
  }),
  command<Renamed>({
    words: ['admin', 'recordings', 'rename'],
    about: 'Gives a recording another name.',
    options: { workspace, id, name: { value: 'NAME', about: 'The new name.', required: true } },
    admin: { command: 'recordings.rename', input: (typed) => ({ ...target(typed), name: typed.one('name') }) },
    text: ({ id, name }) => `Recording ${name}: ${id}`,
  }),
  command<Removed>({
    words: ['admin', 'recordings', 'remove'],
    about: 'Removes a recording that no team uses; defaults stay.',
    options: { workspace, id },
    admin: { command: 'recordings.remove', input: target },
    text: ({ id }) => `Recording ${id} is removed.`,
  }),
  command<Saved>({
    words: ['admin', 'recordings', 'save'],
    about: 'Writes what calls play for a recording to a new file.',
    arguments: [{ name: 'FILE' }],
    options: { workspace, id },
    admin: { command: 'recordings.save', input: (typed) => ({ ...target(typed), file: fileOf(typed) }) },
    text: ({ file, size }) => `${file}: ${size} bytes`,
  }),
];
