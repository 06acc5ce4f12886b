/** Conformance rows for recordings, copied by hand from specification 2; paths follow the conventions. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wav } from '../../samples/soundFiles.js';
import type { Maker, Specified } from '../rows.js';

const viewed = { scope: 'recordings:view', feature: 'channel.number' };

export const recordingsSpecified: readonly Specified[] = [
  { id: 'listRecordings', route: 'GET {W}/recordings', ...viewed, answers: { 200: 'RecordingsBody' }, others: [] },
  {
    id: 'getRecording',
    route: 'GET {W}/recordings/{recordingId}',
    ...viewed,
    answers: { 200: 'RecordingBody' },
    others: [404, 422, 500],
  },
];

export const recordingsSchemas: Readonly<Record<string, string>> = {
  RecordingBody:
    'id name kind source status playable isDefault createdBy createdAt updatedAt uses language? durationMs? size? failureCode? failureReason?',
  RecordingsBody: 'recordings count limit unlimited',
};

export const recordingsMakers: Readonly<Record<string, Maker>> = {
  async recordingId(stage, { workspaceId }) {
    const file = join(stage.folder, 'tone.wav');
    writeFileSync(file, wav(1.5));
    const put = { workspace: workspaceId, file, name: 'Welcome', kind: 'greeting', language: 'so' };
    return (await stage.operator('recordings.put', put)).id;
  },
};
