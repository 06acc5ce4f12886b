/** Messages that customers of the sandbox write. */

import { Readable } from 'node:stream';
import { defined } from '../../domain/defined.js';
import type { Clock } from '../../engine/ports/clock.js';
import { record } from '../untypedJson.js';
import { WrongBody } from './bodyText.js';
import { type ChatMessage, newWamid, type SandboxChats, type SandboxCustomer } from './chats.js';
import { contactsOf, from, ownWamid, sender, timeOf } from './customerActs.js';
import type { CustomerFile, CustomerMessage } from './customerContext.js';
import { customerMessage, newPhone } from './customerMessages.js';
import type { Journal } from './journal.js';
import { RECEIVED_MS, type SandboxMedia, type SandboxMediaStore } from './media.js';
import { type Update, unixSeconds } from './webhookCalls.js';

export interface CustomerWritingDependencies {
  readonly chats: SandboxChats;
  readonly media: SandboxMediaStore;
  readonly journal: Journal;
  readonly clock: Clock;
  /** Cents. */
  priceIn(catalogId: string): (retailerId: string) => number | undefined;
}

type Sent = Pick<ChatMessage, 'wamid' | 'at' | 'payload'>;

const MB = 1024 * 1024;
const MOST_FILE = 16 * MB;

export interface Written {
  readonly wamid: string;
  readonly customer: SandboxCustomer;
  readonly update: Update;
}

/** Writes messages as a customer. */
export class CustomerWriting {
  readonly #dependencies: CustomerWritingDependencies;

  constructor(dependencies: CustomerWritingDependencies) {
    this.#dependencies = dependencies;
  }

  /** Stores a message as a customer writes it. `catalogId`: the number's catalog. */
  async write(number: string, catalogId: string, key: string, given: unknown): Promise<Written> {
    const { chats, clock, journal, priceIn } = this.#dependencies;
    const body = record(given);
    if (body === undefined) throw new WrongBody('The body is a JSON object.');
    const customer = sender(key, body, chats, number);
    const messages = chats.messages(number, customer);
    const own = ownWamid(body);
    const before = messages.find(({ wamid, direction }) => direction === 'sent' && wamid === own);
    // Sent before: the same message is delivered once more, as the channel does when it got no answer.
    if (before !== undefined)
      return { wamid: before.wamid, customer, update: this.#updateOf(number, customer, before) };
    const at = timeOf(body.at, clock.now());
    const payload = await customerMessage(body, {
      messages,
      catalogId,
      priceOf: priceIn(catalogId),
      store: (file) => this.#storeFile(file),
    });
    const wamid = await this.store(number, customer, { wamid: own, at }, payload);
    if (payload.type === 'system') await journal.append(chats.meet(number, { ...customer, phone: newPhone(payload) }));
    return { wamid, customer, update: this.#updateOf(number, customer, { wamid, at, payload }) };
  }

  async #storeFile({ content, mimeType, filename }: CustomerFile): Promise<SandboxMedia> {
    const { media, journal } = this.#dependencies;
    const about = {
      mimeType,
      ...defined({ filename }),
      retentionMs: RECEIVED_MS,
      mostBytes: MOST_FILE,
    };
    if (content.length > MOST_FILE) throw new WrongBody('A file has at most 16 MB here.');
    const { media: stored, entry } = await media.put(Readable.from([content]), about);
    await journal.append(entry);
    return stored;
  }

  /** Adds a message to the customer's chat. Returns its id. */
  async store(
    number: string,
    customer: SandboxCustomer,
    { wamid = newWamid(), at }: { readonly wamid?: string | undefined; readonly at: number },
    payload: CustomerMessage,
  ): Promise<string> {
    const { journal, chats } = this.#dependencies;
    const message: ChatMessage = { wamid, at, direction: 'sent', payload, statuses: [] };
    await journal.append(chats.add(number, customer, message));
    return wamid;
  }

  #updateOf(number: string, customer: SandboxCustomer, { wamid, at, payload }: Sent): Update {
    const inbound = { ...from(customer), id: wamid, timestamp: unixSeconds(at), ...payload };
    return { phoneNumberId: number, value: { ...contactsOf(customer), messages: [inbound] } };
  }
}
