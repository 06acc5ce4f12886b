import { MAX_RECORDING_NAME } from '../../../domain/channel/recordingChanges.js';
import { KINDS, LANGUAGES } from '../../../domain/channel/recordings.js';
import { DateTime, Int64, Named, OneOf, Uuid } from '../../contract/schemas.js';
import { Type } from '../../contract/type.js';

/** Shapes of recordings. (Specification 2, 'Recordings'; the items of `uses` are the project's own choice.) */

const Use = Type.Object({
  kind: OneOf('team_queue'),
  teamId: Uuid,
  field: Type.Unsafe<'hold' | 'closed' | 'missed'>({
    ...OneOf('hold', 'closed', 'missed'),
    description: "The part of the team's queue that plays it.",
  }),
});

export const RecordingBody = Named(
  'RecordingBody',
  Type.Object({
    id: Uuid,
    name: Type.String({ minLength: 1, maxLength: MAX_RECORDING_NAME }),
    kind: OneOf(...KINDS),
    source: OneOf('recorded', 'uploaded', 'default'),
    status: OneOf('processing', 'ready', 'failed'),
    playable: Type.Boolean({
      description: 'Calls can play it: a replacement that is processing or failed leaves the previous sound playing.',
    }),
    isDefault: Type.Boolean({
      description: "The workspace's fallback for its kind and language; it can be replaced and not deleted.",
    }),
    createdBy: Type.String({ description: 'Id of the creator; `operator`, or `system` for defaults.' }),
    createdAt: DateTime,
    updatedAt: DateTime,
    uses: Type.Array(Use, { description: 'A recording in use cannot be deleted.' }),
    language: Type.Optional(OneOf(...LANGUAGES)),
    durationMs: Type.Optional(Int64({ minimum: 0, description: 'Of the sound that calls play.' })),
    size: Type.Optional(Int64({ minimum: 0, description: 'Of the sound that calls play, in bytes.' })),
    failureCode: Type.Optional(OneOf('too_short', 'too_long', 'unreadable', 'processing_error')),
    failureReason: Type.Optional(Type.String()),
  }),
);

export const RecordingsBody = Named(
  'RecordingsBody',
  Type.Object({
    recordings: Type.Array(RecordingBody, {
      description: 'All recordings: the defaults, then the others, oldest first.',
    }),
    count: Int64({ minimum: 0, description: "Recordings that count toward the plan's limit: all but the defaults." }),
    limit: Int64({ minimum: 0, description: "The plan's limit; 0 when unlimited." }),
    unlimited: Type.Boolean(),
  }),
);
