/** Audio that calls of a store play, in one stream, so that the plan's limit is exact. Stream `recordings-{workspaceId}`. */

import type { Aggregate, WithMeta } from '../decider.js';
import { defined } from '../defined.js';
import type { RecordingEvent, RecordingKind, RecordingLanguage, RecordingTerms } from './recordingEvents.js';

// Events: RecordingEvent in recordingEvents.ts ---------------------------------------------------------------------

// State ------------------------------------------------------------------------------------------------------------
export interface Recording extends RecordingTerms {
  readonly id: string;
  readonly isDefault: boolean;
  /** Last upload, while it is being processed. */
  readonly processing?: string;
  /** Upload that calls play. A default recording without one plays its own sound. */
  readonly playing?: string;
  /** Number of reservations by teams. A different number means a different state. */
  readonly takes: number;
  /** Changes of teams in progress that may use the recording, with their start in ms since 1970. */
  readonly pending: ReadonlyMap<string, number>;
}

export interface Recordings {
  readonly all: Map<string, Recording>;
}

export const KINDS = [
  'greeting',
  'option',
  'fallback_closed',
  'fallback_prayer',
  'fallback_missed',
  'hold',
  'custom',
] as const satisfies readonly RecordingKind[];
export const LANGUAGES = ['en', 'so', 'ar'] as const satisfies readonly RecordingLanguage[];
/** Maximum time in ms between reserving a recording and using it in a team. */
export const IN_FLIGHT_MS = 60_000;

type Of<T extends RecordingEvent['type']> = WithMeta<Extract<RecordingEvent, { type: T }>>;

function added({ recordingId: id, name, kind, language, isDefault }: Of<'RecordingAdded'>['data']): Recording {
  const spoken = defined({ language });
  return { id, name, kind, ...spoken, isDefault: isDefault === true, takes: 0, pending: new Map() };
}

const without = ({ processing: _, ...recording }: Recording): Recording => recording;

/** Drops reservations of abandoned changes when the next one is added. */
function taken(recording: Recording, { data, meta }: Of<'RecordingTaken'>): Recording {
  const since = Date.parse(meta.at);
  const pending = new Map([...recording.pending].filter(([, startedAt]) => since - startedAt <= IN_FLIGHT_MS));
  return { ...recording, takes: recording.takes + 1, pending: pending.set(data.attempt, since) };
}

function freed(recording: Recording, attempt: string): Recording {
  const pending = new Map(recording.pending);
  pending.delete(attempt);
  return { ...recording, pending };
}

function changed(recording: Recording, event: WithMeta<RecordingEvent>): Recording {
  switch (event.type) {
    case 'RecordingUploaded':
      return { ...recording, processing: event.data.uploadId };
    case 'RecordingReady':
      return { ...without(recording), playing: event.data.uploadId };
    case 'RecordingFailed':
      return without(recording);
    case 'RecordingRenamed':
      return { ...recording, name: event.data.name };
    case 'RecordingTaken':
      return taken(recording, event);
    case 'RecordingFreed':
      return freed(recording, event.data.attempt);
    default:
      return recording;
  }
}

function evolve(state: Recordings, event: WithMeta<RecordingEvent>): Recordings {
  const { recordingId } = event.data;
  const recording = event.type === 'RecordingAdded' ? added(event.data) : state.all.get(recordingId);
  if (recording === undefined) return state;
  if (event.type === 'RecordingRemoved') state.all.delete(recordingId);
  else state.all.set(recordingId, changed(recording, event));
  return state;
}

export const recordings: Aggregate<Recordings, RecordingEvent> = {
  name: 'recordings',
  initial: () => ({ all: new Map() }),
  evolve,
  weigh: ({ all }) => 300 + all.size * 500,
};
