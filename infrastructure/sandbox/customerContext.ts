/** Context for creating a customer's message of any kind. */

import type { JsonObject } from '../../domain/jsonObject.js';
import { record } from '../untypedJson.js';
import { WrongBody } from './bodyText.js';
import type { ChatMessage } from './chats.js';
import type { SandboxMedia } from './media.js';

export interface CustomerFile {
  readonly content: Buffer;
  readonly mimeType: string;
  readonly filename?: string;
}

export interface CustomerContext {
  /** The chat so far, oldest first. */
  readonly messages: readonly ChatMessage[];
  readonly catalogId: string;
  /** Cents. */
  priceOf(retailerId: string): number | undefined;
  store(file: CustomerFile): Promise<SandboxMedia>;
}

/** A message in the channel's format, without id, sender and time. */
export type CustomerMessage = JsonObject & { readonly type: string };
/** Throws `WrongBody`. */
export type Make = (value: unknown, context: CustomerContext) => CustomerMessage | Promise<CustomerMessage>;

/** Throws `WrongBody` for what is no object. */
export function body(value: unknown, name: string): JsonObject {
  const found = record(value);
  if (found === undefined) throw new WrongBody(`${name} is an object.`);
  return found;
}
