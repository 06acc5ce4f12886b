import type { ConversationEvent, OutboundContent } from '../../domain/channel/conversationEvents.js';
import { conversationFiles } from '../../projections/conversationFiles.js';
import { projectionSpec } from '../support/spec/projectionSpec.js';

const CHAT = '5f0c7a9e-1111-4000-8000-00000000000c';
const SHOP = '5f0c7a9e-1111-4000-8000-000000000001';
const spec = projectionSpec(conversationFiles, { stream: `conversation-${CHAT}`, meta: { workspaceId: SHOP } });

const stored = (fileId: string): ConversationEvent => ({
  type: 'MessageMediaStored',
  data: { messageId: 'm1', fileId, mimeType: 'image/png', size: 8 },
});
const queued = (content: OutboundContent): ConversationEvent => ({
  type: 'MessageQueued',
  data: { messageId: 'm2', numberId: 'n', to: { phone: '+252611000001' }, content },
});
const keysOf = (fileId: string) => ({ workspaceId: SHOP, fileId, conversationId: CHAT });

describe('files of a conversation', () => {
  it('include received and sent ones, also from templates', async () => {
    const media = { fileId: 'f3', filename: 'price.pdf' };
    const components = [{ type: 'header' as const, parameters: [{ type: 'document' as const, media }] }];
    await spec
      .given(
        stored('f1'),
        queued({ type: 'image', fileId: 'f2', mimeType: 'image/png', text: '' }),
        queued({ type: 'text', text: 'Hello' }),
        queued({ type: 'template', name: 'price', language: 'en', body: [], text: 'Price', components }),
        queued({ type: 'image', fileId: 'f1', mimeType: 'image/png', text: 'Yours' }),
      )
      .thenKeys({
        [`${CHAT}/f1`]: keysOf('f1'),
        [`${CHAT}/f2`]: keysOf('f2'),
        [`${CHAT}/f3`]: keysOf('f3'),
      });
  });
});
