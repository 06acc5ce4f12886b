import { DateTime, Int64, Named, OneOf, Uuid } from '../schemas.js';
import { Type } from '../type.js';

/** A file of the store: beyond the specification. */
export const FileBody = Named(
  'FileBody',
  Type.Object({
    id: Uuid,
    name: Type.String({ description: 'As it was called, with the ending of what it is.' }),
    mimeType: Type.String({ description: 'What the bytes are.' }),
    size: Int64({ minimum: 0, description: 'In bytes.' }),
    kind: {
      ...OneOf('image', 'video', 'audio', 'document', 'sticker'),
      description: 'As which type of message it can be sent.',
    },
    sha256: Type.String({ description: 'Of the bytes, in hex.' }),
    createdAt: DateTime,
  }),
);
