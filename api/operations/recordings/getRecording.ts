import { refuse } from '../../../domain/decider.js';
import { recordings } from '../../../projections/recordings.js';
import { Json, operation } from '../../contract/operation.js';
import { Uuid } from '../../contract/schemas.js';
import { RecordingBody } from './schemas.js';

/** (Specification 2, 'Recordings'.) */
export const getRecording = operation({
  id: 'getRecording',
  route: 'GET {W}/recordings/{recordingId}',
  summary: 'Reads one recording: its state, its uses, and the error of its last file.',
  scope: 'recordings:view',
  feature: 'channel.number',
  tag: 'Recordings',
  params: { recordingId: Uuid },
  answers: { 200: RecordingBody },
  problems: ['not_found'],
  async handle({ params: { recordingId }, workspace: { workspaceId }, read }) {
    const found = await read.get(recordings, `${workspaceId}/${recordingId.toLowerCase()}`);
    if (found === undefined) return refuse('not_found', 'The store has no such recording.');
    return { status: 200, body: new Json(found.json) };
  },
});
