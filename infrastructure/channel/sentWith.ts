/** What goes out with a message and comes back with each of its statuses: by it a status finds the message, whoever it is said to be for. */
import { defined } from '../../domain/defined.js';

interface SentWith {
  readonly messageId?: string;
  readonly conversationId?: string;
}

export const sentWith = (messageId: string, conversationId: string | undefined): string =>
  conversationId === undefined ? messageId : `${messageId}/${conversationId}`;

/** Messages of earlier versions went out with their id alone. */
export function sentWithOf(data: string | undefined): SentWith {
  const [messageId, conversationId] = data?.split('/', 2) ?? [];
  return defined({ messageId, conversationId });
}
