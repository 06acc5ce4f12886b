/** Stored for ever: what calls play to customers, stream `recordings-{workspaceId}`. Add fields as optional. */
import { OneOf } from '../schema.js';
import {
  defineEvents,
  type EventsOf,
  event,
  List,
  Mark,
  Maybe,
  Shape,
  type Stored,
  Text,
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
  name: Text(),
  kind: RecordingKind,
  language: Maybe(RecordingLanguage, 'Absent: it plays for any language.'),
});
export type RecordingTerms = Stored<typeof RecordingTerms>;

const recordingId = Text();
const attempt = Text('Names the change of the team.');

export const recordingEvents = defineEvents({
  RecordingAdded: event('The store adds a recording, or changes one of its fallbacks for the first time.', {
    ...RecordingTerms.properties,
    recordingId,
    isDefault: Mark("The store's fallback for its kind and language, which is there without it."),
  }),
  RecordingUploaded: event('A file is on its way; what played until now goes on playing.', {
    recordingId,
    uploadId: Text('Its name in the file store is `{workspaceId}/{uploadId}`.'),
    size: Whole('In bytes.'),
    instead: Maybe(Text('An upload that was not done and is not wanted any more.')),
  }),
  RecordingReady: event('The upload has been read: calls play it from now on.', {
    recordingId,
    uploadId: Text(),
    mimeType: Text(),
    durationMs: Whole(),
    size: Whole('In bytes.'),
    before: Maybe(Text('The upload that they played until then.')),
  }),
  RecordingFailed: event('The upload is of no use.', {
    recordingId,
    uploadId: Text(),
    code: RecordingFailureCode,
    reason: Text('Written for the store.'),
  }),
  RecordingRenamed: event('The store gives it another name.', { recordingId, name: Text(), before: Text() }),
  RecordingRemoved: event('The store removes it.', {
    ...RecordingTerms.properties,
    recordingId,
    uploads: List(Text(), 'What the file store has of it.'),
  }),
  RecordingTaken: event('A team is about to use it.', { recordingId, by: Text('The team.'), attempt }),
  RecordingFreed: event('That change of the team is done or given up.', { recordingId, attempt }),
});
export type RecordingEvent = EventsOf<typeof recordingEvents>;
