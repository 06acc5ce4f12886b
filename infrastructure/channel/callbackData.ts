/** Data sent with a message and returned with each of its statuses. It identifies the message, whatever recipient the status names. */
import { defined } from '../../domain/defined.js';

interface CallbackData {
  readonly messageId?: string;
  readonly conversationId?: string;
}

export const callbackData = (messageId: string, conversationId: string | undefined): string =>
  conversationId === undefined ? messageId : `${messageId}/${conversationId}`;

/** Messages of earlier versions went out with their id alone. */
export function callbackDataIn(data: string | undefined): CallbackData {
  const [messageId, conversationId] = data?.split('/', 2) ?? [];
  return defined({ messageId, conversationId });
}
