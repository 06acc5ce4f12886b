import { expect } from 'chai';
import {
  addRecording,
  countOf,
  finishUpload,
  freeRecordings,
  isInUse,
  MAX_RECORDINGS,
  removeRecording,
  renameRecording,
  replaceAudio,
  takeRecordings,
} from '../../domain/channel/recordingChanges.js';
import type { RecordingEvent } from '../../domain/channel/recordingEvents.js';
import { IN_FLIGHT_MS, recordings } from '../../domain/channel/recordings.js';
import { STALE_CHANGE } from '../../domain/hold.js';
import { given, specMeta, stateAfter } from '../support/spec/given.js';

const terms = { name: 'Welcome', kind: 'greeting', language: 'so' } as const;
const upload = (uploadId: string) => ({ uploadId, size: 1_000 });
const ready = { mimeType: 'audio/wav', durationMs: 2_000, size: 1_000 };
const failed = { code: 'too_short', reason: 'It plays for 0.2 s.' } as const;
const FALLBACK = { id: 'd1', name: 'Closed message', kind: 'fallback_closed', language: 'en' } as const;

const added = (recordingId: string): RecordingEvent => ({ type: 'RecordingAdded', data: { recordingId, ...terms } });
const uploaded = (recordingId: string, uploadId: string, instead?: string): RecordingEvent => ({
  type: 'RecordingUploaded',
  data: { recordingId, ...upload(uploadId), ...(instead === undefined ? {} : { instead }) },
});
const isReady = (recordingId: string, uploadId: string, before?: string): RecordingEvent => ({
  type: 'RecordingReady',
  data: { recordingId, uploadId, ...ready, ...(before === undefined ? {} : { before }) },
});
const hasFailed = (recordingId: string, uploadId: string): RecordingEvent => ({
  type: 'RecordingFailed',
  data: { recordingId, uploadId, ...failed },
});
const taken = (recordingId: string, attempt: string): RecordingEvent => ({
  type: 'RecordingTaken',
  data: { recordingId, by: 'team', attempt },
});

describe('recordings', () => {
  it("are added once, up to the plan's limit", () => {
    const add = (id: string, most?: number) => addRecording(id, terms, upload(`u-${id}`), most);
    given(recordings)
      .when(add('r1'))
      .then([added('r1'), uploaded('r1', 'u-r1')]);
    given(recordings, added('r1')).when(add('r1', 1)).then([]);
    given(recordings, added('r1')).when(add('r2', 1)).thenRefused('plan_limit_reached');
    given(recordings).when(add('r1', 0)).thenRefused('plan_limit_reached');
    const many = Array.from({ length: MAX_RECORDINGS }, (_, n) => added(`r${n}`));
    given(recordings, ...many)
      .when(add('more'))
      .thenRefused('recording_limit_reached');
  });

  it('do not count if they are a default', () => {
    const changed = given(recordings)
      .when(replaceAudio({ recordingId: 'd1', fallback: FALLBACK }, upload('u1')))
      .events();
    expect(changed.map(({ type }) => type)).to.deep.equal(['RecordingAdded', 'RecordingUploaded']);
    expect(changed[0]!.data).to.include({ recordingId: 'd1', kind: 'fallback_closed', isDefault: true });
    expect(countOf(stateAfter(recordings, changed))).to.equal(0);
    given(recordings, ...changed)
      .when(replaceAudio({ recordingId: 'd1', fallback: FALLBACK }, upload('u2')))
      .then([uploaded('d1', 'u2', 'u1')]);
    given(recordings)
      .when(removeRecording({ recordingId: 'd1', fallback: FALLBACK }, 0))
      .thenRefused('default_recording');
    given(recordings, ...changed)
      .when(removeRecording({ recordingId: 'd1' }, 0))
      .thenRefused('default_recording');
  });

  it('accept only the outcome of their last upload, once', () => {
    const started = [added('r1'), uploaded('r1', 'u1')];
    given(recordings, ...started)
      .when(finishUpload('r1', 'u1', ready))
      .then([isReady('r1', 'u1')]);
    given(recordings, ...started)
      .when(finishUpload('r1', 'u1', failed))
      .then([hasFailed('r1', 'u1')]);
    given(recordings, ...started, isReady('r1', 'u1'))
      .when(finishUpload('r1', 'u1', failed))
      .then([]);
    const replaced = [...started, uploaded('r1', 'u2', 'u1')];
    given(recordings, ...replaced)
      .when(finishUpload('r1', 'u1', ready))
      .then([]);
    given(recordings, ...replaced)
      .when(finishUpload('r1', 'u2', ready))
      .then([isReady('r1', 'u2')]);
    const playing = [...started, isReady('r1', 'u1'), uploaded('r1', 'u2')];
    given(recordings, ...playing)
      .when(finishUpload('r1', 'u2', ready))
      .then([isReady('r1', 'u2', 'u1')]);
    given(recordings)
      .when(finishUpload('r1', 'u1', ready))
      .then([]);
  });

  it('need the file that plays and the one being processed', () => {
    const expected = (events: RecordingEvent[]) =>
      ['u1', 'u2'].filter((uploadId) => isInUse('r1', uploadId)(stateAfter(recordings, events)));
    const first = [added('r1'), uploaded('r1', 'u1')];
    expect(expected(first)).to.deep.equal(['u1']);
    expect(expected([...first, hasFailed('r1', 'u1')])).to.deep.equal([]);
    const second = [...first, isReady('r1', 'u1'), uploaded('r1', 'u2')];
    expect(expected(second)).to.deep.equal(['u1', 'u2']);
    expect(expected([...second, hasFailed('r1', 'u2')])).to.deep.equal(['u1']);
    expect(expected([...second, isReady('r1', 'u2', 'u1')])).to.deep.equal(['u2']);
    const removed = given(recordings, ...second)
      .when(removeRecording({ recordingId: 'r1' }, 0))
      .events();
    expect(removed).to.deep.equal([
      { type: 'RecordingRemoved', data: { recordingId: 'r1', ...terms, uploads: ['u2', 'u1'] } },
    ]);
    expect(expected([...second, ...removed])).to.deep.equal([]);
  });

  it('are renamed, unless unknown', () => {
    given(recordings, added('r1'))
      .when(renameRecording({ recordingId: 'r1' }, 'Hello'))
      .then([{ type: 'RecordingRenamed', data: { recordingId: 'r1', name: 'Hello', before: 'Welcome' } }]);
    given(recordings, added('r1'))
      .when(renameRecording({ recordingId: 'r1' }, 'Welcome'))
      .then([]);
    for (const decision of [
      renameRecording({ recordingId: 'r9' }, 'Hello'),
      replaceAudio({ recordingId: 'r9' }, upload('u1')),
      removeRecording({ recordingId: 'r9' }, 0),
      takeRecordings(['r1', 'r9'], 'team', 'a1'),
    ])
      given(recordings, added('r1')).when(decision).thenRefused('not_found');
  });

  it('are not removed if a team has used one since the check, also if it no longer does', () => {
    const take = given(recordings, added('r1')).when(takeRecordings(['r1'], 'team', 'a1'));
    take.then([taken('r1', 'a1')]);
    given(recordings, added('r1'), taken('r1', 'a1'))
      .when(takeRecordings(['r1'], 'team', 'a1'))
      .then([]);
    const freed: RecordingEvent = { type: 'RecordingFreed', data: { recordingId: 'r1', attempt: 'a1' } };
    given(recordings, added('r1'), taken('r1', 'a1'))
      .when(freeRecordings(['r1', 'r9'], 'a1'))
      .then([freed]);
    const history = [added('r1'), taken('r1', 'a1'), freed];
    given(recordings, ...history)
      .when(freeRecordings(['r1'], 'a1'))
      .then([]);
    given(recordings, ...history)
      .when(removeRecording({ recordingId: 'r1' }, 0))
      .thenRefused(STALE_CHANGE);
    expect(
      given(recordings, ...history)
        .when(removeRecording({ recordingId: 'r1' }, 1))
        .events(),
    ).to.have.lengthOf(1);
  });

  it('drop reservations of teams that were abandoned', () => {
    const at = (ms: number) => new Date(Date.parse(specMeta.at) + ms).toISOString();
    const state = stateAfter(recordings, [added('r1')]);
    for (const [attempt, ms] of [
      ['a1', 0],
      ['a2', IN_FLIGHT_MS],
      ['a3', IN_FLIGHT_MS + 1],
    ] as const)
      recordings.evolve(state, { ...taken('r1', attempt), meta: { ...specMeta, at: at(ms) } });
    expect([...state.all.get('r1')!.pending.keys()]).to.deep.equal(['a2', 'a3']);
  });
});
