import { RECORDINGS_FEATURE } from '../../../application/recordings/recordingLimits.js';
import { MAX_RECORDINGS } from '../../../domain/channel/recordingChanges.js';
import { OWN_RANK, recordings } from '../../../projections/recordings.js';
import { listJson, operation } from '../../contract/operation.js';
import { RecordingsBody } from './schemas.js';

const SORT = ['rank', 'createdAt', 'added'];
/** A store's defaults come on top of those that are counted. */
const MOST = MAX_RECORDINGS + OWN_RANK;

/** (Specification 2, 'Recordings'; no paging in its schema.) */
export const listRecordings = operation({
  id: 'listRecordings',
  route: 'GET {W}/recordings',
  summary: 'Lists the recordings for calls of the store, and how many more its plan allows.',
  scope: 'recordings:view',
  feature: 'channel.number',
  tag: 'Recordings',
  answers: { 200: RecordingsBody },
  async handle({ workspace: { workspaceId, features }, read }) {
    const rows = await read.find(recordings, { where: { workspaceId }, sort: SORT, limit: MOST });
    const count = rows.filter(({ keys }) => keys.rank === OWN_RANK).length;
    const limit = features.limit(RECORDINGS_FEATURE);
    const before = `"count":${count},"limit":${limit ?? 0},"unlimited":${limit === undefined}`;
    return { status: 200, body: listJson('recordings', { rows }, { before }) };
  },
});
