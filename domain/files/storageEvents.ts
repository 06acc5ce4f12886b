/** Stored for ever: file contents of a store, stream `storage-{workspaceId}`. Add fields as optional. */
import { OneOf } from '../schema.js';
import { Code, defineEvents, type EventsOf, event, Id, Maybe, Shape, type Stored, Whole } from '../storedEvents.js';

const StoredFile = Shape('KeptContent', {
  by: Id('The file that needs them, or the upload of a recording.'),
  kind: OneOf('file', 'recording'),
  recordingId: Maybe(Id('Of an upload.')),
  contentId: Id('Where the bytes are in the file store: `{workspaceId}/{contentId}`.'),
  size: Whole('In bytes.'),
  sha256: Maybe(Code('Hex. Absent: they are shared with nothing.')),
});
export type StoredContent = Stored<typeof StoredFile>;

export const storageEvents = defineEvents({
  ContentKept: event('A file, or the upload of a recording, is stored. The same bytes are there once in a store.', {
    ...StoredFile.properties,
    added: Whole('Bytes added to the usage of the store. 0 if the same bytes were already stored.'),
  }),
  ContentReleased: event('The file or the upload is removed.', {
    by: Id('The file, or the upload of a recording.'),
    contentId: Id(),
    freed: Whole('Bytes removed from the usage of the store. 0 if other files need them.'),
  }),
});
export type StorageEvent = EventsOf<typeof storageEvents>;
