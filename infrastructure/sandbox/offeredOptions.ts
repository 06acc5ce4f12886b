/** Options in messages that a customer can tap. */

import { list, record } from '../untypedJson.js';
import { text } from './bodyText.js';
import type { ChatMessage } from './chats.js';

export interface OfferedOption {
  /** The message that offers it. */
  readonly wamid: string;
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  /** A row of a list, not a button. */
  readonly list: boolean;
}

/** Buttons and rows of one message. */
export function optionsOf({ wamid, direction, payload }: ChatMessage): OfferedOption[] {
  const action = direction === 'received' ? record(record(payload.interactive)?.action) : undefined;
  const buttons = list(action?.buttons).map((one) => ({ ...record(record(one)?.reply), list: false }));
  const rows = list(action?.sections).flatMap((one) =>
    list(record(one)?.rows).map((row) => ({ ...record(row), list: true })),
  );
  return [...buttons, ...rows].map((one: { id?: unknown; title?: unknown; description?: unknown; list: boolean }) => ({
    wamid,
    id: text(one.id),
    title: text(one.title),
    ...(one.description === undefined ? {} : { description: text(one.description) }),
    list: one.list,
  }));
}

/** Options of the newest message first. */
export const offeredOptions = (messages: readonly ChatMessage[]): OfferedOption[] =>
  messages.toReversed().flatMap(optionsOf);
