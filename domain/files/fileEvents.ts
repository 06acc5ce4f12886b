/** Stored for ever: files of a store, stream `file-{fileId}`. Add fields as optional. */
import { MediaKind } from '../channel/messageContent.js';
import { OneOf } from '../schema.js';
import { defineEvents, type EventsOf, event, Shape, type Stored, Text, Whole } from '../storedEvents.js';

const FileRecord = Shape('FileRecord', {
  name: Text('For people, with an ending; at most 240 characters.'),
  mimeType: Text('What the bytes are, whatever was said of them.'),
  size: Whole('In bytes.'),
  sha256: Text('Hex.'),
  kind: MediaKind,
  contentId: Text('Where the bytes are in the file store: `{workspaceId}/{contentId}`.'),
  source: OneOf('upload', 'channel'),
});
/** `source`: whether a person or program of the store brought it, or a customer's message. */
export type FileRecord = Stored<typeof FileRecord>;

export const fileEvents = defineEvents({
  FileStored: event(
    'The store uploads a file, or the file of a received message has been copied.',
    FileRecord.properties,
  ),
});
export type FileEvent = EventsOf<typeof fileEvents>;
