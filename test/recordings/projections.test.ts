import { expect } from 'chai';
import type { MemberEvent, TeamQueue } from '../../domain/access/memberEvents.js';
import { defaultsOf } from '../../domain/channel/defaultRecordings.js';
import type { RecordingEvent } from '../../domain/channel/recordingEvents.js';
import type { StoreEvent } from '../../domain/stores/storeEvents.js';
import { OWN_RANK, recordings } from '../../projections/recordings.js';
import { minute } from '../support/spec/givenEvents.js';
import { ASHA, teamTerms } from '../support/spec/people.js';
import { projectionSpec } from '../support/spec/projectionSpec.js';

const SHOP = '5f0c7a9e-1111-4000-8000-000000000001';
const TUNE = 'e0000000-0000-4000-8000-000000000001';
const TALK = 'e0000000-0000-4000-8000-000000000002';
const [DOOR, TILL] = ['d0000000-0000-4000-8000-000000000001', 'd0000000-0000-4000-8000-000000000002'];
const CLOSED_SO = defaultsOf(SHOP)[1]!.id;

type Event = RecordingEvent | MemberEvent | StoreEvent;
const streamOf = ({ type }: Event): string =>
  type.startsWith('Recording') ? 'recordings' : type.startsWith('Store') ? 'store' : 'members';

const spec = projectionSpec(recordings, {
  stream: (event: Event) => `${streamOf(event)}-${SHOP}`,
  meta: { actor: { type: 'system', id: 'operator' } },
});
/** Exactly this recording, in the shape of the API; `undefined`: there is none. */
const shows = (body: object | undefined, ...events: Event[]): Promise<void> =>
  spec.given(...events).then(body === undefined ? {} : { [`${SHOP}/${TUNE}`]: body });

const created: Event = {
  type: 'StoreCreated',
  data: {
    name: 'Shop',
    owner: { email: 'a@example.com', name: 'A' },
    country: 'SO',
    timezone: 'UTC',
    locale: 'so',
    planKey: 'p',
  },
};
const added = (recordingId: string): Event => ({
  type: 'RecordingAdded',
  data: { recordingId, name: 'Tune', kind: 'hold' },
});
const uploaded = (recordingId: string, uploadId: string): Event => ({
  type: 'RecordingUploaded',
  data: { recordingId, uploadId, size: 900 },
});
const ready = (recordingId: string, uploadId: string, durationMs: number): Event => ({
  type: 'RecordingReady',
  data: { recordingId, uploadId, mimeType: 'audio/wav', durationMs, size: durationMs },
});
const failed = (recordingId: string, uploadId: string): Event => ({
  type: 'RecordingFailed',
  data: { recordingId, uploadId, code: 'too_long', reason: 'It plays for 900 s.' },
});

const queue = (more: Partial<TeamQueue>): TeamQueue => ({ ...teamTerms('', []).queue, ...more });
const team = (teamId: string, more: Partial<TeamQueue>): Event => ({
  type: 'TeamCreated',
  data: { teamId, isDefault: false, ...teamTerms('Door', [{ memberId: ASHA.memberId }]), queue: queue(more) },
});
const requeued = (teamId: string, before: Partial<TeamQueue>, after: Partial<TeamQueue>): Event => ({
  type: 'TeamRevised',
  data: { teamId, changes: { queue: queue(after) }, before: { queue: queue(before) } },
});

describe('the view of recordings', () => {
  it('shows the history of a recording, in the shape of the API', async () => {
    const base = {
      id: TUNE,
      name: 'Tune',
      kind: 'hold',
      source: 'uploaded',
      isDefault: false,
      createdBy: 'operator',
      createdAt: minute(0),
      uses: [],
    };
    const started = [added(TUNE), uploaded(TUNE, 'u1')];
    await shows({ ...base, status: 'processing', playable: false, updatedAt: minute(1) }, ...started);
    const playing = [...started, ready(TUNE, 'u1', 2_000)];
    const sound = { playable: true, durationMs: 2_000, size: 2_000 };
    await shows({ ...base, ...sound, status: 'ready', updatedAt: minute(2) }, ...playing);
    const again = [...playing, uploaded(TUNE, 'u2')];
    await shows({ ...base, ...sound, status: 'processing', updatedAt: minute(3) }, ...again);
    const failure = { failureCode: 'too_long', failureReason: 'It plays for 900 s.' };
    const lost = [...again, failed(TUNE, 'u2')];
    await shows({ ...base, ...sound, ...failure, status: 'failed', updatedAt: minute(4) }, ...lost);
    const third = [...lost, uploaded(TUNE, 'u3')];
    await shows({ ...base, ...sound, status: 'processing', updatedAt: minute(5) }, ...third);
    const renamed: Event = { type: 'RecordingRenamed', data: { recordingId: TUNE, name: 'Oud', before: 'Tune' } };
    const done = [...third, ready(TUNE, 'u3', 5_000), renamed];
    await shows(
      {
        ...base,
        name: 'Oud',
        playable: true,
        durationMs: 5_000,
        size: 5_000,
        status: 'ready',
        updatedAt: minute(7),
      },
      ...done,
    );
    const removed: Event = {
      type: 'RecordingRemoved',
      data: { recordingId: TUNE, name: 'Oud', kind: 'hold', uploads: [] },
    };
    await shows(undefined, ...done, removed);
  });

  it('has the defaults of a store from the start, before all others', async () => {
    const all = Object.values(await spec.given(created, added(TUNE)).documents());
    expect(all.map(({ keys }) => keys.rank)).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, OWN_RANK]);
    expect(new Set(all.map(({ body: { id } }) => id)).size).to.equal(11);
    const changed: Event = {
      type: 'RecordingAdded',
      data: { recordingId: CLOSED_SO, name: 'x', kind: 'fallback_closed', language: 'so', isDefault: true },
    };
    await spec.given(created, changed, uploaded(CLOSED_SO, 'u1'), ready(CLOSED_SO, 'u1', 7_000)).thenIncludes({
      [`${SHOP}/${CLOSED_SO}`]: {
        kind: 'fallback_closed',
        language: 'so',
        name: 'Closed message, Somali',
        source: 'uploaded',
        isDefault: true,
        durationMs: 7_000,
        createdAt: minute(0),
        createdBy: 'system',
      },
    });
  });

  it('shows which queues play it, through every change of the teams', async () => {
    const use = (teamId: string, field: string) => ({ kind: 'team_queue', teamId, field });
    const plays = (tune: object[], talk: object[], ...events: Event[]) =>
      spec.given(added(TUNE), added(TALK), ...events).thenIncludes({
        [`${SHOP}/${TUNE}`]: { uses: tune },
        [`${SHOP}/${TALK}`]: { uses: talk },
      });
    const both = { holdRecordingId: TUNE, closedRecordingId: TALK };
    await plays([use(DOOR, 'hold')], [use(DOOR, 'closed')], team(DOOR, both));
    const moved = [team(DOOR, both), requeued(DOOR, both, { missedRecordingId: TUNE, holdRecordingId: TUNE })];
    await plays([use(DOOR, 'hold'), use(DOOR, 'missed')], [], ...moved);
    const two = [...moved, team(TILL, { closedRecordingId: TUNE })];
    const three = [use(DOOR, 'hold'), use(DOOR, 'missed'), use(TILL, 'closed')];
    await plays(three, [], ...two);
    const renamed: Event = {
      type: 'TeamRevised',
      data: { teamId: DOOR, changes: { name: 'Gate' }, before: { name: 'Door' } },
    };
    await plays(three, [], ...two, renamed);
    const gone: Event = {
      type: 'TeamRemoved',
      data: { ...teamTerms('Door', []), teamId: DOOR, isDefault: false, queue: queue({ holdRecordingId: TUNE }) },
    };
    await plays([use(TILL, 'closed')], [], ...two, gone);
  });

  it('ignores ids that teams used before the store had recordings', () =>
    spec.given(team(DOOR, { holdRecordingId: TUNE }), requeued(DOOR, { holdRecordingId: TUNE }, {})).then({}));
});
