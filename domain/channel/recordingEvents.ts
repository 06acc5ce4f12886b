/** Stored for ever: audio that calls play to customers, stream `recordings-{workspaceId}`. Add fields as optional. */
import { OneOf } from '../schema.js';
import {
  Code,
  defineEvents,
  type EventsOf,
  event,
  Id,
  Label,
  List,
  Mark,
  Maybe,
  Shape,
  type Stored,
  Whole,
} from '../storedEvents.js';

const RecordingKind = OneOf(
  'greeting',
  'option',
  'fallback_closed',
  'fallback_prayer',
  'fallback_missed',
  'hold',
  'custom',
);
/** (Specification 2, 'Recordings'.) */
export type RecordingKind = Stored<typeof RecordingKind>;
const RecordingLanguage = OneOf('en', 'so', 'ar');
export type RecordingLanguage = Stored<typeof RecordingLanguage>;
const RecordingFailureCode = OneOf('too_short', 'too_long', 'unreadable', 'processing_error');
export type RecordingFailureCode = Stored<typeof RecordingFailureCode>;

const RecordingTerms = Shape('RecordingTerms', {
  name: Label(),
  kind: RecordingKind,
  language: Maybe(RecordingLanguage, 'Absent: it plays for any language.'),
});
export type RecordingTerms = Stored<typeof RecordingTerms>;

const recordingId = Id();
const attempt = Id('Names the change of the team.');

export const recordingEvents = defineEvents({
  RecordingAdded: event('The store adds a recording, or changes one of its fallbacks for the first time.', {
    ...RecordingTerms.properties,
    recordingId,
    isDefault: Mark("The store's fallback for its kind and language, which exists without an upload."),
  }),
  RecordingUploaded: event('A file is being uploaded. Calls keep playing the previous sound.', {
    recordingId,
    uploadId: Id('Its name in the file store is `{workspaceId}/{uploadId}`.'),
    size: Whole('In bytes.'),
    instead: Maybe(Id('A previous upload that was abandoned.')),
  }),
  RecordingReady: event('The upload was processed. Calls play it from now on.', {
    recordingId,
    uploadId: Id(),
    mimeType: Code(),
    durationMs: Whole(),
    size: Whole('In bytes.'),
    before: Maybe(Id('The upload that calls played before.')),
  }),
  RecordingFailed: event('The upload could not be processed.', {
    recordingId,
    uploadId: Id(),
    code: RecordingFailureCode,
    reason: Label('Written for the store.'),
  }),
  RecordingRenamed: event('The store renames the recording.', { recordingId, name: Label(), before: Label() }),
  RecordingRemoved: event('The store removes it.', {
    ...RecordingTerms.properties,
    recordingId,
    uploads: List(Id(), 'Its uploads in the file store.'),
  }),
  RecordingTaken: event('A team is about to use it.', { recordingId, by: Id('The team.'), attempt }),
  RecordingFreed: event('The change of the team was completed or abandoned.', { recordingId, attempt }),
});
export type RecordingEvent = EventsOf<typeof recordingEvents>;
