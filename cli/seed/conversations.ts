/** Sends messages of customers to the store, and answers them through the API. */
import type { SeedChat } from './chats.js';
import type { SeedStage } from './seedStage.js';

const MINUTE_MS = 60_000;
/** New conversations are among the newest. */
const MOST_LISTED = 100;

async function conversationOf({ client, workspaceId }: SeedStage, phone: string): Promise<string | undefined> {
  const { conversations } = await client.listConversations({ workspaceId, limit: MOST_LISTED });
  return conversations.find(({ contact }) => contact.phone === `+${phone}`)?.id;
}

/** Plays a chat. Messages of the customer have the time at which they were written, like late deliveries. */
export async function holdChat(stage: SeedStage, chat: SeedChat, now: number): Promise<void> {
  const { client, workspaceId } = stage;
  for (const [at, step] of chat.steps.entries()) {
    const name = `${chat.phone} ${at}`;
    if ('store' in step) {
      const conversationId = await stage.until('the conversation', () => conversationOf(stage, chat.phone));
      // With the same client id, a repeated request returns the queued message.
      const body = { clientMsgId: stage.id('answer', name), type: 'text', text: step.store } as const;
      await client.sendMessage({ workspaceId, conversationId, body });
    } else {
      const written = new Date(now - step.ago * MINUTE_MS).toISOString();
      await stage.write(chat, { wamid: stage.messageId('chat', name), ...step.customer, at: written });
    }
  }
}
