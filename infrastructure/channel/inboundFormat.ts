/** A delivery of the channel's webhook, made into updates. Whatever comes, nothing throws and no good part is lost. */
import type {
  InboundUpdates,
  NumberUpdates,
  ReceivedCall,
  ReceivedMessage,
  ReceivedNewPhone,
  ReceivedStatus,
} from '../../application/channel/inboundUpdates.js';
import type { JsonObject } from '../../domain/jsonObject.js';
import { list, record } from '../untypedJson.js';
import { cleanText } from './cleanText.js';
import { callOf, contactsOf, messageOf, statusOf } from './inboundParts.js';

interface Gathered extends NumberUpdates {
  readonly messages: ReceivedMessage[];
  readonly statuses: ReceivedStatus[];
  readonly calls: ReceivedCall[];
  readonly newPhones: ReceivedNewPhone[];
}

/** Gathers the parts of one delivery by the business number that they are about. */
class Reading {
  malformed = 0;
  readonly numbers = new Map<string, Gathered>();
  readonly #now: number;

  constructor(now: number) {
    this.#now = now;
  }

  change(field: unknown, value: unknown): void {
    if (field === 'messages') this.#messages(record(value));
    else if (field === 'calls') this.#calls(record(value));
    // Other fields are about other things than messages, their statuses and calls.
    else if (typeof field !== 'string') this.malformed++;
  }

  #messages(value: JsonObject | undefined): void {
    const number = this.#numberOf(value);
    if (value === undefined || number === undefined) return;
    const contacts = contactsOf(value);
    this.#each(
      value.messages,
      (one) => messageOf(one, contacts, this.#now),
      (found) => ('content' in found ? number.messages.push(found) : number.newPhones.push(found)),
    );
    this.#each(
      value.statuses,
      (one) => statusOf(one, this.#now),
      (found) => number.statuses.push(found),
    );
  }

  #calls(value: JsonObject | undefined): void {
    const number = this.#numberOf(value);
    if (value === undefined || number === undefined) return;
    const contacts = contactsOf(value);
    this.#each(
      value.calls,
      (one) => callOf(one, contacts, this.#now),
      (found) => found !== null && number.calls.push(found),
    );
  }

  #numberOf(value: JsonObject | undefined): Gathered | undefined {
    const phoneNumberId = cleanText(record(value?.metadata)?.phone_number_id, 64);
    if (phoneNumberId === undefined) {
      this.malformed++;
      return undefined;
    }
    let number = this.numbers.get(phoneNumberId);
    if (number === undefined) {
      number = { phoneNumberId, messages: [], statuses: [], calls: [], newPhones: [] };
      this.numbers.set(phoneNumberId, number);
    }
    return number;
  }

  #each<T>(values: unknown, read: (value: unknown) => T | undefined, take: (found: T) => unknown): void {
    for (const value of list(values)) {
      const found = read(value);
      if (found === undefined) this.malformed++;
      else take(found);
    }
  }
}

/** Reads what it can of the parsed body. `now`: ms since 1970. */
export function inboundUpdates(body: unknown, now: number): InboundUpdates {
  const reading = new Reading(now);
  const entries = record(body)?.entry;
  if (!Array.isArray(entries)) reading.malformed++;
  for (const entry of list(entries)) {
    const changes = record(entry)?.changes;
    if (!Array.isArray(changes)) reading.malformed++;
    for (const change of list(changes)) {
      const { field, value } = record(change) ?? {};
      reading.change(field, value);
    }
  }
  return { numbers: [...reading.numbers.values()], malformed: reading.malformed };
}
