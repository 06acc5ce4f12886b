import { expect } from 'chai';
import type { MemberEvent, TeamQueue } from '../domain/access/memberEvents.js';
import { defaultsOf } from '../domain/channel/defaultRecordings.js';
import type { RecordingEvent } from '../domain/channel/recordingEvents.js';
import { derivedId } from '../domain/ids.js';
import type { StoreEvent } from '../domain/stores/storeEvents.js';
import { foldEvent, type View } from '../engine/projections/projection.js';
import { OWN_RANK, type RecordingBody, recordings } from '../projections/recordings.js';
import { specMeta } from './support/given.js';
import { ASHA, teamTerms } from './support/people.js';

const SHOP = '5f0c7a9e-1111-4000-8000-000000000001';
const TUNE = 'e0000000-0000-4000-8000-000000000001';
const TALK = 'e0000000-0000-4000-8000-000000000002';
const [DOOR, TILL] = ['d0000000-0000-4000-8000-000000000001', 'd0000000-0000-4000-8000-000000000002'];
const CLOSED_SO = defaultsOf(SHOP)[1]!.id;
const at = (minute: number): string => `2026-03-01T09:${String(minute).padStart(2, '0')}:00.000Z`;

type Event = RecordingEvent | MemberEvent | StoreEvent;
const streamOf = ({ type }: Event): string =>
  type.startsWith('Recording') ? 'recordings' : type.startsWith('Store') ? 'store' : 'members';

/** Documents after these events, one a minute, each told `times`. */
function views(events: readonly Event[], times = 1): Map<string, View<RecordingBody>> {
  const all = new Map<string, View<RecordingBody> | undefined>();
  for (const [position, event] of events.entries())
    for (let time = 0; time < times; time += 1) {
      const meta = { ...specMeta, at: at(position), actor: { type: 'system' as const, id: 'operator' } };
      const stream = `${streamOf(event)}-${SHOP}`;
      foldEvent(recordings, all, {
        ...event,
        id: derivedId('e', position),
        stream,
        meta,
        revision: position,
        position,
      });
    }
  return new Map([...all].filter((entry): entry is [string, View<RecordingBody>] => entry[1] !== undefined));
}
const body = (id: string, ...events: Event[]): RecordingBody | undefined => views(events).get(`${SHOP}/${id}`)?.body;

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
  it('shows what a recording went through, in the shape of the API', () => {
    const base = {
      id: TUNE,
      name: 'Tune',
      kind: 'hold',
      source: 'uploaded',
      isDefault: false,
      createdBy: 'operator',
      createdAt: at(0),
      uses: [],
    };
    const begun = [added(TUNE), uploaded(TUNE, 'u1')];
    expect(body(TUNE, ...begun)).to.deep.equal({ ...base, status: 'processing', playable: false, updatedAt: at(1) });
    const playing = [...begun, ready(TUNE, 'u1', 2_000)];
    const sound = { playable: true, durationMs: 2_000, size: 2_000 };
    expect(body(TUNE, ...playing)).to.deep.equal({ ...base, ...sound, status: 'ready', updatedAt: at(2) });
    const again = [...playing, uploaded(TUNE, 'u2')];
    expect(body(TUNE, ...again)).to.deep.equal({ ...base, ...sound, status: 'processing', updatedAt: at(3) });
    const failure = { failureCode: 'too_long', failureReason: 'It plays for 900 s.' };
    const lost = [...again, failed(TUNE, 'u2')];
    expect(body(TUNE, ...lost)).to.deep.equal({ ...base, ...sound, ...failure, status: 'failed', updatedAt: at(4) });
    const third = [...lost, uploaded(TUNE, 'u3')];
    expect(body(TUNE, ...third)).to.deep.equal({ ...base, ...sound, status: 'processing', updatedAt: at(5) });
    const renamed: Event = { type: 'RecordingRenamed', data: { recordingId: TUNE, name: 'Oud', before: 'Tune' } };
    const done = [...third, ready(TUNE, 'u3', 5_000), renamed];
    expect(body(TUNE, ...done)).to.deep.equal({
      ...base,
      name: 'Oud',
      playable: true,
      durationMs: 5_000,
      size: 5_000,
      status: 'ready',
      updatedAt: at(7),
    });
    const removed: Event = {
      type: 'RecordingRemoved',
      data: { recordingId: TUNE, name: 'Oud', kind: 'hold', uploads: [] },
    };
    expect(body(TUNE, ...done, removed)).to.equal(undefined);
  });

  it('has the defaults of a store from its beginning, before all others', () => {
    const all = [...views([created, added(TUNE)]).values()];
    expect(all.map(({ keys }) => keys.rank)).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, OWN_RANK]);
    expect(new Set(all.map(({ body: { id } }) => id)).size).to.equal(11);
    const changed: Event = {
      type: 'RecordingAdded',
      data: { recordingId: CLOSED_SO, name: 'x', kind: 'fallback_closed', language: 'so', isDefault: true },
    };
    const replaced = [created, changed, uploaded(CLOSED_SO, 'u1'), ready(CLOSED_SO, 'u1', 7_000)];
    expect(body(CLOSED_SO, ...replaced)).to.deep.include({
      kind: 'fallback_closed',
      language: 'so',
      name: 'Closed message, Somali',
      source: 'uploaded',
      isDefault: true,
      durationMs: 7_000,
      createdAt: at(0),
      createdBy: 'system',
    });
  });

  it('shows which queues play it, through every change of the teams', () => {
    const use = (teamId: string, field: string) => ({ kind: 'team_queue', teamId, field });
    const uses = (...events: Event[]) => [TUNE, TALK].map((id) => body(id, added(TUNE), added(TALK), ...events)?.uses);
    const both = { holdRecordingId: TUNE, closedRecordingId: TALK };
    expect(uses(team(DOOR, both))).to.deep.equal([[use(DOOR, 'hold')], [use(DOOR, 'closed')]]);
    const moved = [team(DOOR, both), requeued(DOOR, both, { missedRecordingId: TUNE, holdRecordingId: TUNE })];
    expect(uses(...moved)).to.deep.equal([[use(DOOR, 'hold'), use(DOOR, 'missed')], []]);
    const two = [...moved, team(TILL, { closedRecordingId: TUNE })];
    expect(uses(...two)[0]).to.deep.equal([use(DOOR, 'hold'), use(DOOR, 'missed'), use(TILL, 'closed')]);
    const renamed: Event = {
      type: 'TeamRevised',
      data: { teamId: DOOR, changes: { name: 'Gate' }, before: { name: 'Door' } },
    };
    expect(uses(...two, renamed)).to.deep.equal(uses(...two));
    const gone: Event = {
      type: 'TeamRemoved',
      data: { ...teamTerms('Door', []), teamId: DOOR, isDefault: false, queue: queue({ holdRecordingId: TUNE }) },
    };
    expect(uses(...two, gone)[0]).to.deep.equal([use(TILL, 'closed')]);
  });

  it('makes nothing of ids that teams named before the store had recordings', () => {
    expect(views([team(DOOR, { holdRecordingId: TUNE }), requeued(DOOR, { holdRecordingId: TUNE }, {})]).size).to.equal(
      0,
    );
  });

  it('is the same when everything is told twice', () => {
    const story = [
      created,
      added(TUNE),
      uploaded(TUNE, 'u1'),
      ready(TUNE, 'u1', 2_000),
      team(DOOR, { holdRecordingId: TUNE }),
    ];
    expect(views(story, 2)).to.deep.equal(views(story));
  });
});
