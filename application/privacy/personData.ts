/** All data that a store has about a person, as a sequence of entries: from the read models in the form of the API, then from the log. */
import type { ChannelCustomer, ConversationEvent } from '../../domain/channel/conversationEvents.js';
import { filesIn } from '../../domain/channel/messageFiles.js';
import { defined } from '../../domain/defined.js';
import { isErasedCustomer } from '../../domain/erasure.js';
import type { Documents } from '../../engine/ports/documents.js';
import { type EventStore, type RecordedEvent, streamName } from '../../engine/ports/eventStore.js';
import { eachRow } from '../../engine/projections/allRows.js';
import type { Reads } from '../../engine/projections/reads.js';
import { streamEvents, streamPages } from '../../engine/streamPages.js';
import { type FileBody, files } from '../../projections/files.js';
import { type MessageBody, messages } from '../../projections/messages.js';
import { orders } from '../../projections/orders.js';
import { promotionUses } from '../../projections/promotionUses.js';
import { webhookEndpoints } from '../../projections/webhookEndpoints.js';
import { copyId, isMedia } from '../channel/mediaCopying.js';
import { shownValue } from '../history/historyEntries.js';
import { DELIVERIES, EITHER, SOURCES } from '../webhooks/deliveryLog.js';
import { listsOf, ordersOf, type Person } from './person.js';

export interface PersonDataParts {
  readonly reads: Reads;
  readonly log: Pick<EventStore, 'readStream'>;
  /** Store of the webhook delivery log. */
  readonly work: Pick<Documents, 'find' | 'getMany'>;
  /** Partner whose endpoints receive the store's events too. Undefined: it has no partner. */
  readonly partnerId: string | undefined;
}

export type EntryKind =
  | 'contact'
  | 'conversation'
  | 'message'
  | 'file'
  | 'order'
  | 'promotionUse'
  | 'numberList'
  | 'event'
  | 'webhookDelivery'
  | 'member'
  | 'owner'
  | 'session';

/** One line of an export. `of` has the form of the API or, for an event, what happened, when and by whom. */
export interface PersonEntry {
  readonly kind: EntryKind;
  readonly workspaceId: string;
  readonly of: object;
}

/** Maximum attempts of one event to one endpoint, which are made for 3 days at most. */
const MOST_ATTEMPTS = 200;

/** Streams that contain events of all customers of a store. */
const OF_ALL = ['paymentPrompts', 'dataExports'];

/** Returns true for their events in these streams: a prompt to their phone or on their request, or an export of their data. */
function isTheirs(event: RecordedEvent, { phones, conversations }: Person): boolean {
  const { customer, payer, phone: about } = event.data as Readonly<Record<string, unknown>>;
  return phones.some((phone) => payer === phone || about === phone) || conversations.some(({ id }) => id === customer);
}

/** Returns ids of files that an event adds to a conversation. The id of a received file's copy is known before the copy is made. */
function filesOf({ type, data }: ConversationEvent, conversationId: string): readonly string[] {
  if (type === 'MessageReceived') return isMedia(data.content) ? [copyId(conversationId, data.messageId)] : [];
  if (type === 'MessageMediaStored') return [data.fileId];
  return type === 'MessageQueued' ? filesIn(data.content) : [];
}

/** Returns true for a message from or to an erased customer. */
function isErasedMessage({ data }: RecordedEvent): boolean {
  const { customer, to = customer } = data as { readonly customer?: ChannelCustomer; readonly to?: ChannelCustomer };
  return to !== undefined && isErasedCustomer(to);
}

/** Returns an event without internal details, such as the account of an operator. */
export const publicEvent = ({ id, type, stream, revision, data, meta: { at, actor } }: RecordedEvent): object => ({
  ...{ id, type, stream, revision, at, actor },
  data: shownValue(data),
});

/** Data about the person, with their streams. `files`: those that they sent or received. */
export class PersonData {
  readonly #parts: PersonDataParts;
  readonly #person: Person;
  readonly #streams: string[];

  constructor(parts: PersonDataParts, person: Person) {
    this.#parts = parts;
    this.#person = person;
    this.#streams = [...person.streams, ...person.conversations.map(({ id }) => streamName('conversation', id))];
  }

  /** Streams of the customer's names and conversations. */
  get streams(): readonly string[] {
    return this.#streams;
  }

  /** Uses bounded memory, however long the history is: only the ids of orders are collected. */
  async *entries(): AsyncGenerator<PersonEntry> {
    const { workspaceId, contactId, phone, conversations } = this.#person;
    const entry = (kind: EntryKind, of: object): PersonEntry => ({ kind, workspaceId, of });
    yield entry('contact', defined({ contactId, phone, contact: conversations[0]?.contact }));
    for await (const list of listsOf(this.#parts.reads, this.#person)) yield entry('numberList', list);
    for (const conversation of conversations) {
      yield entry('conversation', conversation);
      for await (const message of this.#messages(conversation.id)) yield entry('message', message);
    }
    for await (const file of this.files()) yield entry('file', file);
    for await (const [kind, of] of this.#orders()) yield entry(kind, of);
    for await (const [kind, of] of this.#events()) yield entry(kind, of);
  }

  /**
   * Yields files of their messages, including deleted ones, the newest first and each once per conversation. Reads the log, since read
   * models omit the files of deleted messages, and such a file may have been copied at the time of the deletion.
   */
  async *files(): AsyncGenerator<FileBody> {
    const { reads } = this.#parts;
    for await (const fileId of this.fileIds()) {
      const file = await reads.get(files, `${this.#person.workspaceId}/${fileId}`);
      if (file !== undefined) yield file.body;
    }
  }

  /** Yields the ids of their files, including deleted files and files that are not stored yet. `erased`: files of erased messages only. */
  async *fileIds({ erased = false } = {}): AsyncGenerator<string> {
    for (const { id } of this.#person.conversations) {
      const found = new Set<string>();
      for await (const event of streamEvents(this.#parts.log, streamName('conversation', id))) {
        if (erased && !isErasedMessage(event)) continue;
        for (const fileId of filesOf(event as RecordedEvent & ConversationEvent, id)) {
          found.delete(fileId);
          found.add(fileId);
        }
      }
      yield* [...found].reverse();
    }
  }

  async *#messages(conversationId: string): AsyncGenerator<MessageBody> {
    const query = { where: { conversationId }, sort: ['-place'] };
    for await (const { body } of eachRow(this.#parts.reads, messages, query)) yield body;
  }

  async *#orders(): AsyncGenerator<readonly [EntryKind, object]> {
    const { reads } = this.#parts;
    for await (const { id: orderId } of ordersOf(reads, this.#person)) {
      const order = await reads.get(orders, orderId);
      if (order !== undefined) yield ['order', order.body];
      for await (const { body } of eachRow(reads, promotionUses, { where: { orderId } }))
        yield ['promotionUse', { orderId, ...body }];
      this.#streams.push(streamName('order', orderId));
    }
  }

  async *#events(): AsyncGenerator<readonly [EntryKind, object]> {
    const { log } = this.#parts;
    const endpoints = await this.#endpoints();
    for (const stream of this.#streams)
      for await (const page of streamPages(log, stream)) {
        for (const event of page) yield ['event', publicEvent(event)];
        for await (const delivery of this.#deliveries(page, endpoints)) yield ['webhookDelivery', delivery];
      }
    yield* this.#eventsAmongOthers();
  }

  async *#eventsAmongOthers(): AsyncGenerator<readonly [EntryKind, object]> {
    for (const category of OF_ALL)
      for await (const page of streamPages(this.#parts.log, streamName(category, this.#person.workspaceId)))
        for (const event of page.filter((one) => isTheirs(one, this.#person))) yield ['event', publicEvent(event)];
  }

  async #endpoints(): Promise<ReadonlyMap<string, string>> {
    const { reads, partnerId } = this.#parts;
    const found = new Map<string, string>();
    for (const ownerId of [this.#person.workspaceId, ...(partnerId === undefined ? [] : [partnerId])])
      for await (const { id, body } of eachRow(reads, webhookEndpoints, { where: { ownerId }, sort: ['-createdAt'] }))
        found.set(id, body.url);
    return found;
  }

  /** Yields delivery attempts of these events, with their URL. The delivery log covers 30 days. */
  async *#deliveries(events: readonly RecordedEvent[], endpoints: ReadonlyMap<string, string>): AsyncGenerator<object> {
    const { work } = this.#parts;
    const reported = await work.getMany(
      SOURCES,
      events.map(({ id }) => id),
    );
    for (const eventId of reported.keys())
      for (const [endpointId, url] of endpoints) {
        const query = { where: { endpointId, eventId, status: EITHER }, sort: ['-attemptedAt'], limit: MOST_ATTEMPTS };
        for (const { body } of await work.find<object>(DELIVERIES, query)) yield { endpointId, url, ...body };
      }
  }
}
