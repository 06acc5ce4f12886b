/** Stored for ever: which bytes a store has, stream `storage-{workspaceId}`. Add fields as optional. */
import { OneOf } from '../schema.js';
import { defineEvents, type EventsOf, event, Maybe, Shape, type Stored, Text, Whole } from '../storedEvents.js';

const KeptContent = Shape('KeptContent', {
  by: Text('The file that needs them, or the upload of a recording.'),
  kind: OneOf('file', 'recording'),
  recordingId: Maybe(Text('Of an upload.')),
  contentId: Text('Where the bytes are in the file store: `{workspaceId}/{contentId}`.'),
  size: Whole('In bytes.'),
  sha256: Maybe(Text('Hex. Absent: they are shared with nothing.')),
});
export type KeptContent = Stored<typeof KeptContent>;

export const storageEvents = defineEvents({
  ContentKept: event('A file, or the upload of a recording, is stored. The same bytes are there once in a store.', {
    ...KeptContent.properties,
    added: Whole('Bytes that the store has more; 0 where others need the same ones.'),
  }),
  ContentReleased: event('The file or the upload is gone.', {
    by: Text('The file, or the upload of a recording.'),
    contentId: Text(),
    freed: Whole('Bytes that nothing needs any more; 0 where others need them.'),
  }),
});
export type StorageEvent = EventsOf<typeof storageEvents>;
