import type { ConversationEvent } from '../domain/channel/conversationEvents.js';
import { filesIn } from '../domain/channel/messageFiles.js';
import { defineProjection, type Handler, type Seen } from '../engine/projections/projection.js';

type Body = Readonly<Record<string, never>>;

/** The conversation has these files from this event on. */
const has = <E extends ConversationEvent>(filesOf: (data: E['data']) => readonly string[]): Handler<Body, E> => ({
  ids: ({ data, streamId }: Seen<E>) => [...new Set(filesOf(data))].map((fileId) => `${streamId}/${fileId}`),
  evolve: (view, { meta, streamId }, id) =>
    view ?? {
      keys: {
        workspaceId: meta.workspaceId ?? null,
        fileId: id.slice(id.indexOf('/') + 1),
        conversationId: streamId,
      },
      body: {},
    },
});

/** Which conversations a file was received or sent in: one document each, `{conversationId}/{fileId}`. */
export const conversationFiles = defineProjection<Body, ConversationEvent>({
  name: 'conversationFiles',
  version: 1,
  partitionedBy: 'store',
  perStream: true,
  categories: ['conversation'],
  keys: { workspaceId: 'text', fileId: 'text', conversationId: 'text' },
  indexes: [{ keys: ['workspaceId', 'fileId', 'conversationId'] }],
  on: {
    MessageMediaStored: has(({ fileId }) => [fileId]),
    MessageQueued: has(({ content }) => filesIn(content)),
  },
});
