import { DateTime, Int64, Named, OneOf, Uuid } from '../../contract/schemas.js';
import { Type } from '../../contract/type.js';

/** A file of the store: beyond the specification. */
export const FileBody = Named(
  'FileBody',
  Type.Object({
    id: Uuid,
    name: Type.String({ description: 'Original name, with the extension of its detected type.' }),
    mimeType: Type.String({ description: 'Detected media type of the bytes.' }),
    size: Int64({ minimum: 0, description: 'In bytes.' }),
    kind: {
      ...OneOf('image', 'video', 'audio', 'document', 'sticker'),
      description: 'Type of message that it can be sent as.',
    },
    sha256: Type.String({ description: 'SHA-256 of the bytes, in hex.' }),
    createdAt: DateTime,
  }),
);
