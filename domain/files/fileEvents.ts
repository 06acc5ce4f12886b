/** Stored for ever: files of a store, stream `file-{fileId}`. Add fields as optional. */
import { MediaKind } from '../channel/messageContent.js';
import { OneOf } from '../schema.js';
import {
  Code,
  defineEvents,
  type EventsOf,
  event,
  Id,
  Mark,
  Maybe,
  Personal,
  Shape,
  type Stored,
  Text,
  Whole,
} from '../storedEvents.js';

const FileRecord = Shape('FileRecord', {
  name: Personal('file', Text('Display name with an extension, at most 240 characters.')),
  mimeType: Code('Media type, detected from the bytes.'),
  size: Whole('In bytes.'),
  sha256: Code('Hex.'),
  kind: MediaKind,
  contentId: Id('Where the bytes are in the file store: `{workspaceId}/{contentId}`.'),
  source: OneOf('upload', 'channel'),
  temporary: Mark('Time when the file expires if nothing uses it by then.'),
});
/** `source`: uploaded by a member or program of the store, or received in a customer's message. */
export type FileRecord = Stored<typeof FileRecord>;

const FileUse = OneOf('message', 'template');
/** Use of a file. */
export type FileUse = Stored<typeof FileUse>;

const FileRemoval = OneOf('unused', 'asked');
/** `unused`: nothing used it within a day. `asked`: the store deletes it. */
export type FileRemoval = Stored<typeof FileRemoval>;

export const fileEvents = defineEvents(
  {
    FileStored: event('The store uploads a file, or the file of a received message has been copied.', {
      ...FileRecord.properties,
      conversationId: Maybe(
        Personal('derivedId', Text('Conversation of the customer who sent it; absent for files of the store.')),
      ),
    }),
    FileUsed: event('A message or a template uses the file for the first time, so it is kept.', { use: FileUse }),
    FileRemoved: event('The file was unused for a day, or the store deletes it.', { reason: FileRemoval }),
  },
  'sender',
);
export type FileEvent = EventsOf<typeof fileEvents>;
