import type { MemberEvent, TeamQueue } from '../domain/access/memberEvents.js';
import { CHIME_BYTES, CHIME_MS } from '../domain/channel/chime.js';
import { defaultsOf } from '../domain/channel/defaultRecordings.js';
import type {
  RecordingEvent,
  RecordingFailureCode,
  RecordingKind,
  RecordingLanguage,
} from '../domain/channel/recordingEvents.js';
import type { StoreEvent } from '../domain/stores/storeEvents.js';
import { defineProjection, type Handler, type Seen, type View } from '../engine/projections/projection.js';

/** Use of a recording: a team's queue plays it. */
export interface RecordingUse {
  readonly kind: 'team_queue';
  readonly teamId: string;
  readonly field: 'hold' | 'closed' | 'missed';
}

/** Exactly the API's `RecordingBody`. (Specification 2, 'Recordings'.) */
export interface RecordingBody {
  readonly id: string;
  readonly name: string;
  readonly kind: RecordingKind;
  readonly source: 'recorded' | 'uploaded' | 'default';
  /** Status of the last upload. */
  readonly status: 'processing' | 'ready' | 'failed';
  readonly playable: boolean;
  readonly isDefault: boolean;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly uses: readonly RecordingUse[];
  /** Absent: it plays for any language. */
  readonly language?: RecordingLanguage;
  /** Duration of the file that calls play, in ms. `size` is its size, in bytes. */
  readonly durationMs?: number;
  readonly size?: number;
  readonly failureCode?: RecordingFailureCode;
  readonly failureReason?: string;
}

type RecordingView = View<RecordingBody>;
type Event = RecordingEvent | MemberEvent | StoreEvent;

/** Rank in the list of recordings that are no default. Defaults have smaller ranks. */
export const OWN_RANK = 100;

const keysOf = (workspaceId: string, rank: number, createdAt: string, added: number): RecordingView['keys'] => ({
  workspaceId,
  rank,
  createdAt,
  added,
});

function defaultView(workspaceId: string, id: string, at: string): RecordingView | undefined {
  const rank = defaultsOf(workspaceId).findIndex((one) => one.id === id);
  const terms = defaultsOf(workspaceId)[rank];
  if (terms === undefined) return undefined;
  const sound = { durationMs: CHIME_MS, size: CHIME_BYTES };
  const state = { source: 'default', status: 'ready', playable: true, isDefault: true } as const;
  const times = { createdBy: 'system', createdAt: at, updatedAt: at };
  return { keys: keysOf(workspaceId, rank, at, 0), body: { ...terms, ...state, ...times, uses: [], ...sound } };
}

const withoutFailure = ({ failureCode: _, failureReason: __, ...body }: RecordingBody): RecordingBody => body;

/** A handler for an event about one recording. */
const about = <E extends RecordingEvent>(
  change: (body: RecordingBody, event: Seen<E>) => RecordingBody,
): Handler<RecordingBody, E> => ({
  ids: ({ streamId, data }) => [`${streamId}/${data.recordingId}`],
  evolve: (view, event) => view && { keys: view.keys, body: { ...change(view.body, event), updatedAt: event.meta.at } },
});

const FIELDS = [
  ['hold', 'holdRecordingId'],
  ['closed', 'closedRecordingId'],
  ['missed', 'missedRecordingId'],
] as const;

const usedIn = (streamId: string, ...queues: readonly (TeamQueue | undefined)[]): string[] => [
  ...new Set(
    queues.flatMap((queue) =>
      FIELDS.flatMap(([, id]) => (queue?.[id] === undefined ? [] : [`${streamId}/${queue[id]}`])),
    ),
  ),
];

/** The recording with what this team's queue makes of it now; the uses of other teams stay in their places. */
function usedBy(view: RecordingView | undefined, teamId: string, queue: TeamQueue | undefined) {
  if (view === undefined) return undefined;
  const others = view.body.uses.filter((use) => use.teamId !== teamId);
  const own = FIELDS.filter(([, id]) => queue?.[id] === view.body.id).map(
    ([field]): RecordingUse => ({ kind: 'team_queue', teamId, field }),
  );
  return { keys: view.keys, body: { ...view.body, uses: [...others, ...own] } };
}

/** One document a recording, `{workspaceId}/{recordingId}`: a store's defaults first, then its own, oldest first. */
export const recordings = defineProjection<RecordingBody, Event>({
  name: 'recordings',
  version: 1,
  partitionedBy: 'store',
  perStream: true,
  categories: ['recordings', 'members', 'store'],
  keys: { workspaceId: 'text', rank: 'number', createdAt: 'text', added: 'number' },
  indexes: [{ keys: ['workspaceId', 'rank', 'createdAt', 'added'] }],
  on: {
    StoreCreated: {
      ids: ({ streamId }) => defaultsOf(streamId).map(({ id }) => `${streamId}/${id}`),
      evolve: (_, { streamId, meta }, id) => defaultView(streamId, id.slice(id.indexOf('/') + 1), meta.at),
    },
    RecordingAdded: {
      ids: ({ streamId, data }) => [`${streamId}/${data.recordingId}`],
      evolve(view, { data, meta: { at, actor }, streamId, revision }) {
        const { recordingId: id, isDefault = false, ...terms } = data;
        if (isDefault) return view;
        const state = { source: 'uploaded', status: 'processing', playable: false, isDefault, uses: [] } as const;
        const times = { createdBy: actor.id ?? actor.type, createdAt: at, updatedAt: at };
        return { keys: keysOf(streamId, OWN_RANK, at, revision), body: { id, ...terms, ...state, ...times } };
      },
    },
    RecordingUploaded: about((body) => ({ ...withoutFailure(body), status: 'processing' })),
    RecordingReady: about((body, { data: { durationMs, size } }) => {
      const sound = { source: 'uploaded', status: 'ready', playable: true, durationMs, size } as const;
      return { ...withoutFailure(body), ...sound };
    }),
    RecordingFailed: about((body, { data: { code, reason } }) => ({
      ...body,
      status: 'failed',
      failureCode: code,
      failureReason: reason,
    })),
    RecordingRenamed: about((body, { data: { name } }) => ({ ...body, name })),
    RecordingRemoved: { ids: ({ streamId, data }) => [`${streamId}/${data.recordingId}`], evolve: () => undefined },
    TeamCreated: {
      ids: ({ streamId, data }) => usedIn(streamId, data.queue),
      evolve: (view, { data }) => usedBy(view, data.teamId, data.queue),
    },
    TeamRevised: {
      ids: ({ streamId, data: { changes, before } }) => usedIn(streamId, changes.queue, before.queue),
      evolve: (view, { data }) => usedBy(view, data.teamId, data.changes.queue),
    },
    TeamRemoved: {
      ids: ({ streamId, data }) => usedIn(streamId, data.queue),
      evolve: (view, { data }) => usedBy(view, data.teamId, undefined),
    },
  },
});
