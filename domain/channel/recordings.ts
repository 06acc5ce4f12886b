/** What calls of a store play: one stream, so that the plan's limit is exact. Stream `recordings-{workspaceId}`. */

import type { Aggregate, WithMeta } from '../decider.js';
import { defined } from '../defined.js';
import type { RecordingEvent, RecordingKind, RecordingLanguage, RecordingTerms } from './recordingEvents.js';

// Events: RecordingEvent in recordingEvents.ts ---------------------------------------------------------------------

// State ------------------------------------------------------------------------------------------------------------
export interface Recording extends RecordingTerms {
  readonly id: string;
  readonly isDefault: boolean;
  /** The last upload, while its sound is read. */
  readonly processing?: string;
  /** The upload that calls play; a default without one plays its own sound. */
  readonly playing?: string;
  /** How often a team was about to use it: who saw another number, saw another state. */
  readonly takes: number;
  /** Changes of teams under way that may come to use it, with their beginning in ms since 1970. */
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
/** How long a team's change may take between taking a recording and using it, in ms. */
export const IN_FLIGHT_MS = 60_000;

type Of<T extends RecordingEvent['type']> = WithMeta<Extract<RecordingEvent, { type: T }>>;

function added({ recordingId: id, name, kind, language, isDefault }: Of<'RecordingAdded'>['data']): Recording {
  const spoken = defined({ language });
  return { id, name, kind, ...spoken, isDefault: isDefault === true, takes: 0, pending: new Map() };
}

const without = ({ processing: _, ...recording }: Recording): Recording => recording;

/** Changes that were given up without a word are forgotten with the next one. */
function taken(recording: Recording, { data, meta }: Of<'RecordingTaken'>): Recording {
  const since = Date.parse(meta.at);
  const pending = new Map([...recording.pending].filter(([, begun]) => since - begun <= IN_FLIGHT_MS));
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
