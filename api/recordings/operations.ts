import { RECORDINGS_FEATURE } from '../../application/recordings/limits.js';
import { MAX_RECORDINGS } from '../../domain/channel/recordingChanges.js';
import { refuse } from '../../domain/decider.js';
import { OWN_RANK, recordings } from '../../projections/recordings.js';
import { Json, listJson, type Operation, operation } from '../operation.js';
import { Uuid } from '../schemas.js';
import { RecordingBody, RecordingsBody } from './schemas.js';

const declared = { scope: 'recordings:view', feature: 'channel.number', tag: 'Recordings' } as const;
const SORT = ['rank', 'createdAt', 'added'];
/** A store's defaults come on top of those that are counted. */
const MOST = MAX_RECORDINGS + OWN_RANK;

/** (Specification 2, 'Recordings'; no paging in its schema.) */
export const listRecordings = operation({
  ...declared,
  id: 'listRecordings',
  route: 'GET {W}/recordings',
  summary: 'Lists what calls of the store can play, and how many more recordings its plan allows.',
  answers: { 200: RecordingsBody },
  async handle({ workspace: { workspaceId, features }, read }) {
    const rows = await read.find(recordings, { where: { workspaceId }, sort: SORT, limit: MOST });
    const count = rows.filter(({ keys }) => keys.rank === OWN_RANK).length;
    const limit = features.limit(RECORDINGS_FEATURE);
    const before = `"count":${count},"limit":${limit ?? 0},"unlimited":${limit === undefined}`;
    return { status: 200, body: listJson('recordings', { rows }, { before }) };
  },
});

/** (Specification 2, 'Recordings'.) */
export const getRecording = operation({
  ...declared,
  id: 'getRecording',
  route: 'GET {W}/recordings/{recordingId}',
  summary: 'Reads one recording: its state, what plays it, and why its last file failed.',
  params: { recordingId: Uuid },
  answers: { 200: RecordingBody },
  problems: ['not_found'],
  async handle({ params: { recordingId }, workspace: { workspaceId }, read }) {
    const found = await read.get(recordings, `${workspaceId}/${recordingId.toLowerCase()}`);
    if (found === undefined) return refuse('not_found', 'The store has no such recording.');
    return { status: 200, body: new Json(found.json) };
  },
});

export const recordingOperations: readonly Operation[] = [listRecordings, getRecording];
